"""Bounds of the outer iterations: a part that next to nothing holds goes nowhere."""

import numpy as np
import pytest
from helpers import make_context, make_engine, problem_with

from crevasse.methods.graduated.evidence import STARTS
from crevasse.methods.graduated.rules import UNBOUNDED
from crevasse.methods.graduated.schedule import reach

SIDE = 40
SEEDS = range(4)


def lifted_patch(seed, lift):
    """An engine of a flat map with a rough patch of nine pixels, whose surface lies far from all others."""
    random, patch = np.random.default_rng(seed), slice(18, 21)
    right, down, heights = np.zeros((3, SIDE, SIDE))
    right[patch, patch], down[patch, patch] = random.normal(0, 30.0, (2, 3, 3))
    heights[patch, patch] = lift
    return make_engine(problem_with(right, down, np.ones((SIDE, SIDE), bool)), heights)


def farthest(engine, iterations):
    """Largest extent of the surface during some iterations."""
    return max(np.ptp(engine.heights) for _ in iterations)


def polish(seed, lift):
    engine = lifted_patch(seed, lift)
    return farthest(engine, make_context(engine).schedule.polish(0))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("lift", [1e3, 1e4])
def test_a_distant_part_does_not_fly_off(seed, lift):
    low, high = reach(lifted_patch(seed, lift))
    assert polish(seed, lift) <= high - low < lift + 1000


def test_without_bounds_rounding_moves_the_part_away(monkeypatch):
    """Otherwise the test above shows nothing."""
    monkeypatch.setattr("crevasse.methods.graduated.schedule.reach", lambda engine: UNBOUNDED)
    assert max(polish(seed, 1e4) for seed in SEEDS) > 1e5


@pytest.mark.parametrize("seed", SEEDS)
def test_annealing_from_a_known_surface_is_bounded_too(seed):
    engine = lifted_patch(seed, 1e4)
    low, high = reach(engine)
    assert farthest(engine, make_context(engine).schedule.anneal(STARTS[0], 0, begin=50)) <= high - low


def test_a_surface_may_rise_by_its_mean_slope_across_the_map():
    steep = np.full((10, 20), 2.0)
    engine = make_engine(problem_with(steep, np.zeros((10, 20)), np.ones((10, 20), bool)))
    assert reach(engine) == pytest.approx((-90.0, 90.0))
    engine.warm_start(np.linspace(-5.0, 7.0, 200).reshape(10, 20))
    assert reach(engine) == pytest.approx((-95.0, 97.0))
