"""Rigid moves of parts: what they repair, and that the result is insensitive to their rules."""

import numpy as np
import pytest
from helpers import drain, integrate_scene, make_context, make_engine, pixel_error, problem_of

from crevasse import Graduated, metrics
from crevasse.methods.graduated.evidence import JUDGE
from crevasse.methods.graduated.gaps import MOST, tears
from crevasse.methods.graduated.rules import PartMoves
from crevasse.methods.graduated.stages import move_parts
from crevasse.methods.graduated.stages.move_parts import MoveParts
from crevasse.methods.problem import Problem
from crevasse.scenes import SCENES, Scene, blur_normals, quantise, turn_normals

WITHOUT_POLISH = Graduated(polish_iterations=0)


def move(problem: Problem, heights: np.ndarray, rules: PartMoves) -> np.ndarray:
    """The surface after moves of parts alone, without any iteration of the method."""
    context = make_context(make_engine(problem, heights), WITHOUT_POLISH)
    best = context.judge.rate()
    made, proposal = drain(MoveParts(rules).propose(context, best))
    assert made == []
    return context.judge.accept(best, proposal).heights


def lifted_disc(size: int = 192, way: float = 15.0) -> tuple[Scene, np.ndarray]:
    """A disc joined to a plane by one ramp; true depth but for disc and ramp, which are moved by `way`."""
    scene = SCENES["disc"](size)
    u, v = np.meshgrid((np.arange(size) + 0.5) / size, (np.arange(size) + 0.5) / size)
    disc = (u - 0.45) ** 2 + (v - 0.5) ** 2 < 0.24**2
    start = 0.45 + np.sqrt(0.24**2 - 0.066**2)
    ramp = (u >= start) & (u < start + 0.27) & (np.abs(v - 0.5) < 0.066)
    return scene, scene.depth + way * (disc | ramp)


def test_a_part_lifted_off_its_ramp_comes_back() -> None:
    scene, wrong = lifted_disc()
    found = move(problem_of(scene), wrong, PartMoves())
    assert metrics.made(wrong, scene.depth, scene.camera) > 1
    assert metrics.made(found, scene.depth, scene.camera) < 0.1


def test_no_part_moves_when_moves_are_disabled() -> None:
    scene, wrong = lifted_disc()
    assert np.array_equal(move(problem_of(scene), wrong, PartMoves(parts=0)), wrong)


def test_moves_leave_local_minima_that_reweighting_cannot() -> None:
    scene = SCENES["stairs"](128)
    caught, freed = (integrate_scene(scene, Graduated(starts=1, parts=parts)).depth for parts in (0, 1000))
    assert metrics.made(caught, scene.depth, scene.camera) > 1
    assert metrics.made(freed, scene.depth, scene.camera) < 0.05


@pytest.mark.parametrize(
    ("name", "size"), [("stairs", 128), ("stairs", 200), ("disc", 128), ("disc", 144), ("disc", 200)]
)
def test_parts_find_their_place_at_every_size(name: str, size: int) -> None:
    scene = SCENES[name](size)
    assert metrics.made(integrate_scene(scene).depth, scene.depth, scene.camera) < 0.1


@pytest.mark.parametrize("name", ["smooth", "disc", "spiral", "holes"])
def test_the_true_surface_is_not_changed(name: str) -> None:
    scene = SCENES[name](256)
    window = np.ix_(scene.mask.any(1), scene.mask.any(0))
    engine = make_engine(problem_of(scene), np.where(scene.mask, scene.depth, 0.0)[window].copy())
    assert not engine.move_parts(JUDGE, PartMoves())


def test_every_move_lowers_the_energy_by_its_gain() -> None:
    scene, wrong = lifted_disc(way=-9.0)
    engine = make_engine(problem_of(scene), wrong)
    energies = [engine.energies(JUDGE)[1]]
    while engine.move_parts(JUDGE, PartMoves(gain=5.0, moves=1)):
        energies.append(engine.energies(JUDGE)[1])
    assert len(energies) > 1
    assert all(np.diff(energies) < -5.0)


@pytest.mark.parametrize("name", ["disc", "stairs", "comb", "spiral", "relief", "smooth"])
def test_half_and_double_of_each_rule_give_the_same_surface(name: str) -> None:
    problem = problem_of(SCENES[name](256))
    steps, _ = drain(Graduated(starts=1, parts=0, spanning=False).run(problem))
    start, usual = steps[-1].heights(), PartMoves()
    expected = move(problem, start, usual)
    for rule in ("parts", "gain", "distance", "candidates"):
        for factor in (0.5, 2.0):
            value = getattr(usual, rule)
            found = move(problem, start, usual._replace(**{rule: type(value)(value * factor)}))
            apart = (found - expected)[problem.mask]
            assert np.abs(apart - np.median(apart)).mean() < 0.01, (rule, factor)


def test_tears_are_all_gaps_up_to_a_limit() -> None:
    scene = SCENES["regions"](96)
    problem = problem_of(scene)
    heights = np.where(problem.mask, np.random.default_rng(0).normal(0, 4, problem.mask.shape), 0.0)
    engine = make_engine(problem)
    targets, size = engine.targets(), problem.mask.shape
    labels, expected = problem.domain.labels, np.zeros(problem.domain.regions + 1)
    for y, x in np.argwhere(problem.mask):
        for (v, u), target in zip(((y, x + 1), (y + 1, x)), targets, strict=True):
            if v < size[0] and u < size[1] and problem.mask[v, u]:
                expected[labels[y, x]] += min(abs(heights[v, u] - heights[y, x] - target[y, x]), MOST)
    assert problem.domain.regions > 1
    np.testing.assert_allclose(tears(engine, heights), expected, rtol=1e-5)


def test_moves_that_smooth_errors_speak_for_are_rejected_if_they_tear_the_surface(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scene = blur_normals(SCENES["shingles"](208), 1.14, similar=18.2)
    scene = quantise(turn_normals(scene, 9.7, 30.5, seed=11), 8)
    careful = pixel_error(scene, integrate_scene(scene))
    monkeypatch.setattr(move_parts, "MOST_GROWTH", np.inf)
    assert careful < 0.6 * pixel_error(scene, integrate_scene(scene))
