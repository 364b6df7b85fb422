"""The interface of the compiled kernels: arrays of pairs, offsets, hints, minimum cuts, parts, threads."""

import subprocess
import sys

import numpy as np
import pytest
from helpers import problem_of, problem_with, read_pairs
from scipy.sparse import coo_array
from scipy.sparse.csgraph import maximum_flow

from crevasse import native, scenes
from crevasse.lattice import plane_offset
from crevasse.methods.evidence import JUDGE, POLISH, STARTS, consider
from crevasse.methods.graduated import CONSTANTS, make_engine
from crevasse.methods.noise import estimate_noise
from crevasse.native import GraduatedEngine, Weighting

MASK = np.hypot(*(np.mgrid[:40, :45] - 20)) < 18
GETTERS = ("targets", "twists", "variances", "creases", "doubts_ahead", "doubts_behind", "weights")


def engine_of(problem, hints=None, offsets=None, curvature=None):
    slopes = problem.slopes
    return GraduatedEngine(
        slopes.across,
        slopes.along,
        slopes.cosine,
        problem.mask.view(np.uint8),
        problem.several_labels,
        estimate_noise(problem),
        hints,
        offsets,
        problem.curvature if curvature is None else curvature,
        CONSTANTS,
        1,
    )


def bumps(size):
    """Random slopes inside MASK."""
    random = np.random.default_rng(5)
    return [np.where(MASK, random.normal(0, size, MASK.shape), 0.0) for _ in "rd"]


def heights_of(engine, shape):
    heights = np.empty(shape)
    engine.read(heights)
    return heights


# ---- the engine ------------------------------------------------------------------------------------------------


def test_offsets_of_the_camera_replace_the_closed_form():
    problem = problem_with(*bumps(0.4), MASK, curvature=0.02)
    assert problem.curvature > 0
    right, down = (np.where(problem.mask, slope, 0.0) for slope in problem.steepness)
    rises = np.stack([-right - down, right - down, down - right, right + down]) / 2
    offsets = plane_offset(rises.astype(float), problem.curvature)
    closed, given = engine_of(problem), engine_of(problem, offsets=offsets, curvature=0.0)
    flat = engine_of(problem, curvature=0.0)
    for name in ("targets", "twists"):
        one, other, without = (read_pairs(getattr(e, name), problem.mask.shape) for e in (closed, given, flat))
        for axis in range(2):
            pairs = problem.pairs[axis]
            assert np.allclose(one[axis][pairs], other[axis][pairs], atol=1e-5)
            assert not np.allclose(one[axis][pairs], without[axis][pairs], atol=1e-5)


def test_offsets_outside_the_mask_mean_nothing():
    problem = problem_with(*bumps(0.4), MASK, curvature=0.02)
    offsets = np.zeros((4, *problem.mask.shape))
    wild = np.where(problem.mask, offsets, np.nan)
    found = []
    for given in (offsets, wild):
        engine = engine_of(problem, offsets=given)
        consider(engine, STARTS[0])
        engine.iterate(Weighting.FLAT, 10.0, 3, 1e-6, True)
        found.append(heights_of(engine, problem.mask.shape)[problem.mask])
    assert np.isfinite(found[1]).all() and np.array_equal(*found)


@pytest.mark.parametrize("odd", [0, 1])
def test_arrays_of_pairs_leave_the_last_column_and_row_empty(odd):
    random = np.random.default_rng(odd)
    mask = random.random((20 + odd, 31 - odd)) < 0.9
    right, down = (np.where(mask, random.normal(0, 0.3, mask.shape), 0.0) for _ in range(2))
    engine = make_engine(problem_with(right, down, mask))
    consider(engine, POLISH)
    engine.iterate(Weighting.REDESCENDING, 0.0, 3, 1e-6, True)
    for name in GETTERS:
        for image in read_pairs(getattr(engine, name), mask.shape):
            assert image.any()
    cuts = np.full((2, *mask.shape), 7, np.uint8)
    engine.write(10.0 * random.normal(size=mask.shape))
    engine.cuts(*cuts)
    assert not cuts[0, :, -1].any() and not cuts[1, -1].any() and set(np.unique(cuts)) == {0, 1}


def test_hints_cut_between_masked_pixels_only():
    mask = np.ones((6, 8), bool)
    mask[2, 2] = False
    problem = problem_with(np.zeros(mask.shape), np.zeros(mask.shape), mask)
    hints = np.zeros(mask.shape, np.int8)
    hints[2, 3] = 1
    hints[4, 5], hints[4, 6] = 2, 3
    engine = engine_of(problem, hints=hints)
    consider(engine, POLISH)
    right, down = np.zeros(mask.shape, np.uint8), np.zeros(mask.shape, np.uint8)
    engine.cuts(right, down)
    assert set(zip(*np.nonzero(right), strict=True)) == {(2, 3), (4, 5)}
    assert set(zip(*np.nonzero(down), strict=True)) == {(1, 3), (2, 3)}


def test_evidence_leaves_heights_alone_and_clear_empties_them():
    problem = problem_of(scenes.SCENES["demo"](48))
    engine = make_engine(problem)
    heights = np.where(problem.mask, np.random.default_rng(1).normal(size=problem.mask.shape), 0.0)
    consider(engine, STARTS[0])
    engine.write(heights)
    consider(engine, JUDGE)
    assert np.array_equal(heights_of(engine, heights.shape)[problem.mask], heights[problem.mask])
    doubts = read_pairs(engine.doubts_ahead, heights.shape)
    engine.clear()
    assert not heights_of(engine, heights.shape).any()
    assert all(map(np.array_equal, doubts, read_pairs(engine.doubts_ahead, heights.shape)))


def test_parts_are_connected_and_at_most_the_limit_where_bonds_allow():
    problem = problem_of(scenes.SCENES["demo"](64))
    engine = make_engine(problem)
    consider(engine, JUDGE)
    engine.write(np.zeros(problem.mask.shape))
    many, few = (np.empty(problem.mask.shape, np.int32) for _ in range(2))
    counts = engine.parts(1_000, many), engine.parts(20, few)
    assert counts[0] > counts[1] >= 1
    for labels, count in zip((many, few), counts, strict=True):
        assert np.array_equal(labels >= 0, problem.mask)
        assert np.array_equal(np.unique(labels[problem.mask]), np.arange(count))
        joined = [(labels[:, :-1] != labels[:, 1:]).astype(np.uint8), (labels[:-1] != labels[1:]).astype(np.uint8)]
        assert native.label(problem.mask.view(np.uint8), *joined, np.empty_like(labels)) == count
    # Merging goes on from the larger number: no part is torn apart.
    assert len(np.unique(many[problem.mask] * 100_000 + few[problem.mask])) == counts[0]


# ---- minimum cuts ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_the_minimum_cut_costs_what_scipy_says(seed):
    random = np.random.default_rng(seed)
    nodes = int(random.integers(4, 40))
    ends = np.argwhere(np.triu(random.random((nodes, nodes)) < 0.3, 1)).astype(np.int32)
    forward, backward = random.integers(0, 100, (2, len(ends))).astype(float)
    capacity = coo_array((forward, ends.T), (nodes, nodes)) + coo_array((backward, ends.T[::-1]), (nodes, nodes))
    flow = maximum_flow(capacity.tocsr().astype(np.int32), 0, nodes - 1).flow_value
    side = np.full(nodes, 9, np.uint8)
    assert native.min_cut(nodes, ends, forward, backward, 0, nodes - 1, np.inf, side)
    assert side[0] == 1 and side[-1] == 0 and side.max() == 1
    there, back = side[ends[:, 0]].astype(bool), side[ends[:, 1]].astype(bool)
    assert forward[there & ~back].sum() + backward[back & ~there].sum() == flow
    # A limit below it says so, one above it does not.
    assert native.min_cut(nodes, ends, forward, backward, 0, nodes - 1, flow + 0.5, side)
    assert not (flow > 0 and native.min_cut(nodes, ends, forward, backward, 0, nodes - 1, flow - 0.5, side))


def test_minimum_cuts_refuse_what_is_no_graph():
    edges, one, side = np.array([[0, 2]], np.int32), np.ones(1), np.zeros(2, np.uint8)
    with pytest.raises(ValueError, match="join nodes"):
        native.min_cut(2, edges, one, one, 0, 1, 1.0, side)
    with pytest.raises(ValueError, match="two nodes"):
        native.min_cut(2, edges, one, one, 1, 1, 1.0, side)
    with pytest.raises(ValueError, match="finite"):
        native.min_cut(2, edges * 0, np.array([np.inf]), one, 0, 1, 1.0, side)


# ---- threads ---------------------------------------------------------------------------------------------------

LIMITED = """
import resource, sys
import numpy as np
from crevasse.native import Solver
weights = np.ones((64, 63)), np.ones((63, 64))
rhs, alone, found = np.zeros((64, 64)), np.zeros((64, 64)), np.zeros((64, 64))
rhs[3, 4], rhs[50, 60] = 1, -1
Solver(*weights, 1).solve(rhs, alone, 1e-9, 100)
pages = int(open("/proc/self/statm").read().split()[0])
limit = pages * resource.getpagesize() + (int(sys.argv[1]) << 20)
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
solver = Solver(*weights, 64)
solver.solve(rhs, found, 1e-9, 100)
print(solver.threads, np.array_equal(found, alone))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs a limit of the address space")
@pytest.mark.parametrize("megabytes", [20, 50, 200])
def test_a_team_goes_on_with_the_threads_it_got(megabytes):
    """Without room for the stacks of 64 threads."""
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(megabytes)], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    threads, same = done.stdout.split()
    assert 1 <= int(threads) < 64 and same == "True"


def test_teams_tell_how_many_they_are():
    problem = problem_of(scenes.SCENES["demo"](32), threads=3)
    assert make_engine(problem).threads == 3
    assert native.Solver(np.ones((4, 3)), np.ones((3, 4)), 2).threads == 2
