"""Small parts that jumps cut off on all sides: they stay in contact, however far rounding has thrown them."""

import numpy as np
import pytest

from crevasse.lattice import Pairs
from crevasse.methods.graduated.stages.attach_fragments import FAR, LARGEST, attach_fragments

SIDE = 40


def surface():
    """Heights of a bent surface, and the steps that its normals ask for."""
    y, x = np.mgrid[:SIDE, :SIDE]
    heights = 0.02 * (x - 20.0) ** 2 + 0.3 * y
    right, down = (np.zeros((SIDE, SIDE), np.float32) for _ in range(2))
    right[:, :-1], down[:-1] = np.diff(heights, axis=1), np.diff(heights, axis=0)
    return heights, (right, down)


def cut_around(*parts):
    """Cuts along the borders of these parts of a full mask."""
    labels = np.zeros((SIDE, SIDE), int)
    for number, part in enumerate(parts, 1):
        labels[part] = number
    right, down = (np.zeros((SIDE, SIDE), bool) for _ in range(2))
    right[:, :-1], down[:-1] = np.diff(labels, axis=1) != 0, np.diff(labels, axis=0) != 0
    return Pairs(right, down)


def attached(heights, targets, *parts):
    return attach_fragments(heights, targets, cut_around(*parts), np.ones((SIDE, SIDE), bool))


@pytest.mark.parametrize("far", [-5000.0, 2 * FAR, 1e9])
def test_a_fragment_that_was_thrown_away_comes_back(far):
    heights, targets = surface()
    part = np.s_[10:13, 20:23]
    thrown = heights.copy()
    thrown[part] += far
    assert np.allclose(attached(thrown, targets, part), heights, atol=1e-5)


def test_it_comes_back_along_its_smallest_gap():
    heights, targets = surface()
    fragment, beside = np.s_[10:13, 20:23], np.s_[:, 23:]
    stepped = heights.copy()
    stepped[beside] += 100
    stepped[fragment] += 1100
    back = attached(stepped, targets, fragment, beside)
    stepped[fragment] = heights[fragment] + 100
    assert np.allclose(back, stepped, atol=1e-4)


def test_fragments_of_fragments_come_back_in_turn():
    heights, targets = surface()
    outer, inner = np.s_[10:17, 10:17], np.s_[12:15, 12:15]
    thrown = heights.copy()
    thrown[outer] += 700
    thrown[inner] += 5000
    assert np.allclose(attached(thrown, targets, outer, inner), heights, atol=1e-4)


@pytest.mark.parametrize("far", [5.0, 0.9 * FAR])
def test_a_fragment_that_may_be_right_stays(far):
    heights, targets = surface()
    part = np.s_[10:13, 20:23]
    moved = heights.copy()
    moved[part] += far
    assert attached(moved, targets, part) is moved


def test_islands_stay():
    heights, targets = surface()
    side = int(np.ceil(np.sqrt(LARGEST)))
    part = np.s_[10 : 10 + side, 20 : 20 + side]
    moved = heights.copy()
    moved[part] += 5000
    assert attached(moved, targets, part) is moved
