"""Every kernel that shares its work between threads: the same bits with one to eight of them.

The maps are as small as they can be while their levels are shared: the thread sanitizer watches these tests.
"""

from dataclasses import replace

import numpy as np
import pytest
from helpers import make_engine, problem_of
from planes import ArrayPlanes

import crevasse
from crevasse import scenes
from crevasse.cameras import Perspective
from crevasse.methods import AuxiliaryEdges
from crevasse.methods.graduated.evidence import JUDGE, POLISH, STARTS
from crevasse.methods.graduated.islands import place_islands
from crevasse.methods.graduated.rules import REDESCENDING, PartMoves, annealed
from crevasse.native import Solver

SIDE = 136
"""Pixels: two levels of the solver are large enough to be shared (`SHARED_WORK` in `native/multigrid/plan.hpp`)."""
THREADS = range(2, 9)
CAMERA = Perspective(260.0, 260.0, 67.5, 67.5)


def thin(scene):
    """Bands that fill little of their box, whose rows the solver packs."""
    rows, columns = np.indices(scene.mask.shape)
    return replace(scene, mask=scene.mask & ((rows + columns) % 24 < 4))


def with_arrays(problem):
    """The same problem with planes whose corners Python computes."""
    planes = ArrayPlanes.of(CAMERA, problem.mask.shape)
    return replace(problem, domain=replace(problem.domain, planes=planes))


def with_hints(problem):
    hints = np.zeros(problem.mask.shape, np.int8)
    hints[40:60, 30:90] = 1
    return replace(problem, domain=replace(problem.domain, hints=hints))


NOISY = scenes.add_noise(replace(scenes.stairs(SIDE), camera=CAMERA), 0.02)
PROBLEMS = {
    "several regions": problem_of(scenes.demo(SIDE)),
    "noise": problem_of(NOISY),
    "planes of arrays": with_arrays(problem_of(NOISY)),
    "hints": with_hints(problem_of(NOISY)),
    "thin": problem_of(thin(NOISY)),
}


def engine_calls(problem):
    """What every call of the engine leaves, one after another; of pairs, those inside the mask."""
    engine = make_engine(problem)
    right, down = problem.domain.pairs

    def inside(pairs):
        return pairs[0][:, :-1][right], pairs[1][:-1][down]

    found = [*inside(engine.targets()), *inside(engine.variances())]
    for number, scale in enumerate((8.0, 3.0, 1.0)):
        engine.iterate(STARTS[0], annealed(scale, cold=not number), 3, 1e-6, rebuild=True)
        found += [engine.heights, *inside(engine.weights())]
    found += [part for pairs in engine.doubts(STARTS[1]) for part in inside(pairs)]
    engine.iterate(POLISH, REDESCENDING, solver_iterations=3, tolerance=1e-6, rebuild=False)
    found.append(engine.energies(JUDGE))
    engine.move_parts(JUDGE, PartMoves())
    found += [engine.heights, *engine.cuts(POLISH)]
    found += place_islands(engine, engine.heights, behind=0.0)[:2]
    engine.set_slopes(problem)
    return [*found, *inside(engine.targets())]


@pytest.fixture(scope="module", params=PROBLEMS)
def alone(request):
    """A problem, and what one thread makes of it."""
    return PROBLEMS[request.param], engine_calls(PROBLEMS[request.param])


@pytest.mark.parametrize("threads", THREADS)
def test_threads_do_not_change_what_a_call_of_the_engine_leaves(threads, alone):
    problem, expected = alone
    found = engine_calls(replace(problem, threads=threads))
    assert all(map(np.array_equal, found, expected)) and len(found) == len(expected)


def linear_system(decades):
    random = np.random.default_rng(3)
    right = 10 ** random.uniform(-decades / 2, decades / 2, (SIDE, SIDE - 1))
    down = 10 ** random.uniform(-decades / 2, decades / 2, (SIDE - 1, SIDE))
    side = random.standard_normal((SIDE, SIDE))
    return right, down, side - side.mean()


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("decades", [2, 12])  # the second is solved with the approximate Cholesky factorisation
def test_threads_do_not_change_the_solution_of_a_linear_system(decades, threads):
    right, down, side = linear_system(decades)
    alone, shared = np.zeros((2, SIDE, SIDE))
    Solver(right, down, threads=1).solve(rhs=side, values=alone, tolerance=1e-9, limit=40)
    Solver(right, down, threads=threads).solve(rhs=side, values=shared, tolerance=1e-9, limit=40)
    assert alone.any() and np.array_equal(alone, shared)


@pytest.mark.parametrize("threads", [3, 8])
@pytest.mark.parametrize("method", [AuxiliaryEdges(iterations=3), crevasse.Graduated(iterations=6, starts=1)])
def test_threads_do_not_change_a_surface(method, threads):
    alone, shared = (
        list(method.run(replace(PROBLEMS["several regions"], threads=count)))[-1].heights() for count in (1, threads)
    )
    assert np.array_equal(alone, shared)
