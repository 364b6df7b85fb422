"""The work of the default method, counted: outer iterations and V-cycles do not creep up, whatever the machine."""

import numpy as np
import pytest
from helpers import integrate_scene

import crevasse
from crevasse import scenes

WORK = {
    # scene: outer iterations, V-cycles of all of them
    "smooth": (36, 108),
    "holes": (38, 114),
    "comb": (97, 291),
    "relief": (95, 285),
    "spiral": (148, 444),
    "disc": (173, 519),
    "stairs": (118, 354),
    "demo": (262, 786),
}


@pytest.mark.parametrize("name", WORK)
def test_the_default_method_needs_no_more_work_than_before(name):
    history = integrate_scene(scenes.SCENES[name](96)).history
    counted = len(history), int(history["solver_iterations"].sum())
    assert counted <= WORK[name] and counted[1] <= WORK[name][1], f"{counted} outer iterations and V-cycles"


@pytest.mark.parametrize("side", [64, 128, 192])
def test_v_cycles_of_an_outer_iteration_do_not_grow_with_the_map(side):
    history = integrate_scene(scenes.demo(side)).history
    assert history["solver_iterations"].max() <= crevasse.Graduated().solver_iterations


@pytest.mark.parametrize(
    ("name", "most"), [("smooth", 9), ("stairs", 9), ("demo", 10), ("spiral", 10), ("holes", 21)]
)
def test_least_squares_need_few_v_cycles(name, most):
    result = integrate_scene(scenes.SCENES[name](96), crevasse.Poisson())
    assert int(result.history["solver_iterations"].sum()) <= most


@pytest.mark.parametrize("name", ["smooth", "holes", "quadratic", "stairs", "spiral"])
def test_iterations_left_out_would_have_changed_nothing(name):
    scene = scenes.SCENES[name](128)
    calm, all_of_them = (integrate_scene(scene, crevasse.Graduated(calm=calm)) for calm in (0.005, 0.0))
    assert len(calm.history) < 0.8 * len(all_of_them.history)
    assert np.abs(calm.surface.heights - all_of_them.surface.heights)[scene.mask].max() < 0.005


def test_a_smooth_map_is_left_after_its_first_start():
    assert np.unique(integrate_scene(scenes.smooth(48)).history["start"]).tolist() == [0]
