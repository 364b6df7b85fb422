"""The minimum cut between two nodes of a graph, by maximum flow."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import breadth_first_order, maximum_flow

from crevasse.cameras import Array

NOTHING = 1e-6
"""Capacity that counts as none."""


def min_cut(
    nodes: int,
    edges: NDArray[np.int64],
    forward: Array,
    backward: Array,
    source: int,
    sink: int,
    limit: float = np.inf,
) -> NDArray[np.bool_] | None:
    """The nodes that a minimum cut leaves with the source, (nodes,); None if the cut costs more than `limit`.

    Of all minimum cuts this is the one closest to the source: the nodes that the residual graph of any maximum flow
    still reaches from it.

    Parameters
    ----------
    edges : (N, 2) array, each pair of nodes at most once
    forward, backward : (N,) arrays, capacity from the first node to the second, and back
    """
    # Older versions of SciPy take 32-bit indices only.
    one, other = edges.T.astype(np.int32)
    tail, head = np.concatenate([one, other]), np.concatenate([other, one])
    capacity = np.concatenate([forward, backward])
    # SciPy takes 32-bit integers. No flow exceeds what leaves the source; a power of two keeps integers exact.
    most = max(float(capacity[tail == source].sum()), NOTHING)
    unit = 2.0 ** np.ceil(np.log2(most / 2**30))
    whole = np.where(capacity > NOTHING, np.rint(np.minimum(capacity, most) / unit), 0).astype(np.int32)
    graph = csr_array(coo_array((whole, (tail, head)), (nodes, nodes)))
    result = maximum_flow(graph, source, sink)
    if result.flow_value * unit > limit:
        return None
    residual = csr_array((graph - result.flow) * unit > NOTHING)
    side = np.zeros(nodes, bool)
    side[breadth_first_order(residual, source, return_predecessors=False)] = True
    return side
