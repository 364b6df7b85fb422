"""The pyramid: large maps are first solved at half the resolution."""

import numpy as np
import pytest
from helpers import drain, integrate_scene, problem_of, problem_with

import crevasse
from crevasse.cameras import Orthographic, Perspective
from crevasse.methods.graduated.views.pyramid import count_levels, is_large, prolong, restrict
from crevasse.methods.problem import Step
from crevasse.metrics import made
from crevasse.scenes import SCENES, Scene

LARGE = "crevasse.methods.graduated.views.pyramid.LARGE"


@pytest.mark.parametrize("levels", range(5))
def test_a_map_is_restricted_until_it_is_no_longer_large(levels: int) -> None:
    pixels = 100_000 * 4**levels
    assert count_levels(pixels) == levels
    assert not is_large(pixels // 4**levels)
    assert levels == 0 or is_large(4 * pixels // 4**levels)


@pytest.mark.parametrize("shape", [(6, 8), (7, 9), (1, 5), (2, 1)])
def test_a_plane_stays_the_same_at_half_the_resolution_and_back(shape: tuple[int, int]) -> None:
    rows, columns = np.indices(shape)
    problem = problem_with(np.full(shape, 0.7), np.full(shape, -0.3), np.ones(shape, bool), 0.01)
    small = restrict(problem)
    assert small.mask.shape == tuple((side + 1) // 2 for side in shape) and small.mask.all()
    assert small.domain.planes.curvature == 0.02
    assert np.allclose(small.domain.steepness, np.array([0.7, -0.3])[:, None, None])
    v, u = np.indices(small.mask.shape)
    wide = 0.7 * (u + 0.25) - 0.3 * (v + 0.25)  # in wide pixels, whose centres lie between those of the narrow ones
    assert np.allclose(prolong(wide, small.domain, problem.domain), 0.7 * columns - 0.3 * rows, atol=1e-6)


def test_wide_pixels_average_only_what_is_in_the_mask() -> None:
    mask = np.zeros((4, 4), bool)
    mask[0, 1] = mask[3, :2] = True
    slopes = np.where(mask, 2.0, 99.0)
    problem = problem_with(slopes, np.zeros((4, 4)), mask)
    small = restrict(problem)
    assert small.mask.tolist() == [[True, False], [True, False]]
    assert np.allclose(small.domain.steepness[0][small.mask], 2.0)
    fine = prolong(np.full((2, 2), 5.0), small.domain, problem.domain)
    assert (fine[~mask] == 0).all() and (fine[mask] != 0).all()


def test_pixels_at_a_contour_lie_on_the_plane_of_their_own_side() -> None:
    # A ramp to the left of a frontal plane, 30 pixels behind it; the contour runs through wide pixels.
    edge, shape = 7, (8, 16)
    columns = np.indices(shape)[1]
    left = columns < edge
    problem = problem_with(np.where(left, 1.0, 0.0), np.zeros(shape), np.ones(shape, bool))
    truth = np.where(left, columns, -30.0)
    wide = (truth[::2, ::2] + truth[1::2, 1::2]) / 4
    found = prolong(wide, restrict(problem).domain, problem.domain)
    assert np.allclose(found, truth, atol=1e-5)
    assert abs(wide[0, edge // 2] * 2 - truth[0, edge]) > 10  # the wide pixel itself belongs to neither side


def test_hints_keep_their_sides_at_half_the_resolution() -> None:
    hints = np.zeros((2, 12), np.int8)
    hints[:, 0], hints[0, 2], hints[:, 4], hints[1, 5], hints[0, 7], hints[:, 8:] = 1, 2, 2, 3, -1, -1
    problem = problem_with(np.zeros((2, 12)), np.zeros((2, 12)), np.ones((2, 12), bool), hints=hints)
    small = restrict(problem).domain.hints
    assert small is not None and small.tolist() == [[1, 2, 1, -1, -1, -1]]


SIZES = {"demo": range(320, 449, 16)}
"""Sides of the scenes that are compared, 384 for the others. In clutter a few parts lie wrong at some sizes, with the
pyramid or without it, and the last bit of a slope decides at which: three sizes passed on one machine and failed on
another, nine have the same median (.015 px)."""


@pytest.mark.parametrize("name", ["stairs", "disc", "comb", "comb-16", "shingles", "demo", "spiral"])
def test_the_surface_is_as_good_as_without_a_pyramid(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    scenes = [SCENES[name](size) for size in SIZES.get(name, (384,))]
    monkeypatch.setattr(LARGE, 1 << 18)
    before = median_error(scenes, large=False)
    monkeypatch.setattr(LARGE, 1 << 15)
    assert median_error(scenes, large=True) < 1.1 * before + 0.02


def median_error(scenes: list[Scene], large: bool) -> float:
    errors = []
    for scene in scenes:
        assert is_large(np.count_nonzero(scene.mask)) == large
        errors.append(made(integrate_scene(scene).depth, scene.depth, scene.camera))
    return float(np.median(errors))


def test_every_state_shows_the_whole_map(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LARGE, 1 << 12)
    scene = SCENES["disc"](141)
    method = crevasse.Graduated(iterations=9, polish_iterations=2, final_iterations=2, parts=0)
    for state in crevasse.iterate(scene.normals, scene.mask, scene.camera, method):
        assert state.iteration <= state.total
        surface = state.surface
        assert surface.heights.shape == scene.mask.shape and np.isfinite(surface.heights).all()
        # From the first iteration on, the disc is roughly there.
        if state.iteration > 2:
            assert made(surface.depth, scene.depth, scene.camera) < 8, state.iteration


def test_threads_do_not_change_a_bit_of_a_large_map(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LARGE, 1 << 14)
    scene = SCENES["demo"](300)
    one, two = (crevasse.integrate(scene.normals, scene.mask, scene.camera, threads=n).depth for n in (1, 2))
    assert np.array_equal(one, two, equal_nan=True)


@pytest.mark.parametrize("camera", [Orthographic(), Perspective(fx=400, fy=400, cx=100, cy=100)])
def test_hinted_jumps_are_kept_in_a_large_map(
    camera: Orthographic | Perspective, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LARGE, 1 << 12)
    normals = np.tile([0.0, 0.0, 1.0], (200, 200, 1))
    hints = np.zeros((200, 200), np.int8)
    hints[:, 99], hints[:, 100] = 2, 3
    cuts = crevasse.integrate(normals, camera=camera, hints=hints).cuts
    assert cuts.right[:, 99].all() and np.count_nonzero(cuts.right) == 200 and not cuts.down.any()


def test_pixels_that_belong_to_neither_surface_do_not_drift_away() -> None:
    # Wide pixels at the contours of the scene average both sides; almost nothing holds them.
    scene = SCENES["demo"](512)

    def look(step: Step) -> None:
        if step.iteration % 10 == 9:
            assert np.abs(step.heights()).max() < 1000

    _, outcome = drain(crevasse.Graduated().run(restrict(problem_of(scene))), look)
    assert np.abs(outcome.heights).max() < 1000
