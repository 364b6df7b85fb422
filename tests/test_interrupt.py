"""Ctrl-C is honoured inside every long call: a signal is looked for many times in each of them."""

import signal
import time
from contextlib import contextmanager

import numpy as np
import pytest
from helpers import problem_of

import crevasse
from crevasse import scenes
from crevasse.methods.docking import read_heights, region_energies
from crevasse.methods.evidence import STARTS, consider
from crevasse.methods.graduated import cut, make_engine
from crevasse.methods.islands import place_islands
from crevasse.methods.noise import estimate_noise, median
from crevasse.native import Weighting
from crevasse.validate import check_input

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no interval timers")

SIDE = 1536
SHORT = 0.1
"""Seconds below which a call need not look for signals often."""


@contextmanager
def alarms(handler, first, then=0.0):
    """Signals from an interval timer."""
    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, first, then)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def interrupt(number, frame):
    raise KeyboardInterrupt


def make_problem(side, threads=1):
    return problem_of(scenes.stairs(side), threads)


@pytest.fixture(scope="module")
def problem():
    return make_problem(SIDE)


@pytest.fixture(scope="module")
def engine(problem):
    made = make_engine(problem)
    consider(made, STARTS[0], keep=False)
    for scale in (8.0, 4.0, 1.0):
        made.iterate(Weighting.ANNEALED, scale, 3, 1e-6, True)
    return made


CALLS = {
    "check_input": lambda engine, problem: check_input(
        *(lambda s: (s.normals, s.mask, s.camera))(scenes.stairs(SIDE))
    ),
    "noise": lambda engine, problem: estimate_noise(problem),
    "make_engine": lambda engine, problem: make_engine(problem),
    "consider": lambda engine, problem: consider(engine, STARTS[0]),
    "iterate": lambda engine, problem: engine.iterate(Weighting.ANNEALED, 1.0, 3, 1e-6, True),
    "many solver iterations": lambda engine, problem: engine.iterate(Weighting.ANNEALED, 1.0, 12, 0.0, True),
    "energies": lambda engine, problem: [region_energies(engine, problem) for _ in range(1)],
    "move_parts": lambda engine, problem: engine.move_parts(1000, 20.0, 1.0, 16, 20),
    "islands": lambda engine, problem: place_islands(engine, problem, read_heights(engine, problem), 0.0),
    "cut": lambda engine, problem: cut(engine, problem),
}


@pytest.mark.parametrize("name", CALLS)
def test_long_calls_look_for_signals_all_the_time(name, engine, problem):
    heard = []
    with alarms(lambda number, frame: heard.append(time.perf_counter()), 0.001, 0.001):
        began = time.perf_counter()
        CALLS[name](engine, problem)
        ended = time.perf_counter()
    within = sum(began < moment < ended for moment in heard)
    # A call that never looks hears one signal, at its end.
    assert within >= 4 or ended - began < SHORT, f"{within} signals heard in {ended - began:.2f} s"


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_an_interrupted_step_ends_and_the_team_works_on(threads):
    small = make_problem(192, threads)
    engine, fresh = make_engine(small), make_engine(small)
    for delay in np.linspace(0.001, 0.06, 12):
        with alarms(interrupt, float(delay)), pytest.raises(KeyboardInterrupt):
            engine.iterate(Weighting.ANNEALED, 1.0, 1_000_000, 0.0, True)
            time.sleep(10)  # a step that ended by itself waits here for its alarm
    for each in (engine, fresh):
        consider(each, STARTS[0], keep=False)
        each.iterate(Weighting.FLAT, 8.0, 3, 1e-6, True)
    assert np.array_equal(read_heights(engine, small), read_heights(fresh, small))


def test_a_run_ends_where_it_is_interrupted():
    scene = scenes.demo(192)
    with alarms(interrupt, 0.05), pytest.raises(KeyboardInterrupt):
        crevasse.integrate(scene.normals, scene.mask, scene.camera, crevasse.Graduated(iterations=100_000))


@pytest.mark.parametrize("count", [1, 2, 3, 10, 1001, 600_000])
def test_the_median_in_pieces_is_the_median(count):
    values = np.abs(np.random.default_rng(count).standard_normal(count))
    assert median(values) == np.median(values)
    values[::3] = 0.0
    assert median(values) == np.median(values)
    for several in (np.full(count, 0.1), np.round(values), 1.0 + 1e-15 * np.round(values)):
        assert median(several) == np.median(several)
