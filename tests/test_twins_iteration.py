"""Outer iterations of the default method: weights, right-hand side and solve agree with the plain twin."""

from dataclasses import replace

import kernels
import numpy as np
import pytest
from scipy.sparse.csgraph import connected_components
from twin_maps import SEEDS, random_evidence, random_map

from crevasse.methods.graduated.evidence import POLISH, STARTS
from crevasse.methods.graduated.rules import Bounds
from crevasse.twins.graduated.energy import measure_gaps
from crevasse.twins.graduated.grid import split
from crevasse.twins.graduated.iteration import Pins, Weighting, iterate
from crevasse.twins.laplacian import laplacian

STAGES = (
    (Weighting.FLAT, 10.0),
    (Weighting.ANNEALED, 10.0),
    (Weighting.ANNEALED, 0.3),
    (Weighting.REDESCENDING, 0.0),
    (Weighting.SETTLED, 0.0),
)
SLACK = 1e-3
"""Share of an iteration's gain that single precision may miss: it cannot place parts that only tiny weights hold."""


def annealed_map(seed):
    """A map of even noise and a surface as the method has it halfway, its evidence and its engine."""
    case = random_map(seed)
    case = replace(case, noise=np.full_like(case.noise, case.noise[1]))
    evidence = (*STARTS, POLISH)[seed % 4]
    heights, likelihood = case.heights, case.judge(evidence)
    for scale in (10.0, 3.0, 1.0, 0.3):
        heights = iterate(heights, case.pairs, likelihood, Weighting.ANNEALED, scale).heights
    case = case.with_heights(heights)
    engine = kernels.make(case)
    kernels.set_evidence(engine, evidence)
    return case, likelihood, engine


@pytest.mark.parametrize(("weighting", "scale"), STAGES)
@pytest.mark.parametrize("seed", SEEDS)
def test_weights_and_energy_are_those_of_the_twin(seed, weighting, scale):
    case, evidence = random_map(seed), random_evidence(seed)
    engine = kernels.make(case)
    kernels.set_evidence(engine, evidence)
    energy, _ = kernels.iterate(engine, weighting, scale, solver_iterations=1)
    twin = iterate(case.heights, case.pairs, case.judge(evidence), weighting, scale)
    np.testing.assert_allclose(kernels.weights(engine, case.mask.shape), twin.weights, rtol=3e-5)
    assert energy == pytest.approx(twin.energy, rel=1e-5)


def test_flat_weights_do_not_depend_on_the_heights_and_all_others_do():
    case, likelihood, _ = annealed_map(0)
    for weighting, scale in STAGES:
        one, other = (
            iterate(heights, case.pairs, likelihood, weighting, scale).weights
            for heights in (case.heights, 2 * case.heights)
        )
        assert np.array_equal(one, other) == (weighting is Weighting.FLAT)


@pytest.mark.parametrize(("weighting", "scale"), STAGES)
@pytest.mark.parametrize("seed", SEEDS)
def test_an_iteration_minimises_the_weighted_energy(seed, weighting, scale):
    case, likelihood, engine = annealed_map(seed)
    kernels.iterate(engine, weighting, scale)
    twin = iterate(case.heights, case.pairs, likelihood, weighting, scale)

    def energy(heights):
        return float((twin.weights * measure_gaps(heights, case.pairs) ** 2).sum())

    least = energy(twin.heights)
    assert least < twin.energy
    assert energy(kernels.heights(engine, case.mask.shape)) - least < SLACK * (twin.energy - least)


@pytest.mark.parametrize(("weighting", "scale"), STAGES[:3])
@pytest.mark.parametrize("seed", SEEDS)
def test_heights_of_an_iteration_are_those_of_an_exact_solve(seed, weighting, scale):
    case, likelihood, engine = annealed_map(seed)
    kernels.iterate(engine, weighting, scale)
    twin = iterate(case.heights, case.pairs, likelihood, weighting, scale)
    difference = kernels.heights(engine, case.mask.shape) - twin.heights
    assert np.abs(twin.heights - case.heights).max() > 0.02
    assert np.abs(level(difference, case.pairs.exists)).max() < 5e-3


@pytest.mark.parametrize("seed", SEEDS)
def test_pixels_that_would_leave_the_bounds_stay_where_they_are(seed):
    case, likelihood, engine = annealed_map(seed)
    stage, inputs = (Weighting.ANNEALED, 0.3), (case.heights, case.pairs, likelihood)
    kernels.iterate(engine, *stage)
    free = kernels.heights(engine, case.mask.shape)
    bounds = Bounds(*np.quantile(free[case.mask], (0.2, 0.7)))
    _, _, engine = annealed_map(seed)
    _, change = kernels.iterate(engine, *stage, bounds=bounds)
    found = kernels.heights(engine, case.mask.shape)
    assert np.array_equal(found, hold(free, case.heights, bounds))
    assert change == pytest.approx(np.abs(found - case.heights).sum(), rel=1e-6)
    twin = iterate(*inputs, *stage, bounds=bounds).heights
    assert np.array_equal(twin, hold(iterate(*inputs, *stage).heights, case.heights, bounds))


def hold(heights, before, bounds):
    beyond = (heights < bounds.low) | (heights > bounds.high)
    assert 0 < np.count_nonzero(beyond) < beyond.size
    return np.where(beyond, before, heights)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_reported_change_is_how_far_the_heights_moved(seed):
    case, _, engine = annealed_map(seed)
    _, change = kernels.iterate(engine, Weighting.REDESCENDING)
    moved = np.abs(kernels.heights(engine, case.mask.shape) - case.heights).sum()
    assert change == pytest.approx(moved, rel=1e-6)


def level(heights, exists):
    """Heights with mean 0 over each set of connected pixels."""
    labels = connected_components(laplacian(*split(exists.astype(float))), directed=False)[1]
    means = np.bincount(labels, heights.ravel()) / np.bincount(labels)
    return heights - means[labels].reshape(heights.shape)


@pytest.mark.parametrize("softness", [0.0, 0.5])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_pinned_iteration_is_that_of_the_twin(seed, softness):
    """Frozen weights of the last iteration, and known heights at some pixels."""
    case, likelihood, engine = annealed_map(seed)
    rng = np.random.default_rng(seed)
    pins = case.mask * 10.0 ** rng.uniform(-2, 0, case.mask.shape)
    held = Pins(pins, case.heights + rng.normal(0, 3, case.mask.shape))
    kernels.iterate(engine, Weighting.ANNEALED, 1.0)
    before, last = kernels.heights(engine, case.mask.shape), kernels.weights(engine, case.mask.shape)
    engine.set_pins(*held)
    for _ in range(3):
        kernels.iterate(engine, Weighting.FROZEN, softness)
        softness_left, softness = softness, 0.0
        last = last / (1 + softness_left**2 * last)
    twin = iterate(before, case.pairs, likelihood, Weighting.FROZEN, last=last, held=held)
    found = kernels.heights(engine, case.mask.shape)
    np.testing.assert_allclose(found[case.mask], twin.heights[case.mask], atol=2e-3)
    engine.set_pins(None, None)
    kernels.iterate(engine, Weighting.ANNEALED, 1.0)
    free = iterate(found, case.pairs, likelihood, Weighting.ANNEALED, 1.0)
    assert np.abs(kernels.weights(engine, case.mask.shape) - free.weights).max() < 1e-3 * free.weights.max()
