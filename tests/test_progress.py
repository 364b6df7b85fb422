"""Progress: how many iterations a run announces, while it runs and when it is done."""

from itertools import pairwise

import numpy as np
import pytest
from helpers import drain
from maps import scattered_scenes
from spanning_maps import computed

import crevasse
from crevasse import scenes
from crevasse.methods.graduated.progress import Iteration, Progress, plan_later
from crevasse.methods.problem import Step

LARGE = "crevasse.methods.graduated.views.pyramid.LARGE"


def stage(*left):
    """A stage that reports an iteration per entry, with so many left after it."""
    for number, each in enumerate(left):
        yield Iteration(0, number, each, 1.0, 0.5, 2.0, 3, lambda: np.zeros((2, 2)))
    return "found"


def coarser_run(*totals):
    for number, total in enumerate(totals):
        yield Step(0, number, total, 1.0, 0.5, 2.0, 3, lambda: np.zeros((2, 2)))
    return "found"


def totals(run):
    steps, found = drain(run)
    assert found == "found"
    return [step.total for step in steps]


def test_the_total_is_what_is_done_what_is_left_and_what_comes_later():
    progress = Progress()
    assert totals(progress.follow(stage(2, 1, 0), later=10)) == [13, 13, 13]
    # The second stage ends early, and the third is the last.
    assert totals(progress.follow(stage(6, 0), later=4)) == [14, 9]
    assert totals(progress.follow(stage(3), later=0)) == [9]


def test_a_coarser_run_counts_towards_the_total():
    progress = Progress()
    assert totals(progress.include(coarser_run(7, 6, 3), later=20)) == [27, 26, 23]
    assert totals(progress.follow(stage(0), later=0)) == [4]


def test_iterations_planned_later_are_left():
    steps, found = drain(plan_later(stage(2, 0), later=5))
    assert [step.left for step in steps] == [7, 5] and found == "found"


def test_a_step_reports_what_its_iteration_did():
    (step,), _ = drain(Progress().follow(stage(0), later=0))
    assert (step.energy, step.change, step.strength, step.solver_iterations) == (1.0, 0.5, 2.0, 3)


def scattered():
    """Regions far apart, which are repacked."""
    normals, mask = scattered_scenes()
    return scenes.Scene("scattered", normals, mask, crevasse.Orthographic(), np.zeros(mask.shape), "")


MAPS = {
    "smooth": lambda: scenes.smooth(64),
    "jumps": lambda: scenes.demo(96),
    "spanning pixels": lambda: computed("central differences"),
    "noise": lambda: scenes.add_noise(scenes.demo(96), 0.02),
    "regions": lambda: scenes.add_noise(scenes.SCENES["regions"](96), 0.02),
    "large": lambda: scenes.demo(128),
    "large and noisy": lambda: scenes.add_noise(scenes.disc(128), 0.02),
    "scattered": scattered,
}


@pytest.mark.parametrize("name", MAPS)
def test_no_state_announces_fewer_iterations_than_were_made(name, monkeypatch):
    if "large" in name:
        monkeypatch.setattr(LARGE, 1 << 11)
    scene = MAPS[name]()
    states = list(crevasse.iterate(scene.normals, scene.mask, scene.camera))
    *during, last = states
    assert [state.iteration for state in during] == list(range(1, len(during) + 1))
    assert all(state.total >= state.iteration for state in states)
    assert last.total == last.iteration == len(during) == last.result().iterations
    assert all(two.seconds >= one.seconds for one, two in pairwise(states))


def test_without_skipping_a_start_announces_its_iterations_exactly():
    scene = scenes.smooth(48)
    method = crevasse.Graduated(starts=1, iterations=12, polish_iterations=4, skip_below=0.0)
    states = list(crevasse.iterate(scene.normals, scene.mask, scene.camera, method))
    assert {state.total for state in states} == {16} and states[-1].iteration == 16
