"""The published method: its native kernel against the plain twin, and what each setting does."""

from dataclasses import replace

import numpy as np
import pytest
from helpers import drain, problem_of
from setting_values import AUXILIARY

import crevasse
from crevasse.methods.algorithm import run_plainly
from crevasse.scenes import SCENES

SETTINGS = crevasse.AuxiliaryEdges(iterations=10, threshold=1.0, tolerance=1e-8, solver_iterations=200, stillness=0.0)


def run(settings, problem):
    steps, outcome = drain(settings.run(problem))
    return outcome.corners, steps[-1]


@pytest.fixture(scope="module")
def problem():
    scene = SCENES["demo"](48)
    return problem_of(scene)


@pytest.mark.parametrize("setting", ["none", *AUXILIARY])
def test_kernel_equals_plain_twin(problem, setting):
    settings = SETTINGS if setting == "none" else replace(SETTINGS, **{setting: AUXILIARY[setting]})
    corners, step = run(settings, problem)
    plain, energy = run_plainly(settings, problem, settings.iterations)
    assert np.abs(corners - plain).max() < 1e-5
    assert step.energy == pytest.approx(energy, rel=1e-5)


@pytest.mark.parametrize("setting", AUXILIARY)
def test_every_setting_matters(problem, setting):
    first, _ = run(SETTINGS, problem)
    second, _ = run(replace(SETTINGS, **{setting: AUXILIARY[setting]}), problem)
    assert np.abs(first - second).max() > 1e-2


def test_threads_do_not_change_the_bits():
    scene = SCENES["demo"](160)
    alone, shared = (run(SETTINGS, problem_of(scene, threads))[0] for threads in (1, 3))
    assert np.array_equal(alone, shared)


def test_the_work_of_the_solver_does_not_grow():
    """V-cycles of 12 iterations at the default tolerance: a change of the solver must not cost more."""
    result = crevasse.integrate(*_parts(SCENES["demo"](128)), crevasse.AuxiliaryEdges(iterations=12))
    assert result.history["solver_iterations"].sum() <= 150


def _parts(scene):
    return scene.normals, scene.mask, scene.camera


@pytest.mark.parametrize("setting", ["tangency", "border", "weighted_by"])
def test_unknown_choice_is_refused_by_name(setting):
    with pytest.raises(ValueError, match=f"{setting} is 'other'"):
        crevasse.AuxiliaryEdges(**{setting: "other"})


def test_smooth_surface_gets_no_jumps():
    scene = SCENES["smooth"](48)
    result = crevasse.integrate(*_parts(scene), crevasse.AuxiliaryEdges(iterations=40))
    assert np.nanmax(np.abs(result.jumps.right)) < 0.1
    assert crevasse.metrics.made(result.depth, scene.depth, scene.camera) < 0.01
