"""The robust energy of the default method and its cuts: the kernel agrees with its plain twin."""

import kernels
import numpy as np
import pytest
from twin_maps import SEEDS, random_evidence, random_map

from crevasse.twins.graduated.energy import Contacts, find_contacts, find_cuts, region_energies


def contacts_of(case, evidence):
    return find_contacts(case.heights, case.pairs, case.judge(evidence))


@pytest.mark.parametrize("seed", SEEDS)
def test_energies_by_region_are_those_of_the_twin(seed):
    case, evidence = random_map(seed), random_evidence(seed)
    engine = kernels.make(case)
    kernels.set_evidence(engine, evidence)
    twin = region_energies(contacts_of(case, evidence), case.pairs.exists, case.labels)
    np.testing.assert_allclose(kernels.energies(engine, case.labels)[1:], twin[1:], rtol=1e-5)


@pytest.mark.parametrize("seed", SEEDS)
def test_cuts_are_those_of_the_twin(seed):
    case, evidence = random_map(seed), random_evidence(seed)
    engine = kernels.make(case)
    kernels.set_evidence(engine, evidence)
    twin = find_cuts(contacts_of(case, evidence), case.pairs.exists)
    assert 0 < np.count_nonzero(twin) < np.count_nonzero(case.pairs.exists)
    np.testing.assert_array_equal(kernels.cuts(engine, case.mask.shape), twin)


def test_a_contact_costs_nothing_closed_and_one_over_its_likelihood_far_apart():
    contact = Contacts(*(np.array([value]) for value in (0.0, 0.0, 0.01, 0.5, 0.25)))
    for gap, cost in ((0.0, 0.0), (1e4, 2.0), (-1e4, 4.0)):
        assert contact.cost(np.array([gap])) == pytest.approx(cost, rel=1e-6)
