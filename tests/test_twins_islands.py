"""Islands of the default method: the kernel agrees with its plain twin."""

import kernels
import numpy as np
import pytest
from twin_maps import EDGE, SEEDS, random_map, two_slabs

from crevasse.methods.graduated.evidence import JUDGE, POLISH
from crevasse.twins.graduated.borders import find_borders
from crevasse.twins.graduated.energy import find_contacts
from crevasse.twins.graduated.islands import Rules, find_islands, least_rise

RULES = (Rules(1.0, 0.2, 10.0, 64), Rules(1.0, 0.2, 2.0, 8), Rules(0.5, 0.1, 3.0, 4))


def assert_same_islands(case, evidence, rules):
    """The labels that both agree on."""
    engine = kernels.make(case)
    kernels.set_evidence(engine, evidence)
    contacts = find_contacts(case.heights, case.pairs, case.judge(evidence))
    twin = find_islands(contacts, case.pairs.exists, case.mask, rules)
    labels, count = kernels.islands(engine, case.mask.shape, rules)
    np.testing.assert_array_equal(labels, twin)
    assert count == twin.max()
    return twin


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("evidence", [POLISH, JUDGE])
@pytest.mark.parametrize("seed", SEEDS)
def test_islands_are_those_of_the_twin(seed, evidence, rules):
    assert_same_islands(random_map(seed), evidence, rules)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_slab_is_an_island_if_it_may_move_at_less_than_a_bridge(seed):
    case, rules = two_slabs(seed), Rules(1.0, 0.2, 1e9, 1000)
    slabs = (np.arange(case.mask.shape[1]) >= EDGE) * np.ones(case.mask.shape, np.int64)
    contacts = find_contacts(case.heights, case.pairs, case.judge(POLISH))
    rise = least_rise(1, find_borders(slabs, contacts, case.pairs.exists), rules)
    for bridge, count in ((rise + 1e-3, 2), (rise - 1e-3, 1)):
        labels = assert_same_islands(case, POLISH, rules._replace(bridge=bridge))
        assert labels.max() == count
