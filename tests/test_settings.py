"""Every setting of every method matters."""

from dataclasses import fields, replace

import numpy as np
import pytest
from helpers import integrate_scene
from test_auxiliary import OTHERS as AUXILIARY

import crevasse
from crevasse import scenes

# Another value for each setting; a map on which it must show.
OTHERS = {
    "graduated": {
        "iterations": 20,
        "scale": 1.0,
        "final_iterations": 0,
        "solver_iterations": 1,
        "solver_tolerance": 0.3,
        "polish_iterations": 0,
        "calm": 1.0,
        "starts": 1,
        "parts": 0,
        "gain": 1e9,
        "behind": 10.0,
    },
    "auxiliary": {"iterations": 20, "tolerance": 0.1, "solver_iterations": 1, "stillness": 1.0},
    "poisson": {"tolerance": 1e-2},
    "bilateral": {"k": 1.0, "iterations": 2, "energy_change": 0.1, "tolerance": 1e-2, "exact": True},
}
METHODS = {
    "graduated": crevasse.Graduated(),
    "auxiliary": crevasse.AuxiliaryEdges(iterations=40),
    "poisson": crevasse.Poisson(),
    "bilateral": crevasse.Bilateral(),
}
SCENE = scenes.add_noise(scenes.demo(96), 0.004)


@pytest.fixture(scope="module")
def plain():
    return {name: integrate_scene(SCENE, METHODS[name]).depth for name in OTHERS}


@pytest.mark.parametrize(("name", "setting"), [(name, setting) for name in OTHERS for setting in OTHERS[name]])
def test_another_value_gives_another_surface(plain, name, setting):
    method = replace(METHODS[name], **{setting: OTHERS[name][setting]})
    depth = integrate_scene(SCENE, method).depth
    assert np.nanmax(np.abs(SCENE.camera.to_heights(depth) - SCENE.camera.to_heights(plain[name]))) > 1e-4


@pytest.mark.parametrize("name", OTHERS)
def test_no_setting_is_left_out(name):
    tested_elsewhere = {"auxiliary": set(AUXILIARY), "graduated": {"walls"}}.get(name, set())
    assert {field.name for field in fields(METHODS[name])} == set(OTHERS[name]) | tested_elsewhere


def test_settings_are_frozen():
    with pytest.raises(AttributeError):
        crevasse.Graduated().iterations = 3


@pytest.mark.parametrize("name", ["graduated", "auxiliary", "bilateral"])
def test_iterations_are_what_was_asked(name):
    method = replace(METHODS[name], iterations=3)
    if name == "graduated":
        method = replace(method, starts=2, polish_iterations=1, parts=0)
    history = integrate_scene(SCENE, method).history
    assert list(history["iteration"]) == ([0, 1, 2, 3] * 2 if name == "graduated" else [1, 2, 3])
    assert (np.diff(history["seconds"]) >= 0).all()
    assert (history["energy"] >= 0).all()
