"""Spanning pixels: what the kernel makes of them agrees with the plain twin."""

import kernels
import numpy as np
import pytest
from twin_checks import assert_same_evidence, assert_same_pairs
from twin_maps import SEEDS, random_map

from crevasse.methods.graduated.evidence import JUDGE, POLISH
from crevasse.twins.graduated.energy import find_contacts, find_cuts, region_energies
from crevasse.twins.graduated.evidence import judge_pairs
from crevasse.twins.graduated.iteration import Weighting, iterate
from crevasse.twins.graduated.pairs import corner_offsets, make_pairs
from crevasse.twins.graduated.spanning import Spanning, add_steps, cut_steps, replace_planes, trust_steps


def random_spanning(case, seed):
    """Some pixels, each on the plane of a neighbour, and steps of the pairs between them and of a few others."""
    rng = np.random.default_rng(seed)
    height, width = case.mask.shape
    rows, columns = np.nonzero(case.mask[:-1, :-1])
    chosen = rng.permutation(len(rows))[: len(rows) // 8]
    rows, columns, down = rows[chosen], columns[chosen], rng.integers(0, 2, len(chosen))
    beside = case.mask[rows + down, columns + 1 - down]
    rows, columns, down = rows[beside], columns[beside], down[beside]
    pixels = rows * width + columns
    sources = (rows + down) * width + columns + 1 - down
    anywhere = rng.integers(0, height - 1, 5) * width + rng.integers(0, width - 1, 5)
    pairs = np.concatenate([2 * pixels + down, 2 * anywhere])
    steps = rng.choice([0.0, 5.0, -12.0, 0.7], len(pairs))
    return Spanning(pixels, sources, pairs, steps)


def add(case, seed):
    """An engine with spanning pixels, and what the twin makes of them: planes and pairs."""
    spanning = random_spanning(case, seed)
    engine = kernels.make(case)
    kernels.add_spanning(engine, spanning)
    planes = replace_planes(case.planes, spanning)
    pairs = make_pairs(planes, corner_offsets(planes, case.curvature), case.hints)
    return spanning, engine, planes, add_steps(pairs, spanning)


@pytest.mark.parametrize("seed", SEEDS)
def test_targets_and_variances_with_spanning_pixels_are_those_of_the_twin(seed):
    case = random_map(seed)
    spanning, engine, _, pairs = add(case, seed)
    assert len(spanning.pixels) > 0
    assert_same_pairs(engine, pairs)
    np.testing.assert_array_equal(kernels.heights(engine, case.mask.shape), case.heights)


@pytest.mark.parametrize("evidence", [POLISH, JUDGE])
@pytest.mark.parametrize("seed", SEEDS)
def test_evidence_energies_cuts_and_weights_with_spanning_pixels_are_those_of_the_twin(seed, evidence):
    case = random_map(seed)
    spanning, engine, planes, pairs = add(case, seed)
    kernels.set_evidence(engine, evidence)
    likelihood = trust_steps(judge_pairs(planes, pairs, case.pixel_noise, evidence), spanning)
    assert_same_evidence(engine, likelihood, pairs.exists)
    contacts = find_contacts(case.heights, pairs, likelihood)
    twin = region_energies(contacts, pairs.exists, case.labels)
    np.testing.assert_allclose(kernels.energies(engine, case.labels)[1:], twin[1:], rtol=1e-5)
    cuts = cut_steps(find_cuts(contacts, pairs.exists), pairs.exists, spanning)
    np.testing.assert_array_equal(kernels.cuts(engine, case.mask.shape), cuts)
    kernels.iterate(engine, Weighting.REDESCENDING, solver_iterations=1)
    weights = iterate(case.heights, pairs, likelihood, Weighting.REDESCENDING).weights
    np.testing.assert_allclose(kernels.weights(engine, case.mask.shape), weights, rtol=3e-5)


@pytest.mark.parametrize("seed", SEEDS)
def test_steps_without_pixels_leave_the_planes(seed):
    case = random_map(seed)
    whole = random_spanning(case, seed)
    steps = whole._replace(pixels=whole.pixels[:0], sources=whole.sources[:0])
    engine = kernels.make(case)
    kernels.add_spanning(engine, steps)
    assert_same_pairs(engine, add_steps(case.pairs, steps))
