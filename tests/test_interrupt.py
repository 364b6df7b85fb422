"""Ctrl-C is honoured inside every long call: a signal is looked for many times in each of them."""

import signal
import time
from contextlib import contextmanager

import numpy as np
import pytest
from helpers import make_context, make_engine, problem_of

import crevasse
from crevasse import scenes
from crevasse.methods.graduated.evidence import JUDGE, POLISH, STARTS
from crevasse.methods.graduated.islands import place_islands
from crevasse.methods.graduated.noise import estimate_noise, median
from crevasse.methods.graduated.rules import PartMoves, annealed
from crevasse.methods.graduated.smooth_error import model_errors
from crevasse.methods.graduated.stages.widen_errors import find_torn
from crevasse.validate import check_input

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no interval timers")

SIDE = 1536
SHORT = 0.1
"""Seconds of processor time below which a call need not look for signals often."""


@contextmanager
def alarms(handler, first, then=0.0):
    """Signals from an interval timer."""
    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, first, then)
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
    for scale in (8.0, 4.0, 1.0):
        iterate(made, scale)
    return made


def iterate(engine, scale, cold=False, solver_iterations=3, tolerance=1e-6):
    engine.iterate(STARTS[0], annealed(scale, cold), solver_iterations, tolerance, rebuild=True)


CALLS = {
    "check_input": lambda engine, problem: check_input(
        *(lambda s: (s.normals, s.mask, s.camera))(scenes.stairs(SIDE))
    ),
    "noise": lambda engine, problem: estimate_noise(problem),
    "make_engine": lambda engine, problem: make_engine(problem),
    "evidence": lambda engine, problem: engine.doubts(STARTS[1]),
    "iterate": lambda engine, problem: iterate(engine, 1.0),
    "many solver iterations": lambda engine, problem: iterate(engine, 1.0, solver_iterations=12, tolerance=0.0),
    "energies": lambda engine, problem: engine.energies(JUDGE),
    "move_parts": lambda engine, problem: engine.move_parts(JUDGE, PartMoves()),
    "islands": lambda engine, problem: place_islands(engine, engine.heights, behind=0.0),
    "cuts": lambda engine, problem: engine.cuts(POLISH),
    "model_errors": lambda engine, problem: model_errors(problem, np.full(2, 1e-3)),
    "find_torn": lambda engine, problem: find_torn(make_context(engine), engine.heights),
}


@pytest.mark.parametrize("name", CALLS)
def test_long_calls_check_for_signals_often(name, engine, problem):
    heard = []
    with alarms(lambda number, frame: heard.append(time.process_time()), 0.001, 0.001):
        began = time.process_time()
        CALLS[name](engine, problem)
        ended = time.process_time()
    within = sum(began < moment < ended for moment in heard)
    # A call that never looks hears one signal, at its end.
    assert within >= 4 or ended - began < SHORT, f"{within} signals heard in {ended - began:.2f} s"


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_an_interrupted_iteration_ends_and_leaves_the_engine_usable(threads):
    small = make_problem(192, threads)
    engine, fresh = make_engine(small), make_engine(small)
    for delay in np.linspace(0.001, 0.06, 12):
        with pytest.raises(KeyboardInterrupt), alarms(interrupt, float(delay)):
            iterate(engine, 1.0, solver_iterations=1_000_000, tolerance=0.0)
            time.sleep(10)  # an iteration that ended by itself waits here for its alarm
    for each in (engine, fresh):
        each.clear()
        iterate(each, 8.0, cold=True)
    assert np.array_equal(engine.heights, fresh.heights)


def test_a_run_ends_where_it_is_interrupted():
    scene = scenes.demo(192)
    with pytest.raises(KeyboardInterrupt), alarms(interrupt, 0.05):
        crevasse.integrate(scene.normals, scene.mask, scene.camera, crevasse.Graduated(iterations=100_000))


@pytest.mark.parametrize("count", [1, 2, 3, 10, 1001, 600_000])
def test_the_median_in_pieces_is_the_median(count):
    values = np.abs(np.random.default_rng(count).standard_normal(count))
    assert median(values) == np.median(values)
    values[::3] = 0.0
    assert median(values) == np.median(values)
    for several in (np.full(count, 0.1), np.round(values), 1.0 + 1e-15 * np.round(values)):
        assert median(several) == np.median(several)
