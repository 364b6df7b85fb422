"""The work of the default method, counted: outer iterations and V-cycles do not creep up, whatever the machine."""

from dataclasses import replace

import numpy as np
import pytest
from helpers import assert_same_surface, integrate_scene

import crevasse
from crevasse import scenes
from crevasse.methods import MEstimator, TotalVariation, reweighted
from crevasse.methods.network import EXACT
from crevasse.methods.reweighted import LATER

QUIET, NOISY, COMPUTED = "quiet", "noisy", "computed from depth"
KINDS = {
    QUIET: lambda scene: scene,
    NOISY: lambda scene: scenes.add_noise(scene, 0.02),
    COMPUTED: scenes.from_depth,
}
WORK = {
    # kind of normals, scene: outer iterations
    (QUIET, "smooth"): 34,
    (QUIET, "holes"): 36,
    (QUIET, "comb"): 97,
    (QUIET, "relief"): 92,
    (QUIET, "spiral"): 148,
    (QUIET, "disc"): 167,
    (QUIET, "stairs"): 112,
    (QUIET, "demo"): 262,
    (NOISY, "smooth"): 80,
    (NOISY, "comb"): 160,
    (NOISY, "demo"): 270,
    (COMPUTED, "comb"): 64,
    (COMPUTED, "demo"): 136,
}
CYCLES = crevasse.Graduated().solver_iterations
"""V-cycles of each outer iteration at most."""


@pytest.mark.parametrize(("kind", "name"), WORK)
def test_the_default_method_needs_no_more_work_than_before(kind, name):
    history = integrate_scene(KINDS[kind](scenes.SCENES[name](96))).history
    assert len(history) <= WORK[kind, name]
    assert int(history["solver_iterations"].sum()) <= CYCLES * WORK[kind, name]


@pytest.mark.parametrize("side", [64, 128, 192])
def test_v_cycles_of_an_outer_iteration_do_not_grow_with_the_map(side):
    assert integrate_scene(scenes.demo(side)).history["solver_iterations"].max() <= CYCLES


@pytest.mark.parametrize(
    ("name", "most"), [("smooth", 9), ("stairs", 9), ("demo", 10), ("spiral", 10), ("holes", 21)]
)
def test_least_squares_need_few_v_cycles(name, most):
    result = integrate_scene(scenes.SCENES[name](96), crevasse.Poisson())
    assert int(result.history["solver_iterations"].sum()) <= most


@pytest.mark.parametrize("name", ["smooth", "holes", "quadratic", "stairs", "spiral"])
def test_skipped_iterations_would_have_changed_nothing(name):
    scene = scenes.SCENES[name](128)
    skipping, complete = (integrate_scene(scene, crevasse.Graduated(skip_below=below)) for below in (0.005, 0.0))
    assert len(skipping.history) < 0.8 * len(complete.history)
    assert np.abs(skipping.surface.heights - complete.surface.heights)[scene.mask].max() < 0.005


def test_noisy_maps_skip_no_iterations():
    """Which of them look converged would depend on rounding."""
    scene = scenes.add_noise(scenes.smooth(48), 0.02)
    method = crevasse.Graduated(skip_below=1e6)
    # A start, its polish, and a polish on the slopes as they were given.
    assert len(integrate_scene(scene, method).history) == method.iterations + 2 * method.polish_iterations


@pytest.mark.parametrize("name", ["m-estimator", "em", "total-variation", "log-estimator", "mumford-shah"])
def test_reweighted_methods_solve_once_exactly_then_continue_from_there(name):
    work = integrate_scene(scenes.add_noise(scenes.demo(64), 0.02), name).history["solver_iterations"]
    assert len(work) > 3
    assert work[1:].max() <= LATER


@pytest.mark.parametrize("method", [TotalVariation(smoothing=0.05), MEstimator()], ids=lambda method: method.name)
def test_short_solves_lead_to_the_minimum_of_a_convex_method(method, monkeypatch):
    scene = scenes.add_noise(scenes.demo(64), 0.02)
    patient = replace(method, iterations=1000, stillness=1e-6)
    found = {}
    for limit in (4, EXACT):
        monkeypatch.setattr(reweighted, "LATER", limit)
        found[limit] = integrate_scene(scene, patient)
    assert found[4].history["solver_iterations"][1:].max() == 4
    assert_same_surface(found[4].depth, found[EXACT].depth, scene.camera, 1e-3)
