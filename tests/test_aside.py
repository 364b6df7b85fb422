"""Two starts beside each other give what they give one after the other, and leave nothing behind."""

import threading
import tracemalloc

import numpy as np
import pytest
from helpers import problem_of

import crevasse
from crevasse import scenes
from crevasse.methods.aside import Aside
from crevasse.methods.graduated import SMALL, make_engine
from crevasse.native import Weighting

SCENE = scenes.disc(128)
"""Large enough for two threads, with three starts."""


def states(threads, scene=SCENE):
    return crevasse.iterate(scene.normals, scene.mask, scene.camera, threads=threads)


def workers():
    return [thread for thread in threading.enumerate() if thread.name == "crevasse-aside"]


def test_every_state_is_the_same_with_two_threads():
    assert np.count_nonzero(SCENE.mask) <= SMALL
    found = 0
    for one, two in zip(states(1), states(2), strict=True):
        found += len(workers())
        assert (one.iteration, one.start, one.energy, one.change) == (
            two.iteration,
            two.start,
            two.energy,
            two.change,
        )
        assert one.iteration <= two.total
        assert np.array_equal(one.depth, two.depth, equal_nan=True)
    assert one.start == 2 and found > 0


def test_surfaces_of_steps_are_kept_only_where_they_can_be_asked_for():
    def kept(run):
        tracemalloc.start()
        result = run()
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most / SCENE.mask.size, result

    whole, result = kept(lambda: crevasse.integrate(SCENE.normals, SCENE.mask, SCENE.camera, threads=2))
    steps, last = kept(lambda: [*states(2)][-1].result())
    assert whole < 200 < steps
    assert np.array_equal(result.depth, last.depth, equal_nan=True)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("scene", [SCENE, scenes.smooth(96), scenes.comb(128)], ids=lambda scene: scene.name)
def test_a_run_ends_where_its_plan_ends(scene, threads):
    for state in states(threads, scene):
        assert state.iteration <= state.total
    assert state.iteration == state.total


def test_a_run_that_is_left_ends_its_thread():
    run = states(2)
    next(run)
    assert len(workers()) == 1
    run.close()
    assert workers() == []


def test_what_goes_wrong_aside_is_told():
    def fail():
        yield from ()
        raise MemoryError("no room")

    with pytest.raises(MemoryError, match="no room"), Aside(fail) as second:
        list(second.steps())
    assert workers() == []


def test_a_released_engine_keeps_its_heights():
    problem = problem_of(scenes.disc(40))
    engine = make_engine(problem)
    heights, read = np.random.default_rng(1).normal(size=problem.mask.shape), np.empty(problem.mask.shape)
    engine.write(heights)
    engine.release()
    engine.read(read)
    assert np.array_equal(read, heights)
    with pytest.raises(ValueError, match="released"):
        engine.iterate(Weighting.FLAT, 1.0, 3, 1e-6, True)
