"""Rigid moves of parts: what they repair, and that they do not hang on their settings."""

from dataclasses import replace

import numpy as np
import pytest
from helpers import problem_of, read_pairs

import crevasse
from crevasse import metrics
from crevasse.methods import graduated
from crevasse.methods.docking import Docking, dock, read_heights, region_energies
from crevasse.methods.evidence import JUDGE, Evidence, consider
from crevasse.methods.problem import Problem
from crevasse.scenes import SCENES, Scene
from crevasse.validate import check_input


def place(problem: Problem, heights: np.ndarray) -> graduated.Engine:
    """An engine that holds a surface, with the evidence by which surfaces are compared."""
    engine = graduated.make_engine(problem)
    consider(engine, JUDGE, keep=False)
    engine.write(heights)
    return engine


def settle(scene: Scene, heights: np.ndarray, rules: Docking) -> np.ndarray:
    """The surface after moves of parts, without any iteration of the method."""
    problem = problem_of(scene)
    engine = place(problem, heights)
    assert list(dock(engine, problem, rules, lambda: iter(()))) == []
    return read_heights(engine, problem)


def error(heights: np.ndarray, scene: Scene) -> float:
    return metrics.made(heights, scene.depth, scene.camera)


def lift(scene: Scene, where: np.ndarray, way: float) -> np.ndarray:
    return scene.depth + way * where


def tower(size: int = 192) -> tuple[Scene, np.ndarray]:
    """A disc joined to a plane by one ramp, and the pixels of disc and ramp."""
    scene = SCENES["disc"](size)
    u, v = np.meshgrid((np.arange(size) + 0.5) / size, (np.arange(size) + 0.5) / size)
    disc = (u - 0.45) ** 2 + (v - 0.5) ** 2 < 0.24**2
    start = 0.45 + np.sqrt(0.24**2 - 0.066**2)
    return scene, disc | ((u >= start) & (u < start + 0.27) & (np.abs(v - 0.5) < 0.066))


def test_a_part_that_was_lifted_off_its_ramp_comes_back() -> None:
    scene, part = tower()
    wrong = lift(scene, part, 15.0)
    assert error(wrong, scene) > 1
    assert error(settle(scene, wrong, Docking()), scene) < 0.1


def test_moves_find_the_true_surface_where_reweighting_is_caught() -> None:
    scene = SCENES["stairs"](128)
    caught = crevasse.integrate(scene.normals, scene.mask, scene.camera, crevasse.Graduated(starts=1, parts=0))
    freed = crevasse.integrate(scene.normals, scene.mask, scene.camera, crevasse.Graduated(starts=1))
    assert metrics.made(caught.depth, scene.depth, scene.camera) > 1
    assert metrics.made(freed.depth, scene.depth, scene.camera) < 0.05


@pytest.mark.parametrize(
    ("name", "size"), [("stairs", 128), ("stairs", 200), ("disc", 128), ("disc", 144), ("disc", 200)]
)
def test_parts_find_their_place_at_every_size(name: str, size: int) -> None:
    scene = SCENES[name](size)
    result = crevasse.integrate(scene.normals, scene.mask, scene.camera)
    assert metrics.made(result.depth, scene.depth, scene.camera) < 0.1


def evidence_between(first: float, second: float, evidence: Evidence) -> tuple[float, float]:
    """How likely a jump is between two pixels with these slopes to the right: the first one in front, the second."""
    slopes = np.tile([first, second], (2, 1))
    normals = np.stack([slopes, np.zeros((2, 2)), np.ones((2, 2))], -1)
    valid = check_input(normals, None, crevasse.Orthographic())
    engine = graduated.make_engine(Problem(valid.slopes, valid.mask, 0.0, threads=1))
    consider(engine, evidence, keep=False)
    ahead, behind = (read_pairs(read, (2, 2))[0] for read in (engine.doubts_ahead, engine.doubts_behind))
    return float(ahead[0, 0]), float(behind[0, 0])


def test_the_judge_expects_jumps_behind_what_recedes() -> None:
    ahead, behind = evidence_between(3.0, 0.0, JUDGE)
    assert ahead > 0.8
    assert behind < ahead / 2
    assert evidence_between(0.0, -3.0, JUDGE) == pytest.approx((behind, ahead))


def test_the_judge_takes_valleys_for_contacts() -> None:
    contour, _ = evidence_between(1.0, 0.0, JUDGE)
    valley, _ = evidence_between(1.0, -1.0, JUDGE)
    ridge, _ = evidence_between(-1.0, 1.0, JUDGE)
    assert valley < 0.7 * contour
    assert ridge < valley
    assert evidence_between(1.0, -1.0, JUDGE._replace(valley=0.0))[0] > 0.9 * contour


def test_a_jump_without_a_turn_is_least_likely() -> None:
    level, _ = evidence_between(1.0, 1.0, JUDGE)
    turned, _ = evidence_between(1.0, 0.5, JUDGE)
    assert level < 0.1 * turned


def test_a_right_surface_is_left_alone() -> None:
    for name in ("smooth", "disc", "spiral", "holes"):
        scene = SCENES[name](256)
        heights = np.where(scene.mask, scene.depth, 0.0)
        problem = problem_of(scene)
        moved = place(problem, heights[np.ix_(scene.mask.any(1), scene.mask.any(0))].copy())
        assert not moved.move_parts(1000, 20.0, 1.0, 16, 20), name


def test_every_move_lowers_the_energy() -> None:
    scene, part = tower()
    problem = problem_of(scene)
    engine = place(problem, lift(scene, part, -9.0))
    energies = [region_energies(engine, problem)[1]]
    while engine.move_parts(1000, 5.0, 1.0, 16, 1):
        energies.append(region_energies(engine, problem)[1])
    assert len(energies) > 1
    assert all(np.diff(energies) < -5.0)


@pytest.mark.parametrize("name", ["disc", "stairs", "comb", "spiral", "relief", "smooth"])
def test_half_and_double_of_each_setting_give_the_same_surface(name: str) -> None:
    problem = problem_of(SCENES[name](256))
    start = first_start(problem)
    usual = moved(problem, start, Docking())
    for setting in ("parts", "gain", "distance", "candidates"):
        for factor in (0.5, 2.0):
            value = getattr(Docking(), setting)
            other = moved(problem, start, replace(Docking(), **{setting: type(value)(value * factor)}))
            assert np.abs(other - usual)[problem.mask].mean() < 0.01, (setting, factor)


def moved(problem: Problem, heights: np.ndarray, rules: Docking) -> np.ndarray:
    engine = place(problem, heights)
    list(dock(engine, problem, rules, lambda: iter(())))
    result = read_heights(engine, problem)
    return np.asarray(result - np.median(result[problem.mask]))


def first_start(problem: Problem) -> np.ndarray:
    """Where the first start ends by itself."""
    heights = None
    for step in graduated.Graduated(starts=1, parts=0).run(problem):
        heights = step.heights()
    assert heights is not None
    return heights
