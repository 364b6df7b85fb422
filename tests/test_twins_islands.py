"""Islands of the default method: the kernel agrees with its plain twin."""

import kernels
import numpy as np
import pytest
from twin_maps import SEEDS, random_map

from crevasse.methods.evidence import JUDGE, POLISH
from crevasse.twins.graduated.energy import find_contacts
from crevasse.twins.graduated.islands import Rules, find_islands

RULES = (Rules(1.0, 0.2, 10.0, 64), Rules(1.0, 0.2, 2.0, 8), Rules(0.5, 0.1, 3.0, 4))


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("evidence", [POLISH, JUDGE])
@pytest.mark.parametrize("seed", SEEDS)
def test_islands(seed, evidence, rules):
    case = random_map(seed)
    engine = kernels.make(case)
    kernels.set_evidence(engine, evidence)
    contacts = find_contacts(case.heights, case.pairs, case.judge(evidence))
    twin = find_islands(contacts, case.pairs.exists, case.mask, rules)
    labels, count = kernels.islands(engine, case.mask.shape, rules)
    np.testing.assert_array_equal(labels, twin)
    assert count == twin.max()
