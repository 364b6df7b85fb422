"""The work of the default method, counted: outer iterations and V-cycles do not creep up, whatever the machine."""

import numpy as np
import pytest
from helpers import integrate_scene

import crevasse
from crevasse import scenes

WORK = {
    # scene: outer iterations, V-cycles of all of them
    "smooth": (70, 210),
    "holes": (70, 210),
    "comb": (210, 630),
    "relief": (210, 630),
    "spiral": (210, 630),
    "disc": (230, 690),
    "stairs": (250, 750),
    "demo": (270, 810),
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


def test_a_smooth_map_is_left_after_its_first_start():
    assert np.unique(integrate_scene(scenes.smooth(48)).history["start"]).tolist() == [0]
