"""Islands: which parts they are, where they are put, and what is said about them."""

import numpy as np
import pytest
from helpers import integrate_scene, make_engine, problem_of

import crevasse
from crevasse.methods.graduated.engine import Engine
from crevasse.methods.graduated.evidence import POLISH
from crevasse.methods.graduated.islands import place_islands
from crevasse.methods.graduated.rules import IslandRules
from crevasse.scenes import SCENES, Scene

SIZE, RADIUS = 160, 45


def ball_over_plane() -> tuple[np.ndarray, np.ndarray]:
    """Normals of a ball that floats before a tilted plane, and the pixels of the ball."""
    row, column = np.mgrid[:SIZE, :SIZE] - (SIZE - 1) / 2
    ball = np.hypot(row, column) < RADIUS
    toward = np.sqrt(np.maximum(RADIUS**2 - row**2 - column**2, 0.0)) / RADIUS
    sphere = np.stack([column / RADIUS, -row / RADIUS, toward], axis=-1)
    plane = np.array([0.2, -0.1, 1.0]) / np.sqrt(1.05)
    return np.where(ball[..., None], sphere, plane), ball


def difference(depth: np.ndarray, ball: np.ndarray) -> float:
    """How far the plane lies behind the ball, up to a constant."""
    return float(np.median(depth[~ball]) - np.median(depth[ball]))


def engine_with(heights: np.ndarray, normals: np.ndarray) -> Engine:
    """An engine that holds this surface."""
    everywhere = np.ones(heights.shape, bool)
    return make_engine(problem_of(Scene("", normals, everywhere, crevasse.Orthographic(), heights, "")), heights)


def place(heights: np.ndarray, normals: np.ndarray) -> np.ndarray:
    return place_islands(engine_with(heights, normals), heights, behind=0.0).heights


def test_a_floating_ball_is_an_island() -> None:
    normals, ball = ball_over_plane()
    result = crevasse.integrate(normals)
    assert result.islands.max() == 2
    assert (result.islands[ball] == 2).mean() > 0.98
    assert (result.islands[~ball] == 1).mean() > 0.98
    assert "1 part (" in result.warnings[-1]


@pytest.mark.parametrize("name", ["smooth", "holes", "comb", "spiral", "relief", "quadratic", "disc"])
def test_a_connected_surface_is_one_island(name: str) -> None:
    result = integrate_scene(SCENES[name](256))
    assert result.islands.max() == 1
    assert not [warning for warning in result.warnings if "island" in warning]


def test_each_region_is_an_island() -> None:
    scene = SCENES["regions"](96)
    result = integrate_scene(scene)
    assert result.islands.max() == result.regions > 1
    assert np.array_equal(result.islands > 0, scene.mask)


def test_a_disc_before_a_plane_is_an_island() -> None:
    scene = SCENES["islands"](128)
    result = integrate_scene(scene)
    assert result.islands.max() == 2
    aligned = crevasse.metrics.made_aligned(result.depth, scene.depth, scene.camera, result.islands)
    assert aligned < 0.02


def test_islands_are_numbered_by_size() -> None:
    result = integrate_scene(SCENES["demo"](192))
    sizes = np.bincount(result.islands.ravel())[1:]
    assert len(sizes) > 1
    assert all(np.diff(sizes) <= 0)


def test_behind_sets_how_far_an_island_lies_behind_its_occluder() -> None:
    normals, ball = ball_over_plane()
    touching = crevasse.integrate(normals)
    apart = crevasse.integrate(normals, method=crevasse.Graduated(behind=25.0))
    moved = difference(apart.depth, ball) - difference(touching.depth, ball)
    assert moved == pytest.approx(25.0)
    assert "25 px behind" in apart.warnings[-1]


def test_no_island_stands_in_front_of_what_occludes_it() -> None:
    normals, ball = ball_over_plane()
    true = crevasse.integrate(normals).depth
    inverted = place(true + 80.0 * ball, normals)
    assert difference(inverted, ball) - difference(true, ball) > -15
    floating = place(true - 80.0 * ball, normals)
    assert difference(floating, ball) - difference(true, ball) == pytest.approx(80.0)


def test_half_and_double_of_each_rule_give_the_same_islands() -> None:
    normals, _ = ball_over_plane()
    result = crevasse.integrate(normals)
    engine, usual = engine_with(result.depth, normals), IslandRules()
    for name, value in usual._asdict().items():
        for factor in (0.5, 2.0):
            rules = usual._replace(**{name: type(value)(factor * value)})
            labels, count = engine.islands(POLISH, rules)
            assert count == 2, rules
            assert (labels == result.islands).mean() > 0.99, rules
