"""Large maps are first solved at half the resolution."""

import numpy as np
import pytest
from helpers import problem_of, problem_with, run_to_the_end

import crevasse
from crevasse.cameras import Orthographic, Perspective
from crevasse.methods.coarse import double, halve
from crevasse.methods.problem import Problem, Step
from crevasse.metrics import made
from crevasse.scenes import SCENES


@pytest.mark.parametrize("shape", [(6, 8), (7, 9), (1, 5), (2, 1)])
def test_a_plane_goes_to_half_the_resolution_and_back(shape: tuple[int, int]) -> None:
    rows, columns = np.indices(shape)
    problem = problem_with(np.full(shape, 0.7), np.full(shape, -0.3), np.ones(shape, bool), 0.01)
    small = halve(problem)
    assert small.mask.shape == tuple((side + 1) // 2 for side in shape) and small.mask.all()
    assert small.curvature == 0.02
    assert np.allclose(small.steepness, np.array([0.7, -0.3])[:, None, None])
    v, u = np.indices(small.mask.shape)
    wide = 0.7 * (u + 0.25) - 0.3 * (v + 0.25)  # in wide pixels, whose centres lie between those of the narrow ones
    assert np.allclose(double(wide, small, problem), 0.7 * columns - 0.3 * rows, atol=1e-6)


def test_wide_pixels_are_of_those_in_the_mask() -> None:
    mask = np.zeros((4, 4), bool)
    mask[0, 1] = mask[3, :2] = True
    slopes = np.where(mask, 2.0, 99.0)
    small = halve(problem_with(slopes, np.zeros((4, 4)), mask))
    assert small.mask.tolist() == [[True, False], [True, False]]
    assert np.allclose(small.steepness[0][small.mask], 2.0)
    fine = double(np.full((2, 2), 5.0), small, problem_with(slopes, np.zeros((4, 4)), mask))
    assert (fine[~mask] == 0).all() and (fine[mask] != 0).all()


def test_pixels_of_a_contour_lie_on_the_plane_of_their_own_side() -> None:
    # A ramp to the left of a frontal plane, 30 pixels behind it; the contour runs through wide pixels.
    edge, shape = 7, (8, 16)
    columns = np.indices(shape)[1]
    left = columns < edge
    problem = problem_with(np.where(left, 1.0, 0.0), np.zeros(shape), np.ones(shape, bool))
    truth = np.where(left, columns, -30.0)
    wide = (truth[::2, ::2] + truth[1::2, 1::2]) / 4
    found = double(wide, halve(problem), problem)
    assert np.allclose(found, truth, atol=1e-5)
    assert abs(wide[0, edge // 2] * 2 - truth[0, edge]) > 10  # the wide pixel itself is of neither side


def test_hints_keep_their_sides() -> None:
    hints = np.zeros((2, 12), np.int8)
    hints[:, 0], hints[0, 2], hints[:, 4], hints[1, 5], hints[0, 7], hints[:, 8:] = 1, 2, 2, 3, -1, -1
    problem = problem_with(np.zeros((2, 12)), np.zeros((2, 12)), np.ones((2, 12), bool))
    with_hints = Problem(problem.slopes, problem.mask, 0.0, 1, hints)
    small = halve(with_hints).hints
    assert small is not None and small.tolist() == [[1, 2, 1, -1, -1, -1]]


@pytest.mark.parametrize("name", ["stairs", "disc", "comb", "comb-16", "shingles", "demo", "spiral"])
def test_the_surface_is_as_good_as_without(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = SCENES[name](384)
    inputs = scene.normals, scene.mask, scene.camera
    before = made(crevasse.integrate(*inputs).depth, scene.depth, scene.camera)
    monkeypatch.setattr("crevasse.methods.coarse.LARGE", 1 << 15)
    result = crevasse.integrate(*inputs)
    assert 3 in result.history["start"]  # a fourth start: the refinement
    assert made(result.depth, scene.depth, scene.camera) < 1.1 * before + 0.02


def test_every_state_is_of_the_whole_map(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crevasse.methods.coarse.LARGE", 1 << 12)
    scene = SCENES["disc"](141)
    method = crevasse.Graduated(iterations=9, polish_iterations=2, final_iterations=2, parts=0)
    for state in crevasse.iterate(scene.normals, scene.mask, scene.camera, method):
        assert state.iteration <= state.total
        surface = state.surface
        assert surface.heights.shape == scene.mask.shape and np.isfinite(surface.heights).all()
        # From the first iteration on, the disc is roughly there.
        if state.iteration > 2:
            assert made(surface.depth, scene.depth, scene.camera) < 8, state.iteration


def test_threads_do_not_change_a_large_map(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crevasse.methods.coarse.LARGE", 1 << 14)
    scene = SCENES["demo"](300)
    one, two = (crevasse.integrate(scene.normals, scene.mask, scene.camera, threads=n).depth for n in (1, 2))
    assert np.array_equal(one, two, equal_nan=True)


@pytest.mark.parametrize("camera", [Orthographic(), Perspective(fx=400, fy=400, cx=100, cy=100)])
def test_hinted_jumps_stay_in_a_large_map(
    camera: Orthographic | Perspective, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("crevasse.methods.coarse.LARGE", 1 << 12)
    normals = np.tile([0.0, 0.0, 1.0], (200, 200, 1))
    hints = np.zeros((200, 200), np.int8)
    hints[:, 99], hints[:, 100] = 2, 3
    cuts = crevasse.integrate(normals, camera=camera, hints=hints).cuts
    assert cuts.right[:, 99].all() and np.count_nonzero(cuts.right) == 200 and not cuts.down.any()


def test_pixels_between_two_surfaces_stay_in_reach() -> None:
    # Means over the contours of the scene: some pixels belong nowhere, and hang on by next to nothing.
    scene = SCENES["demo"](512)

    def look(step: Step) -> None:
        if step.iteration % 10 == 9:
            assert np.abs(step.heights()).max() < 1000

    _, outcome = run_to_the_end(crevasse.Graduated().run(halve(problem_of(scene))), look)
    assert np.abs(outcome.heights).max() < 1000
