"""Pairs and evidence of the default method: the kernel agrees with its plain twin."""

from dataclasses import replace

import kernels
import numpy as np
import pytest
from twin_checks import assert_same_evidence, assert_same_pairs
from twin_maps import SEEDS, random_evidence, random_map

from crevasse.methods.graduated.evidence import JUDGE, POLISH, STARTS
from crevasse.twins.graduated.pairs import corner_offsets, make_pairs


@pytest.mark.parametrize("seed", SEEDS)
def test_targets_twists_and_variances_are_those_of_the_twin(seed):
    case = random_map(seed)
    assert_same_pairs(kernels.make(case), case.pairs)


@pytest.mark.parametrize("seed", SEEDS)
def test_pairs_are_those_of_the_twin_for_corners_of_any_camera(seed):
    case = random_map(seed)
    corners = corner_offsets(case.planes, case.curvature)
    corners = corners + np.random.default_rng(seed).normal(0, 0.2, corners.shape)
    assert_same_pairs(kernels.make(case, corners), make_pairs(case.planes, corners, case.hints))


def test_random_maps_cover_what_matters():
    maps = [random_map(seed) for seed in SEEDS]
    assert any(case.pairs.held.any() for case in maps)
    assert any(case.labels.max() > 1 for case in maps)
    assert {case.curvature > 0 for case in maps} == {False, True}
    assert any((case.slopes.cosine[case.mask] < 0.03).any() for case in maps)
    assert {bool((case.pixel_noise[case.mask] >= 0.01).any()) for case in maps} == {False, True}


@pytest.mark.parametrize("seed", SEEDS)
def test_the_evidence_of_every_stage_is_that_of_the_twin(seed):
    case = random_map(seed)
    engine = kernels.make(case)
    for evidence in (*STARTS, POLISH, JUDGE):
        kernels.set_evidence(engine, evidence)
        assert_same_evidence(engine, case.judge(evidence), case.pairs.exists)


@pytest.mark.parametrize("seed", SEEDS)
def test_random_evidence_is_that_of_the_twin(seed):
    case, evidence = random_map(seed), random_evidence(seed)
    engine = kernels.make(case)
    kernels.set_evidence(engine, evidence)
    assert_same_evidence(engine, case.judge(evidence), case.pairs.exists)


@pytest.mark.parametrize("seed", SEEDS)
def test_other_slopes_change_the_pairs_and_not_the_evidence(seed):
    case = random_map(seed)
    other = random_map(seed + 100, case.mask.shape)
    new = replace(case, slopes=type(case.slopes)(*(image * case.mask for image in other.slopes)))
    engine = kernels.make(case)
    kernels.set_slopes(engine, new)
    assert_same_pairs(engine, new.pairs)
    kernels.set_evidence(engine, JUDGE)
    assert_same_evidence(engine, case.judge(JUDGE), new.pairs.exists)
