"""The judge: a proposal is kept only where it may be, and only where its energy is lower."""

import numpy as np
import pytest
from helpers import make_engine, problem_with

from crevasse.methods.graduated.evidence import JUDGE
from crevasse.methods.graduated.judge import Candidate, Judge, Proposal

EVERYWHERE = np.array([False, True, True, True])
OLD, NEW = 1.0, 2.0


@pytest.fixture
def engine():
    """The engine of a map with three regions of three columns each."""
    mask = np.ones((6, 11), bool)
    mask[:, [3, 7]] = False
    return make_engine(problem_with(np.zeros(mask.shape), np.zeros(mask.shape), mask))


@pytest.fixture
def judge(engine):
    return Judge(engine)


def candidate(height, energies):
    return Candidate(np.full((6, 11), height), np.array([0.0, *energies]))


def heights_by_region(candidate):
    return candidate.heights[0, [0, 4, 8]].tolist()


BEST = candidate(OLD, (5.0, 5.0, 5.0))
FOUND = candidate(NEW, (4.0, 6.0, 5.0))


def test_a_proposal_is_kept_where_its_energy_is_lower(judge):
    kept = judge.accept(BEST, Proposal(FOUND, EVERYWHERE))
    assert heights_by_region(kept) == [NEW, OLD, OLD]
    assert kept.energies[1:].tolist() == [4.0, 5.0, 5.0]


def test_a_proposal_is_kept_only_in_its_regions(judge):
    for region in (1, 2, 3):
        kept = judge.accept(BEST, Proposal(candidate(NEW, (4.0, 4.0, 4.0)), np.arange(4) == region))
        assert heights_by_region(kept) == [NEW if each == region else OLD for each in (1, 2, 3)]
        assert kept.energies[1:].tolist() == [4.0 if each == region else 5.0 for each in (1, 2, 3)]


def test_a_proposal_that_is_not_compared_is_kept_in_all_its_regions(judge):
    kept = judge.accept(BEST, Proposal(FOUND, np.array([False, True, True, False]), compared=False))
    assert heights_by_region(kept) == [NEW, NEW, OLD]
    assert kept.energies[1:].tolist() == [4.0, 6.0, 5.0]


def test_every_surface_improves_on_an_unrated_one(judge, engine):
    unrated = Candidate.unrated(np.full((6, 11), OLD), engine.domain)
    assert heights_by_region(judge.accept(unrated, Proposal(FOUND, EVERYWHERE))) == [NEW, NEW, NEW]


def test_neither_surface_is_changed(judge):
    judge.accept(BEST, Proposal(FOUND, EVERYWHERE))
    assert (BEST.heights == OLD).all() and (FOUND.heights == NEW).all()
    assert BEST.energies[1:].tolist() == [5.0, 5.0, 5.0] and FOUND.energies[1:].tolist() == [4.0, 6.0, 5.0]


def test_the_only_region_is_kept_or_left_as_a_whole():
    flat = np.zeros((6, 11))
    judge = Judge(make_engine(problem_with(flat, flat, np.ones((6, 11), bool))))
    best, better, worse = candidate(OLD, (5.0,)), candidate(NEW, (4.0,)), candidate(NEW, (6.0,))
    only = np.array([False, True])
    assert (judge.accept(best, Proposal(better, only)).heights == NEW).all()
    assert (judge.accept(best, Proposal(worse, only)).heights == OLD).all()


def test_a_rated_surface_is_that_of_the_engine_with_its_energies(judge, engine):
    heights = np.where(engine.domain.mask, np.random.default_rng(1).normal(size=(6, 11)), 0.0)
    engine.warm_start(heights)
    rated = judge.rate()
    assert np.array_equal(rated.heights, heights)
    assert np.array_equal(rated.energies, engine.energies(JUDGE)) and (rated.energies[1:] > 0).all()
    engine.clear()
    assert np.array_equal(rated.heights, heights)
