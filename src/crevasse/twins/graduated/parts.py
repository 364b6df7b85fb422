"""Parts of a surface: pixels merged along their strongest bonds.

In each round every part merges with the neighbour that it is bound to most (as in Boruvka's algorithm for a maximum
spanning forest, but bonds between the same two parts add up). Merging stops when no bond is positive or when few
enough parts are left.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from crevasse.cameras import Array
from crevasse.twins.graduated.energy import Contacts
from crevasse.twins.graduated.grid import neighbour
from crevasse.twins.graduated.pairs import Mask

Indices = NDArray[np.int64]


class Bonds(NamedTuple):
    """What binds parts that meet, all (N,); each two parts appear once, first < second."""

    first: Indices
    second: Indices
    strength: Array


def bond_strength(contacts: Contacts) -> Array:
    """What opening each contact would add to the energy at least, for moves of parts."""
    return np.maximum(0.0, contacts.least() - contacts.cost(contacts.gap))


def merge_pixels(strength: Array, exists: Mask, inside: Mask, limit: int) -> Indices:
    """The part of each pixel, (H, W): numbered from 0 by their first pixels, -1 outside.

    Pixels always merge once; further rounds follow while there are more than `limit` parts.
    """
    labels = np.full(inside.shape, -1)
    labels[inside] = np.arange(np.count_nonzero(inside))
    # Single precision decides ties: beside contacts that hints hold, worth a million, others hardly differ.
    bonds = sum_bonds(
        np.broadcast_to(labels, exists.shape)[exists], neighbour(labels)[exists], strength[exists].astype(np.float32)
    )
    count = int(np.count_nonzero(inside))
    while True:
        joined = join(count, np.arange(count), strongest_neighbour(count, bonds))
        before, count = count, int(joined.max(initial=-1)) + 1
        labels[inside] = joined[labels[inside]]
        bonds = sum_bonds(joined[bonds.first], joined[bonds.second], bonds.strength)
        if count <= limit or count == before:
            return labels


def sum_bonds(first: Indices, second: Indices, strength: Array) -> Bonds:
    """Add up the bonds between the same two parts, and drop those within a part."""
    apart = first != second
    ends = np.sort(np.stack([first[apart], second[apart]]), axis=0)
    ends, place = np.unique(ends, axis=1, return_inverse=True)
    total = np.bincount(place.ravel(), strength[apart], minlength=ends.shape[1])
    return Bonds(ends[0], ends[1], total.astype(float))


def strongest_neighbour(count: int, bonds: Bonds, least: float = 0.0, joins: Mask | None = None) -> Indices:
    """The neighbour that each part is bound to most, (count,); itself where no bond exceeds `least`.

    Equal bonds: the neighbour with the lower number.

    Parameters
    ----------
    joins : (count,) array, the parts that look for a neighbour at all; by default, all
    """
    part = np.concatenate([bonds.first, bonds.second])
    other = np.concatenate([bonds.second, bonds.first])
    strength = np.tile(bonds.strength, 2)
    chosen = np.arange(count)
    # From weak to strong bonds: what is written last stays.
    order = np.lexsort((-other, strength))
    order = order[(strength > least)[order] & (np.True_ if joins is None else joins[part[order]])]
    chosen[part[order]] = other[order]
    return chosen


def join(count: int, first: Indices, second: Indices) -> Indices:
    """Connected components of `count` nodes with these edges, numbered by their first members, (count,)."""
    graph = coo_array((np.ones(len(first)), (first, second)), (count, count))
    labels = connected_components(graph, directed=False)[1]
    begins = np.unique(labels, return_index=True)[1]
    return np.asarray(np.argsort(np.argsort(begins))[labels], np.int64)
