"""The compiled kernels that no class of the package wraps: minimum cuts, parts, teams of threads."""

import subprocess
import sys

import kernels
import numpy as np
import pytest
from scipy.sparse import coo_array
from scipy.sparse.csgraph import maximum_flow
from twin_maps import SEEDS, random_evidence, random_map

from crevasse.lattice import label_islands
from crevasse.native import Solver


@pytest.mark.parametrize("seed", SEEDS)
def test_parts_are_connected_and_smaller_limits_only_merge_them(seed):
    case = random_map(seed)
    engine = kernels.make(case)
    kernels.set_evidence(engine, random_evidence(seed))
    (many, more), (few, fewer) = (kernels.parts(engine, case.mask.shape, limit) for limit in (1000, 20))
    assert more >= fewer >= case.labels.max()
    for labels, count in ((many, more), (few, fewer)):
        assert np.array_equal(labels >= 0, case.mask)
        assert np.array_equal(np.unique(labels[case.mask]), np.arange(count))
        borders = labels[:, :-1] != labels[:, 1:], labels[:-1] != labels[1:]
        assert label_islands(case.mask, borders).max() == count
    assert len(np.unique(np.stack([many[case.mask], few[case.mask]]), axis=1).T) == more


@pytest.mark.parametrize("seed", range(20))
def test_the_minimum_cut_costs_as_much_as_the_maximum_flow(seed):
    random = np.random.default_rng(seed)
    nodes = int(random.integers(4, 40))
    ends = np.argwhere(np.triu(random.random((nodes, nodes)) < 0.3, 1)).astype(np.int32)
    forward, backward = random.integers(0, 100, (2, len(ends))).astype(float)
    capacity = coo_array((forward, ends.T), (nodes, nodes)) + coo_array((backward, ends.T[::-1]), (nodes, nodes))
    flow = maximum_flow(capacity.tocsr().astype(np.int32), 0, nodes - 1).flow_value

    def cut(limit):
        return kernels.min_cut(nodes, ends, forward, backward, 0, nodes - 1, limit)

    side = cut(np.inf)
    assert side[0] and not side[-1]
    there, back = side[ends[:, 0]], side[ends[:, 1]]
    assert forward[there & ~back].sum() + backward[back & ~there].sum() == flow
    assert cut(flow + 0.5) is not None
    assert flow == 0 or cut(flow - 0.5) is None


def test_minimum_cuts_refuse_what_is_no_graph():
    edges, one = np.array([[0, 2]], np.int32), np.ones(1)
    with pytest.raises(ValueError, match="join nodes"):
        kernels.min_cut(2, edges, one, one, 0, 1, limit=1.0)
    with pytest.raises(ValueError, match="two nodes"):
        kernels.min_cut(2, edges, one, one, 1, 1, limit=1.0)
    with pytest.raises(ValueError, match="finite"):
        kernels.min_cut(2, edges * 0, np.array([np.inf]), one, 0, 1, limit=1.0)


LIMITED = """
import resource, sys
import numpy as np
from crevasse.native import Solver
weights = np.ones((64, 63)), np.ones((63, 64))
rhs, alone, found = np.zeros((64, 64)), np.zeros((64, 64)), np.zeros((64, 64))
rhs[3, 4], rhs[50, 60] = 1, -1
Solver(*weights, threads=1).solve(rhs=rhs, values=alone, tolerance=1e-9, limit=100)
pages = int(open("/proc/self/statm").read().split()[0])
limit = pages * resource.getpagesize() + (int(sys.argv[1]) << 20)
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
solver = Solver(*weights, threads=64)
solver.solve(rhs=rhs, values=found, tolerance=1e-9, limit=100)
print(solver.threads, np.array_equal(found, alone))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs a limit of the address space")
@pytest.mark.parametrize("megabytes", [20, 50, 200])
def test_a_team_works_with_the_threads_that_could_be_started(megabytes):
    """There is no room for the stacks of 64 threads."""
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(megabytes)], capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stderr
    threads, same = done.stdout.split()
    assert 1 <= int(threads) < 64 and same == "True"


def test_a_solver_says_how_many_threads_it_has():
    assert Solver(np.ones((4, 3)), np.ones((3, 4)), threads=2).threads == 2
