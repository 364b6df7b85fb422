"""The engine: pairs inside the map, hints, and what its calls leave alone."""

import numpy as np
import pytest
from helpers import make_engine, problem_of, problem_with

from crevasse import scenes
from crevasse.methods.graduated.evidence import JUDGE, POLISH, STARTS
from crevasse.methods.graduated.rules import REDESCENDING


def random_engine(shape, seed):
    """The engine of a rough map with holes."""
    random = np.random.default_rng(seed)
    mask = random.random(shape) < 0.9
    right, down = (np.where(mask, random.normal(0, 0.3, shape), 0.0) for _ in range(2))
    return make_engine(problem_with(right, down, mask), np.where(mask, 10.0 * random.normal(size=shape), 0.0))


@pytest.mark.parametrize("shape", [(20, 31), (21, 30)])
def test_pairs_across_the_border_are_empty(shape):
    engine = random_engine(shape, seed=1)
    cuts = engine.cuts(POLISH)
    engine.iterate(POLISH, REDESCENDING, solver_iterations=3, tolerance=1e-6, rebuild=True)
    for right, down in (cuts, engine.targets(), engine.variances(), *engine.doubts(POLISH), engine.weights()):
        assert right.shape == down.shape == shape
        assert not right[:, -1].any() and not down[-1].any()
        assert right[:, :-1].any() and down[:-1].any()


def test_variances_are_positive_for_pairs_and_negative_where_there_is_none():
    engine = random_engine((20, 31), seed=2)
    right, down = engine.variances()
    for variances, pairs in zip((right[:, :-1], down[:-1]), engine.domain.pairs, strict=True):
        assert np.array_equal(variances > 0, pairs) and np.array_equal(variances < 0, ~pairs)


def test_hints_cut_between_masked_pixels_only():
    mask = np.ones((6, 8), bool)
    mask[2, 2] = False
    hints = np.zeros(mask.shape, np.int8)
    hints[2, 3] = 1
    hints[4, 5], hints[4, 6] = 2, 3
    flat = np.zeros(mask.shape)
    right, down = make_engine(problem_with(flat, flat, mask, hints=hints)).cuts(POLISH)
    assert set(zip(*np.nonzero(right), strict=True)) == {(2, 3), (4, 5)}
    assert set(zip(*np.nonzero(down), strict=True)) == {(1, 3), (2, 3)}


def test_queries_do_not_change_the_surface():
    problem = problem_of(scenes.demo(48))
    heights = np.where(problem.mask, np.random.default_rng(1).normal(size=problem.mask.shape), 0.0)
    engine = make_engine(problem, heights)
    for evidence in (STARTS[0], POLISH, JUDGE):
        engine.energies(evidence), engine.cuts(evidence), engine.doubts(evidence)
        assert np.array_equal(engine.heights, heights)


def test_every_answer_depends_only_on_the_evidence_of_its_call():
    """Whatever the engine was asked before."""
    problem = problem_of(scenes.demo(48))
    heights = np.where(problem.mask, 5.0 * np.random.default_rng(1).normal(size=problem.mask.shape), 0.0)
    used = make_engine(problem, heights)
    for evidence in (POLISH, JUDGE, STARTS[0], STARTS[2], POLISH):
        fresh = make_engine(problem, heights)
        assert np.array_equal(used.energies(evidence), fresh.energies(evidence))
        assert np.array_equal(used.cuts(evidence), fresh.cuts(evidence))
        assert np.array_equal(used.doubts(evidence), fresh.doubts(evidence))


def test_a_cleared_surface_is_flat_and_keeps_the_evidence():
    problem = problem_of(scenes.demo(48))
    engine = make_engine(problem, np.where(problem.mask, 3.0, 0.0))
    before = engine.doubts(JUDGE)
    engine.clear()
    assert not engine.heights.any()
    assert np.array_equal(engine.doubts(JUDGE), before)


def test_a_released_engine_still_gives_its_surface_and_nothing_else():
    problem = problem_of(scenes.demo(48))
    heights = np.where(problem.mask, np.random.default_rng(1).normal(size=problem.mask.shape), 0.0)
    engine = make_engine(problem, heights)
    engine.release()
    assert np.array_equal(engine.heights, heights)
    with pytest.raises(ValueError, match="released"):
        engine.energies(JUDGE)


@pytest.mark.parametrize("threads", [1, 3])
def test_the_engine_says_how_many_threads_it_has(threads):
    assert make_engine(problem_of(scenes.stairs(64), threads)).threads == threads


@pytest.mark.parametrize(("rows", "threads"), [(3, 1), (40, 2), (400, 8)])
def test_a_narrow_map_gets_no_more_threads_than_its_rows_are_worth(rows, threads):
    normals = np.tile([0.0, 0.0, 1.0], (rows, 50, 1))
    scene = scenes.Scene("strip", normals, np.ones((rows, 50), bool), scenes.stairs(8).camera, normals[..., 2], "")
    assert problem_of(scene, 8).threads == threads
