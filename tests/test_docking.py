"""Rigid moves of parts: what they repair, and that they do not hang on their settings."""

from dataclasses import replace

import numpy as np
import pytest

import crevasse
from crevasse import metrics
from crevasse.methods import graduated
from crevasse.methods.docking import Docking, dock, read_heights, region_energies
from crevasse.methods.problem import Problem
from crevasse.scenes import SCENES, Scene
from crevasse.validate import check_input


def make_problem(scene: Scene) -> Problem:
    valid = check_input(scene.normals, scene.mask, scene.camera)
    inside = np.ascontiguousarray(valid.mask[valid.window])
    return Problem(valid.slopes, inside, scene.camera.curvature, threads=1)


def place(problem: Problem, heights: np.ndarray) -> graduated.Engine:
    """An engine that holds a surface, with the evidence by which surfaces are compared."""
    engine = graduated.make_engine(problem)
    judge = graduated.JUDGE
    engine.begin(np.radians(judge.angle), judge.along, judge.grazing, False)
    engine.write(heights)
    return engine


def settle(scene: Scene, heights: np.ndarray, rules: Docking) -> np.ndarray:
    """The surface after moves of parts, without any iteration of the method."""
    problem = make_problem(scene)
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


def test_a_right_surface_is_left_alone() -> None:
    for name in ("smooth", "disc", "spiral", "holes"):
        scene = SCENES[name](256)
        heights = np.where(scene.mask, scene.depth, 0.0)
        problem = make_problem(scene)
        moved = place(problem, heights[np.ix_(scene.mask.any(1), scene.mask.any(0))].copy())
        assert not moved.dock(1000, 20.0, 1.0, 16, 20), name


def test_every_move_lowers_the_energy() -> None:
    scene, part = tower()
    problem = make_problem(scene)
    engine = place(problem, lift(scene, part, -9.0))
    energies = [region_energies(engine, problem)[1]]
    while engine.dock(1000, 5.0, 1.0, 16, 1):
        energies.append(region_energies(engine, problem)[1])
    assert len(energies) > 1
    assert all(np.diff(energies) < -5.0)


@pytest.mark.parametrize("name", ["disc", "stairs", "comb", "spiral", "relief", "smooth"])
def test_half_and_double_of_each_setting_give_the_same_surface(name: str) -> None:
    problem = make_problem(SCENES[name](256))
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
        if step.iteration == step.total - 1:
            heights = step.heights()
    assert heights is not None
    return heights
