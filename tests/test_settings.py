"""Settings of the methods: every one of them matters, is frozen, and keeps the names it used to have."""

import subprocess
import sys
import warnings
from dataclasses import fields, replace

import numpy as np
import pytest
from helpers import integrate_scene
from setting_values import AUXILIARY

import crevasse
from crevasse import scenes

# Another value for each setting.
OTHERS = {
    "graduated": {
        "iterations": 20,
        "scale": 1.0,
        "final_iterations": 0,
        "solver_iterations": 1,
        "solver_tolerance": 0.3,
        "polish_iterations": 0,
        "skip_below": 1.0,
        "starts": 1,
        "parts": 0,
        "gain": 1e9,
        "behind": 10.0,
        "spanning": False,
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
MAPS = {
    "quiet": scenes.add_noise(scenes.demo(96), 0.004),
    "noisy": scenes.add_noise(scenes.spiral(96), 0.02),
    "computed from depth": scenes.from_depth(scenes.demo(96), central=True),
}
SHOWN_ON = {"starts": "noisy", "spanning": "computed from depth"}
"""Maps on which settings show; the quiet one for all others."""
RENAMED = {"walls": ("spanning", False), "calm": ("skip_below", 0.25)}
"""Old names of settings of the default method: the new one, and a value that is not the default."""


@pytest.fixture(scope="module")
def plain():
    """Surfaces of the default settings, by method and map."""
    wanted = {(name, SHOWN_ON.get(setting, "quiet")) for name in OTHERS for setting in OTHERS[name]}
    return {(name, shown): integrate_scene(MAPS[shown], METHODS[name]).depth for name, shown in wanted}


@pytest.mark.parametrize(("name", "setting"), [(name, setting) for name in OTHERS for setting in OTHERS[name]])
def test_another_value_gives_another_surface(plain, name, setting):
    shown = SHOWN_ON.get(setting, "quiet")
    scene = MAPS[shown]
    depth = integrate_scene(scene, replace(METHODS[name], **{setting: OTHERS[name][setting]})).depth
    before, after = (scene.camera.to_heights(each) for each in (plain[name, shown], depth))
    assert np.nanmax(np.abs(after - before)) > 1e-4


@pytest.mark.parametrize("name", OTHERS)
def test_no_setting_is_left_out(name):
    tested_elsewhere = set(AUXILIARY) if name == "auxiliary" else set()
    assert {field.name for field in fields(METHODS[name])} == set(OTHERS[name]) | tested_elsewhere


def test_settings_are_frozen():
    with pytest.raises(AttributeError):
        crevasse.Graduated().iterations = 3


@pytest.mark.parametrize(
    ("name", "shown", "expected"),
    [
        # Two starts.
        ("graduated", "quiet", [0, 1, 2, 3, 0, 1, 2, 3]),
        # Two starts, and a polish on the slopes as they were given.
        ("graduated", "noisy", [0, 1, 2, 3, 0, 1, 2, 3, 3]),
        ("auxiliary", "quiet", [1, 2, 3]),
        ("bilateral", "quiet", [1, 2, 3]),
    ],
)
def test_a_method_makes_the_iterations_it_was_asked_for(name, shown, expected):
    method = replace(METHODS[name], iterations=3)
    if name == "graduated":
        method = replace(method, starts=2, polish_iterations=1, parts=0)
    history = integrate_scene(MAPS[shown], method).history
    assert history["iteration"].tolist() == expected
    assert (np.diff(history["seconds"]) >= 0).all()
    assert (history["energy"] >= 0).all()


@pytest.mark.parametrize("old", RENAMED)
def test_an_old_name_still_sets_its_setting(old):
    new, value = RENAMED[old]
    with pytest.warns(DeprecationWarning, match=f"Graduated.{old} is now called {new}"):
        method = crevasse.Graduated(**{old: value})
    assert method == crevasse.Graduated(**{new: value}) != crevasse.Graduated()


@pytest.mark.parametrize("old", RENAMED)
def test_an_old_name_still_reads_its_setting(old):
    new, value = RENAMED[old]
    method = crevasse.Graduated(**{new: value})
    with pytest.warns(DeprecationWarning, match=f"Graduated.{old} is now called {new}"):
        assert getattr(method, old) == value


@pytest.mark.parametrize("old", RENAMED)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_setting_under_both_its_names_is_an_error(old):
    new, value = RENAMED[old]
    with pytest.raises(TypeError, match=f"{old} is the old name of {new}; give one of them"):
        crevasse.Graduated(**{old: value, new: value})


def test_new_names_do_not_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        method = crevasse.Graduated(spanning=False, skip_below=0.25)
        assert (method.spanning, method.skip_below) == (False, 0.25)
    assert not set(RENAMED) & {field.name for field in fields(method)}


@pytest.mark.parametrize("old", RENAMED)
def test_an_old_name_changes_its_setting(old):
    """`dataclasses.replace` passes the value under the new name, too."""
    new, value = RENAMED[old]
    with pytest.warns(DeprecationWarning, match=f"Graduated.{old} is now called {new}") as caught:
        method = replace(crevasse.Graduated(gain=10.0), **{old: value})
    assert method == crevasse.Graduated(**{new: value, "gain": 10.0})
    assert [warning.filename for warning in caught] == [__file__]


def test_the_warning_about_an_old_name_points_at_the_line_that_uses_it():
    """Python shows it only where the line belongs to the user's own script."""
    with pytest.warns(DeprecationWarning) as caught:
        _ = crevasse.Graduated(walls=False).calm
    assert [warning.filename for warning in caught] == [__file__, __file__]


def test_a_script_shows_the_warning_about_an_old_name(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import crevasse\nfrom dataclasses import replace\n\nreplace(crevasse.Graduated(), walls=False)\n"
    )
    shown = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True).stderr
    assert f"{script}:4: DeprecationWarning: Graduated.walls is now called spanning" in shown
