"""Loops of four pixels and spanning trees of a network of pairs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array
from crevasse.methods.network import Network, Pair
from crevasse.methods.regions import level_regions

Flags = tuple[NDArray[np.bool_], NDArray[np.bool_]]


def curl(network: Network) -> Array:
    """Sum of the targets around each loop of 2 x 2 pixels, (H-1, W-1); 0 where a pair is missing."""
    right, down = network.targets
    whole = network.inside[0][:-1] & network.inside[0][1:] & network.inside[1][:, :-1] & network.inside[1][:, 1:]
    return np.where(whole, right[:-1] + down[:, 1:] - right[1:] - down[:, :-1], 0.0)


def largest_curl(network: Network) -> Pair:
    """The larger |curl| of the two loops on which each pair lies."""
    loops = np.abs(curl(network))
    above, left = np.pad(loops, ((1, 1), (0, 0))), np.pad(loops, ((0, 0), (1, 1)))
    return np.maximum(above[:-1], above[1:]), np.maximum(left[:, :-1], left[:, 1:])


class Edges(NamedTuple):
    """The pairs of a network as a list."""

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    """Flat indices of their pixels."""
    targets: Array
    costs: Array


def list_edges(network: Network, costs: Pair) -> Edges:
    """All existing pairs, those to the right first."""
    # Graphs of older versions of SciPy take no longer numbers.
    number = np.arange(network.domain.mask.size, dtype=np.int32).reshape(network.domain.mask.shape)
    right, down = network.inside
    return Edges(
        np.concatenate([number[:, :-1][right], number[:-1][down]]),
        np.concatenate([number[:, 1:][right], number[1:][down]]),
        np.concatenate([network.targets[0][right], network.targets[1][down]]),
        np.concatenate([costs[0][right], costs[1][down]]),
    )


def spanning_tree(network: Network, costs: Pair) -> Flags:
    """The pairs of the minimum spanning tree (a forest if there are several regions); ties go to the first pair."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import minimum_spanning_tree

    edges, count = list_edges(network, costs), network.domain.mask.size
    # Ranks in place of costs: no two are equal, and none is 0, which would mean that there is no edge.
    ranks, order = np.empty(len(edges.costs)), np.argsort(edges.costs, kind="stable")
    ranks[order] = np.arange(1.0, len(ranks) + 1)
    chosen = np.zeros(len(ranks), bool)
    tree = minimum_spanning_tree(csr_array((ranks, (edges.first, edges.second)), shape=(count, count)))
    chosen[order[tree.data.astype(np.int64) - 1]] = True
    right, down = (np.zeros_like(flags) for flags in network.inside)
    split = int(network.inside[0].sum())
    right[network.inside[0]], down[network.inside[1]] = chosen[:split], chosen[split:]
    return right, down


def sum_along(network: Network, tree: Flags) -> Array:
    """Heights that follow the targets along a spanning tree exactly, each region with mean 0."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import breadth_first_order

    mask, labels = network.domain.mask, network.domain.labels
    edges = list_edges(network, network.targets)
    inside = np.concatenate([flags[pairs] for flags, pairs in zip(tree, network.inside, strict=True)])
    first, second, steps = edges.first[inside], edges.second[inside], edges.targets[inside]
    # One more node holds the first pixel of each region.
    numbers, places = np.unique(labels.ravel(), return_index=True)
    roots, top = places[numbers > 0].astype(np.int32), mask.size
    rows, columns = np.concatenate([first, np.full(len(roots), top, np.int32)]), np.concatenate([second, roots])
    graph = csr_array((np.ones(len(rows)), (rows, columns)), shape=(top + 1, top + 1))
    _, parents = breadth_first_order(graph, top, directed=False, return_predecessors=True)
    parent = np.where(parents < 0, top, parents).astype(np.int64)
    heights, below = np.zeros(top + 1), parent[second] == first
    heights[second[below]], heights[first[~below]] = steps[below], -steps[~below]
    # Each pass doubles the length of the paths that are summed.
    while (parent != top).any():
        heights = heights + heights[parent]
        parent = parent[parent]
    return level_regions(heights[:-1].reshape(mask.shape), network.domain)
