"""Parts of the default method, minimum cuts and moves of parts: the kernels agree with their plain twins."""

import kernels
import numpy as np
import pytest
from twin_maps import SEEDS, random_map, two_slabs

from crevasse.methods.graduated.evidence import JUDGE, POLISH, STARTS
from crevasse.twins.graduated.borders import Borders, find_borders
from crevasse.twins.graduated.cracks import Rules
from crevasse.twins.graduated.energy import Contacts, find_contacts
from crevasse.twins.graduated.min_cut import min_cut
from crevasse.twins.graduated.part_moves import move_parts
from crevasse.twins.graduated.parts import bond_strength, merge_pixels

LIMITS = (0, 10, 40, 1000)
RULES = ((10, Rules(5.0, 1.0, 16, 20)), (40, Rules(2.0, 0.5, 6, 5)), (1000, Rules(1.0, 1.0, 16, 20)))


def start(seed, make=random_map):
    """A map, its contacts and an engine, by one of the method's views."""
    case, evidence = make(seed), (*STARTS, POLISH, JUDGE)[seed % 5]
    engine = kernels.make(case)
    kernels.set_evidence(engine, evidence)
    return case, find_contacts(case.heights, case.pairs, case.judge(evidence)), engine


def parts_of(case, contacts, limit):
    return merge_pixels(bond_strength(contacts), case.pairs.exists, case.mask, limit)


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("seed", SEEDS)
def test_parts_are_those_of_the_twin(seed, limit):
    case, contacts, engine = start(seed)
    labels, count = kernels.parts(engine, case.mask.shape, limit)
    twin = parts_of(case, contacts, limit)
    np.testing.assert_array_equal(labels, twin)
    assert count == twin.max() + 1


@pytest.mark.parametrize("seed", SEEDS)
def test_parts_are_connected_and_never_cross_a_crack(seed):
    case, contacts, _ = start(seed)
    counts = []
    for limit in sorted(LIMITS, reverse=True):
        twin = parts_of(case, contacts, limit)
        assert np.array_equal(twin >= 0, case.mask)
        counts.append(len(np.unique(twin[case.mask])))
        assert counts[-1] == twin.max() + 1
    assert counts == sorted(counts, reverse=True)


def random_graph(seed, whole):
    """Nodes, edges and capacities both ways; whole numbers have many minimum cuts of the same cost."""
    rng = np.random.default_rng(seed)
    nodes = int(rng.integers(2, 40))
    first, second = np.triu_indices(nodes, 1)
    chosen = rng.random(len(first)) < min(1.0, 4 / nodes)
    edges = np.stack([first[chosen], second[chosen]], axis=1)
    shape = (2, len(edges))
    forward, backward = rng.integers(0, 4, shape).astype(float) if whole else rng.exponential(2, shape)
    return nodes, edges, forward, backward


def cost_of(side, edges, forward, backward):
    one, other = edges.T
    return forward[side[one] & ~side[other]].sum() + backward[~side[one] & side[other]].sum()


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("seed", range(100))
def test_the_minimum_cut_is_that_of_the_twin(seed, whole):
    nodes, edges, forward, backward = random_graph(seed, whole)
    twin = min_cut(nodes, edges, forward, backward, 0, nodes - 1)
    cost = cost_of(twin, edges, forward, backward)
    exact = cost if whole else cost * (1 + 1e-6) + 1e-6
    kernel = kernels.min_cut(nodes, edges, forward, backward, 0, nodes - 1, exact)
    np.testing.assert_array_equal(kernel, twin)
    if cost > 0:
        assert kernels.min_cut(nodes, edges, forward, backward, 0, nodes - 1, 0.999 * cost) is None


@pytest.mark.parametrize("seed", range(20))
def test_the_plain_cut_is_the_least_of_all_and_the_smallest_of_those(seed):
    rng = np.random.default_rng(seed)
    nodes, edges = 8, np.stack(np.triu_indices(8, 1), axis=1)
    forward, backward = rng.integers(0, 4, (2, len(edges))).astype(float)
    sides = [np.array([True, *(n >> k & 1 for k in range(nodes - 2)), False], bool) for n in range(1 << (nodes - 2))]
    least = min((cost_of(side, edges, forward, backward), np.count_nonzero(side)) for side in sides)
    twin = min_cut(nodes, edges, forward, backward, 0, nodes - 1)
    assert (cost_of(twin, edges, forward, backward), np.count_nonzero(twin)) == least
    assert min_cut(nodes, edges, forward, backward, 0, nodes - 1, limit=least[0] - 0.5) is None
    assert min_cut(nodes, edges, forward, backward, 0, nodes - 1, limit=least[0]) is not None


@pytest.mark.parametrize("make", [random_map, two_slabs])
@pytest.mark.parametrize(("limit", "rules"), RULES)
@pytest.mark.parametrize("seed", SEEDS)
def test_moves_of_parts_are_those_of_the_twin(seed, limit, rules, make):
    case, contacts, engine = start(seed, make)
    moved = kernels.move_parts(engine, limit, rules)
    parts = parts_of(case, contacts, limit)
    offsets = move_parts(int(parts.max()) + 1, find_borders(parts, contacts, case.pairs.exists), rules)
    assert moved == offsets.any()
    twin = case.heights + np.where(case.mask, offsets[parts], 0.0)
    np.testing.assert_allclose(kernels.heights(engine, case.mask.shape), twin, atol=1e-5)


@pytest.mark.parametrize(("limit", "rules"), RULES)
@pytest.mark.parametrize("seed", SEEDS)
def test_moves_towards_known_heights_are_those_of_the_twin(seed, limit, rules):
    """The ground is one more part; contacts of far pixels count like those of neighbours."""
    case, contacts, engine = start(seed)
    rng = np.random.default_rng(seed)
    inside = np.flatnonzero(case.mask)
    first = rng.choice(inside, 60)
    second = np.where(rng.random(60) < 0.8, -1, rng.choice(inside, 60))
    gap = (rng.choice([-6.0, 9.0, 30.0], 60) + rng.normal(0, 0.2, 60)).astype(np.float32)
    tolerance, evidence = (rng.uniform(low, high, 60).astype(np.float32) for low, high in ((0.01, 0.1), (0.02, 0.2)))
    parts = parts_of(case, contacts, limit)
    ground = int(parts.max()) + 1
    flat = parts.ravel()
    ends = flat[first], np.where(second < 0, ground, flat[second])
    known = Borders(*ends, Contacts(*(np.asarray(v, float) for v in (gap, 0 * gap, tolerance, evidence, evidence))))
    known = known.select(ends[0] != ends[1]).ordered()
    borders = find_borders(parts, contacts, case.pairs.exists)
    every = Borders(
        np.concatenate([borders.first, known.first]),
        np.concatenate([borders.second, known.second]),
        Contacts(*(np.concatenate(both) for both in zip(borders.contacts, known.contacts, strict=True))),
    )
    offsets = move_parts(ground + 1, every, rules, ground=True)
    before = kernels.heights(engine, case.mask.shape)
    given = first.astype(np.int64), second.astype(np.int64), gap, tolerance, evidence
    moved = engine.move_parts(parts=limit, **rules._asdict(), given=given)
    assert moved == bool(offsets.any())
    found = kernels.heights(engine, case.mask.shape) - before
    np.testing.assert_allclose(found[case.mask], offsets[parts[case.mask]], atol=1e-4)
