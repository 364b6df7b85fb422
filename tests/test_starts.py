"""Further starts: made only where they could find another surface."""

import numpy as np
import pytest
from helpers import drain, integrate_scene, make_context, make_engine, problem_with
from spanning_maps import rows_of_steps

from crevasse import Graduated, Integration
from crevasse.methods.graduated.evidence import STARTS
from crevasse.methods.graduated.rules import PartMoves
from crevasse.methods.graduated.stages.further_starts import FurtherStarts, differ
from crevasse.methods.graduated.stages.move_parts import MoveParts
from crevasse.methods.graduated.terms.spanning import find_spanning
from crevasse.methods.graduated.terms.steep_runs import find_steep_runs
from crevasse.scenes import SCENES, add_noise


def starts_of(result: Integration) -> set[int]:
    """The starts that were annealed; later stages may be counted to any of them."""
    history = result.history
    return set(history["start"][history["iteration"] < result.method.iterations].tolist())


@pytest.mark.parametrize(("name", "starts"), [("smooth", {0}), ("comb", {0, 1}), ("disc", {0, 1, 2})])
def test_maps_without_noise_start_again_where_they_jump(name: str, starts: set[int]) -> None:
    assert starts_of(integrate_scene(SCENES[name](128))) == starts


@pytest.mark.parametrize("name", ["smooth", "regions", "holes"])
def test_noisy_maps_without_jumps_make_one_start(name: str) -> None:
    assert starts_of(integrate_scene(add_noise(SCENES[name](96), 0.02))) == {0}


@pytest.mark.parametrize("name", ["comb", "disc", "stairs"])
def test_where_two_starts_agree_no_third_is_made(name: str) -> None:
    assert starts_of(integrate_scene(add_noise(SCENES[name](96), 0.02))) == {0, 1}


@pytest.mark.parametrize("name", ["spiral", "demo"])
def test_where_two_starts_differ_a_third_is_made(name: str) -> None:
    assert starts_of(integrate_scene(add_noise(SCENES[name](96), 0.02))) == {0, 1, 2}


@pytest.mark.parametrize("starts", [1, 2])
def test_no_more_starts_are_made_than_the_setting_allows(starts: int) -> None:
    result = integrate_scene(add_noise(SCENES["demo"](96), 0.02), Graduated(starts=starts))
    assert starts_of(result) == set(range(starts))


@pytest.mark.parametrize("name", ["smooth", "regions", "holes", "comb"])
def test_starts_left_out_find_the_same_surface(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = SCENES[name](128)
    found = integrate_scene(scene).surface.heights
    for k, start in enumerate(STARTS):
        monkeypatch.setattr("crevasse.methods.graduated.method.STARTS", (start,))
        alone = integrate_scene(scene, Graduated(starts=1)).surface.heights
        apart = np.abs(alone - found)[scene.mask]
        assert np.mean(apart > 0.25) < 0.005, k


def test_no_start_is_made_where_spanning_pixels_place_the_parts() -> None:
    problem, heights = rows_of_steps(40.0, 2)
    context = make_context(make_engine(problem, heights), Graduated(iterations=3, polish_iterations=1))
    further = FurtherStarts(MoveParts(PartMoves(parts=0)))
    assert drain(further.propose(context, context.judge.rate()))[0]
    spanning = find_spanning(find_steep_runs(problem), heights)
    assert spanning is not None
    context.engine.add(spanning)
    context.engine.warm_start(heights)
    assert not drain(further.propose(context, context.judge.rate()))[0]


def test_surfaces_differ_only_in_regions_where_parts_lie_elsewhere() -> None:
    mask = np.ones((20, 41), bool)
    mask[:, 20] = False
    domain = problem_with(np.zeros(mask.shape), np.zeros(mask.shape), mask).domain
    first = np.random.default_rng(0).normal(size=mask.shape)
    moved = first + np.where(np.arange(41) < 20, 7.0, -3.0)  # regions have no common height
    assert differ(first, moved, domain)[1:].tolist() == [False, False]
    one_pixel, some = moved.copy(), moved.copy()
    one_pixel[3, 3] += 1.0
    some[:5, 21:25] += 1.0
    assert differ(first, one_pixel, domain)[1:].tolist() == [False, False]
    assert differ(first, some, domain)[1:].tolist() == [False, True]
