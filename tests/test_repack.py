"""Repacking: scattered regions are moved together for the solver, which changes nothing but the cost."""

import numpy as np
import pytest
from helpers import problem_with
from maps import scattered_scenes

import crevasse
from crevasse.methods.graduated.views.pyramid import LARGE, count_levels
from crevasse.methods.graduated.views.repack import COLUMNS, _shelves, repack

CAMERAS = {"orthographic": crevasse.Orthographic(), "perspective": crevasse.Perspective(900.0, 900.0, 150.0, 140.0)}


@pytest.fixture(params=CAMERAS)
def both(request, monkeypatch):
    """A result, and the same without moving anything."""
    camera = CAMERAS[request.param]
    normals, mask = scattered_scenes()
    hints = np.zeros(mask.shape, np.int8)
    hints[150:170, 30], hints[150:170, 31] = 2, 3
    found = crevasse.integrate(normals, mask, camera, hints=hints)
    monkeypatch.setattr("crevasse.methods.graduated.method.repack", lambda problem: (problem, None))
    return found, crevasse.integrate(normals, mask, camera, hints=hints)


def test_the_surface_is_the_same_as_without_repacking(both):
    found, plain = both
    assert np.array_equal(found.mask, plain.mask) and found.regions == plain.regions
    apart = np.abs(found.surface.heights - plain.surface.heights)[plain.mask]
    assert apart.mean() < 0.02 and np.median(apart) < 1e-3
    for one, other in zip(found.cuts, plain.cuts, strict=True):
        assert one.shape == other.shape and np.count_nonzero(one != other) <= 0.1 * np.count_nonzero(other)
    assert found.cuts.right[150:170, 30].all()
    assert found.islands.shape == plain.islands.shape and (found.islands > 0).sum() == plain.mask.sum()


def test_every_state_shows_the_whole_map():
    normals, mask = scattered_scenes()
    for state in crevasse.iterate(normals, mask, method=crevasse.Graduated(iterations=6, starts=1, parts=0)):
        heights = state.surface.heights
        assert heights.shape == mask.shape and not heights[~mask].any() and heights[mask].any()


@pytest.mark.parametrize("scale", [1, 1 << 12])
def test_regions_keep_their_pixels_and_stay_apart(scale, monkeypatch):
    monkeypatch.setattr("crevasse.methods.graduated.views.pyramid.LARGE", LARGE // scale)
    rng = np.random.default_rng(3)
    mask = np.zeros((300, 500), bool)
    for top, left, height, width in rng.integers((0, 0, 1, 1), (290, 470, 9, 30), (20, 4)):
        mask[top : top + height, left : left + width] = True
    slopes = np.where(mask, rng.normal(size=mask.shape), 0.0)
    problem = problem_with(slopes, 2 * slopes, mask)
    packed, repacked = repack(problem)
    domain = packed.domain
    assert repacked is not None and mask.size > 2 * domain.mask.size
    assert domain.regions == problem.domain.regions
    for image, original in zip(packed.slopes, problem.slopes, strict=True):
        assert np.array_equal(repacked.spread(image), original)
    assert np.array_equal(repacked.spread(domain.mask), mask)
    labels = repacked.spread(domain.labels)
    for region in range(1, problem.domain.regions + 1):
        assert len(np.unique(labels[problem.domain.labels == region])) == 1
    # No two regions fall into one pixel on any level of the pyramid.
    assert (count_levels(domain.pixels) > 0) == (scale > 1)
    for block in _blocks(domain.labels, 2 ** count_levels(domain.pixels)):
        assert len(np.unique(block[block > 0])) <= 1


def _blocks(labels, side):
    for y in range(0, labels.shape[0], side):
        for x in range(0, labels.shape[1], side):
            yield labels[y : y + side, x : x + side]


def test_boxes_on_shelves_do_not_overlap_and_begin_at_whole_blocks():
    rng = np.random.default_rng(5)
    for count in (1, 2, 7, 300):
        tall, wide = rng.integers(1, 40, count), COLUMNS * rng.integers(1, 6, count)
        rows, columns, shape = _shelves(tall, wide)
        covered = np.zeros(shape, int)
        for box in zip(rows, tall, columns, wide, strict=True):
            covered[box[0] : box[0] + box[1], box[2] : box[2] + box[3]] += 1
        assert covered.max() == 1 and covered.sum() == (tall * wide).sum()
        assert not np.any(columns % COLUMNS)


def test_maps_that_would_gain_little_stay_as_they_are():
    y, x = np.mgrid[:200, :200] - 99.5
    rings = np.abs(np.hypot(y, x) - 90) < 2, np.abs(np.hypot(y, x) - 60) < 2
    for mask in (rings[0], rings[0] | rings[1], np.ones((50, 50), bool)):
        flat = np.zeros(mask.shape)
        problem = problem_with(flat, flat, mask)
        assert repack(problem) == (problem, None)
