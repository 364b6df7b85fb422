"""Thin masks: their rows share memory, and their coarsest level is solved exactly."""

import numpy as np
import pytest
from helpers import assert_same_surface, inner_pairs, integrate_scene, make_engine, problem_with
from maps import ring
from scipy import ndimage

from crevasse import Orthographic, Poisson, scenes
from crevasse.lattice import divergence
from crevasse.methods.graduated.evidence import STARTS
from crevasse.methods.graduated.rules import annealed
from crevasse.scenes import Scene
from crevasse.twins.laplacian import solve_plain


def spiral(side, width):
    rows, columns = np.mgrid[:side, :side] - side / 2
    turn = np.hypot(rows, columns) - 8 * width * (np.arctan2(rows, columns) / (2 * np.pi))
    return (turn % (8 * width) < width) & (np.hypot(rows, columns) < side / 2 - 1)


def wander(seed, side=300, steps=1200):
    """A path that crosses itself, some pixels wide."""
    rng = np.random.default_rng(seed)
    turns = np.cumsum(rng.normal(0, 0.12, steps))
    path = np.cumsum(np.stack([np.sin(turns), np.cos(turns)]), axis=1).astype(int) % side
    mask = np.zeros((side, side), bool)
    mask[tuple(path)] = True
    return ndimage.binary_dilation(mask, iterations=int(rng.integers(1, 4)))


def first_solve(mask, seed):
    """The first system of a start on random slopes, and how its solver fares."""
    rng = np.random.default_rng(seed)
    right, down = rng.normal(0, 0.3, (2, *mask.shape))
    engine = make_engine(problem_with(right, down, mask))
    found = engine.iterate(STARTS[0], annealed(10.0, cold=True), solver_iterations=300, tolerance=1e-6, rebuild=True)
    targets = inner_pairs(engine.targets())
    weights = [pair.astype(float) for pair in inner_pairs(engine.weights())]
    side = divergence(*(weight * target for weight, target in zip(weights, targets, strict=True)))
    return engine.heights, solve_plain(*weights, side), found.solver_iterations


@pytest.mark.parametrize(
    "mask",
    [ring(300, 3), ring(301, 12), spiral(260, 3), *(wander(seed) for seed in range(4))],
    ids=["ring-3", "ring-12", "spiral-3", "path-0", "path-1", "path-2", "path-3"],
)
def test_a_thin_mask_is_solved_as_its_plain_twin_does(mask):
    heights, plain, _ = first_solve(mask, seed=1)
    assert not heights[~mask].any()
    found, expected = (np.where(mask, image, np.nan) for image in (heights, plain))
    # Single precision, summed along the whole band.
    assert_same_surface(found, expected, Orthographic(), 0.003 * np.ptp(plain))


@pytest.mark.parametrize("width", [4, 8, 16])
def test_a_thin_ring_needs_few_iterations(width):
    full, thin = (first_solve(mask, seed=2)[2] for mask in (np.ones((160, 160), bool), ring(512, width)))
    assert thin <= 2 * full, f"{thin} iterations, {full} on a full map"


@pytest.mark.parametrize("method", [None, Poisson()], ids=["graduated", "poisson"])
@pytest.mark.parametrize("mask", [ring(400, 5), spiral(300, 4)], ids=["ring", "spiral"])
def test_a_thin_part_of_a_smooth_scene_is_the_same_surface(mask, method):
    whole = scenes.smooth(len(mask))
    scene = Scene("thin", whole.normals, mask, whole.camera, np.where(mask, whole.depth, np.nan), "")
    assert_same_surface(integrate_scene(scene, method).depth, scene.depth, scene.camera, 0.02)


def test_threads_do_not_change_the_bits_of_a_thin_surface():
    whole = scenes.demo(700)
    thin = Scene("thin", whole.normals, whole.mask & ring(700, 20), whole.camera, whole.depth, "")
    one, two = (integrate_scene(thin, threads=count).depth for count in (1, 2))
    np.testing.assert_array_equal(one, two)
