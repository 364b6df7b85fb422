"""The linear solver: equal to its plain twin, same bits for any number of threads, work that does not grow."""

import numpy as np
import pytest
from helpers import at_most
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree
from systems import systems_of

from crevasse import scenes
from crevasse.lattice import divergence
from crevasse.native import Solver
from crevasse.twins.laplacian import laplacian, solve_plain

CEILING = 34
"""Most iterations to a relative residual of 1e-6, over all scenes and stages of a run, at any size."""
SCENES = ["smooth", "holes", "stairs", "disc", "comb", "comb-16", "spiral", "relief", "demo"]


def random_system(rng, height, width, decades, holes):
    mask = rng.random((height, width)) >= holes
    right = 10 ** rng.uniform(-decades / 2, decades / 2, (height, width - 1)) * (mask[:, :-1] & mask[:, 1:])
    down = 10 ** rng.uniform(-decades / 2, decades / 2, (height - 1, width)) * (mask[:-1] & mask[1:])
    targets = rng.standard_normal(right.shape), rng.standard_normal(down.shape)
    return right, down, divergence(right * targets[0], down * targets[1])


def centred(values, right, down):
    """Each connected part moved to mean 0: what is left of the solution once the gauge is fixed."""
    labels = connected_components(laplacian(right, down), directed=False)[1]
    means = np.bincount(labels, values.ravel()) / np.bincount(labels)
    return values - means[labels].reshape(values.shape)


def solve(solver, side, values, tolerance, limit):
    """Improves the values; the iterations it took and the relative residual."""
    return solver.solve(rhs=side, values=values, tolerance=tolerance, limit=limit)


def iterations(right, down, side, tolerance=1e-6):
    values = np.zeros(side.shape)
    return solve(Solver(right, down, threads=1), side, values, tolerance, limit=300)[0]


@settings(max_examples=at_most(60, "CREVASSE_EXAMPLES"), deadline=None, derandomize=True)
@given(st.integers(0, 2**32 - 1), st.integers(1, 40), st.integers(1, 40), st.sampled_from([0, 2, 4]))
def test_equal_to_the_plain_twin(seed, height, width, decades):
    rng = np.random.default_rng(seed)
    right, down, side = random_system(rng, height, width, decades, holes=rng.uniform(0, 0.5))
    values = np.zeros((height, width))
    _, residual = solve(Solver(right, down, threads=1), side, values, 1e-11, limit=2000)
    truth = solve_plain(right, down, side)
    scale = max(np.abs(truth).max(), 1e-30)
    assert residual <= 1e-10 or np.abs(side).max() == 0
    np.testing.assert_allclose(centred(values, right, down) / scale, truth / scale, atol=1e-6)


def test_pairs_alone_do_not_drift():
    """Black points follow red ones exactly, so that nothing but rounding is left to solve."""
    right = np.zeros((1, 17))[:, :-1]
    right[0, [2, 12, 15]] = 0.378, 0.48, 1.162
    side = divergence(right * np.array([0.762, 0.81, -0.857] + [0.5] * 13), np.zeros((0, 17)))
    values = np.zeros((1, 17))
    solve(Solver(right, np.zeros((0, 17)), threads=1), side, values, 1e-11, limit=50)
    assert np.abs(values).max() < 10


@pytest.mark.parametrize("threads", [2, 3, 8])
def test_same_bits_for_any_number_of_threads(threads):
    right, down, side = random_system(np.random.default_rng(5), 301, 217, 4, holes=0.1)
    alone, together = np.zeros(side.shape), np.zeros(side.shape)
    first = solve(Solver(right, down, threads=1), side, alone, 1e-6, limit=20)
    second = solve(Solver(right, down, threads=threads), side, together, 1e-6, limit=20)
    assert first == second
    assert np.array_equal(alone, together)


@pytest.fixture(scope="module")
def worst():
    """Most iterations of each scene, at a small and a large size."""

    def most(name, size):
        return max(iterations(*system) for system in systems_of(scenes.SCENES[name](size), stages=(1, 45, 60)))

    return {size: {name: most(name, size) for name in SCENES} for size in (192, 768)}


@pytest.mark.parametrize("size", [192, 768])
def test_iterations_stay_below_their_ceiling(worst, size):
    assert max(worst[size].values()) <= CEILING, worst[size]


def test_iterations_do_not_grow_with_the_map(worst):
    assert max(worst[768].values()) <= 1.3 * max(worst[192].values()), worst


@pytest.mark.parametrize("name", ["smooth", "holes", "disc", "comb", "comb-16", "spiral", "demo"])
def test_iterations_do_not_grow_scene_by_scene(worst, name):
    assert worst[768][name] <= 1.3 * worst[192][name]


@pytest.mark.parametrize("seed", range(4))
def test_mazes_of_any_weights_are_solved(seed):
    """A tree has a long way between near points, which no coarse grid knows of."""
    rng = np.random.default_rng(seed)
    right, down, _ = random_system(rng, 128, 128, 8, holes=0.0)
    tree = minimum_spanning_tree(laplacian(rng.random(right.shape) + 1, rng.random(down.shape) + 1))
    index = np.arange(128 * 128).reshape(128, 128)
    linked = (tree + tree.T).astype(bool)
    right *= linked[index[:, :-1].ravel(), index[:, 1:].ravel()].reshape(right.shape)
    down *= linked[index[:-1].ravel(), index[1:].ravel()].reshape(down.shape)
    side = divergence(right * rng.standard_normal(right.shape), down * rng.standard_normal(down.shape))
    assert iterations(right, down, side) <= 45


def test_interrupted_solver_can_be_used_again():
    right, down, side = random_system(np.random.default_rng(1), 60, 50, 2, holes=0.0)
    solver = Solver(right, down, threads=1)
    values = np.zeros(side.shape)
    solve(solver, side, values, 1e-9, limit=1)
    solver.load(right * 2, down * 2)
    values = np.zeros(side.shape)
    solve(solver, side, values, 1e-11, limit=200)
    np.testing.assert_allclose(centred(values, right, down), solve_plain(right * 2, down * 2, side), atol=1e-7)


def test_wrong_shapes_are_refused():
    with pytest.raises(ValueError, match=r"\(H, W-1\)"):
        Solver(np.ones((4, 4)), np.ones((3, 4)), threads=1)
    with pytest.raises(ValueError, match=r"\(H, W\)"):
        solve(Solver(np.ones((4, 3)), np.ones((3, 4)), threads=1), np.ones((4, 5)), np.ones((4, 5)), 1e-6, limit=10)


def random_pins(rng, right, down, decades=2):
    """Pins at some of the points that have edges, and a few at points that have none."""
    shape = down.shape[0] + 1, right.shape[1] + 1
    return 10 ** rng.uniform(-decades, 0, shape) * (rng.random(shape) < rng.choice([0.02, 0.3, 1.0]))


@settings(max_examples=at_most(60, "CREVASSE_EXAMPLES"), deadline=None, derandomize=True)
@given(st.integers(0, 2**32 - 1), st.integers(1, 40), st.integers(1, 40), st.sampled_from([0, 2, 4]))
def test_pinned_systems_are_those_of_the_plain_twin(seed, height, width, decades):
    rng = np.random.default_rng(seed)
    right, down, side = random_system(rng, height, width, decades, holes=rng.uniform(0, 0.5))
    pins = random_pins(rng, right, down)
    side = side + pins * rng.standard_normal(side.shape)
    values = np.zeros((height, width))
    _, residual = solve(Solver(right, down, threads=1, pins=pins), side, values, 1e-12, limit=2000)
    truth = solve_plain(right, down, side, pins)
    labels = connected_components(laplacian(right, down), directed=False)[1].reshape(values.shape)
    held = (np.bincount(labels.ravel(), pins.ravel()) > 0)[labels]
    assert residual <= 1e-10 or np.abs(side).max() == 0
    scale = max(np.abs(truth).max(), 1e-30)
    np.testing.assert_allclose(values[held] / scale, truth[held] / scale, atol=1e-6)


def test_pinned_systems_need_few_iterations():
    """Coarse levels know the pins: one pin far away moves a whole map as fast as many do."""
    for size in (64, 256):
        right, down = np.ones((size, size - 1)), np.ones((size - 1, size))
        for spread in (1, 16, size):
            pins = np.zeros((size, size))
            pins[::spread, ::spread] = 1e-4
            values = np.zeros((size, size))
            taken, _ = solve(Solver(right, down, threads=1, pins=pins), pins, values, 1e-10, limit=300)
            np.testing.assert_allclose(values, 1.0, rtol=1e-6)
            assert taken <= 24


def test_pinned_systems_have_the_same_bits_for_any_number_of_threads():
    rng = np.random.default_rng(3)
    right, down, side = random_system(rng, 150, 220, 4, holes=0.1)
    pins = random_pins(rng, right, down)
    found = []
    for threads in (1, 2, 4):
        values = np.zeros(side.shape)
        solve(Solver(right, down, threads=threads, pins=pins), side, values, 1e-8, limit=50)
        found.append(values)
    assert np.array_equal(found[0], found[1])
    assert np.array_equal(found[0], found[2])
