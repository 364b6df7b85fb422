"""Decide which of the four pixels that meet at a lattice point share a vertex there.

The slots of a point are its pixels: 0 above left, 1 above right, 2 below left, 3 below right.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]
Slots = NDArray[np.uint8]
NONE = 4
"""Leader of an empty slot."""


def leaders(mask: Mask, links: tuple[Mask, Mask], first: int, last: int) -> Slots:
    """The first slot of the group that each slot belongs to, (4, last - first, W + 1), for rows of lattice points.

    Pixels belong to one group where links join them around the point, so that the faces around a vertex form one
    fan and the mesh is manifold.

    Parameters
    ----------
    links : pairs of pixels that the surface joins: right (H, W-1) and down (H-1, W)
    first, last : the rows of lattice points, from 0 to H
    """
    inside, right, down = _bands(mask, links, first, last)
    a, b, c, d = inside[:-1, :-1], inside[:-1, 1:], inside[1:, :-1], inside[1:, 1:]
    top, bottom = right[:-1], right[1:]
    left, beside = down[:, :-1], down[:, 1:]
    found = np.full((4, *a.shape), NONE, np.uint8)
    found[0][a] = 0
    found[1][b] = np.where(top | (beside & bottom & left), 0, 1)[b]
    found[2][c] = np.where(left | (bottom & beside & top), 0, np.where(bottom & beside, 1, 2))[c]
    fourth = np.where((beside & top) | (bottom & left), 0, np.where(beside, 1, np.where(bottom, 2, 3)))
    found[3][d] = fourth[d]
    return found


def _bands(mask: Mask, links: tuple[Mask, Mask], first: int, last: int) -> tuple[Mask, Mask, Mask]:
    """Mask and links of the pixels around some rows of points, False beyond the image."""
    height, width = mask.shape
    inside = np.zeros((last - first + 1, width + 2), bool)
    right = np.zeros((last - first + 1, width + 1), bool)
    down = np.zeros((last - first, width + 2), bool)
    top, bottom = max(first - 1, 0), min(last, height)
    place = slice(top - first + 1, bottom - first + 1)
    inside[place, 1:-1] = mask[top:bottom]
    right[place, 1:-1] = links[0][top:bottom]
    top, bottom = max(first - 1, 0), min(last - 1, height - 1)
    if bottom > top:
        down[top - first + 1 : bottom - first + 1, 1:-1] = links[1][top:bottom]
    return inside, right, down


def slots_of(corners: NDArray[Any]) -> NDArray[Any]:
    """An image of corners (2L, 2(W + 1)) by slot and point, (4, L, W + 1)."""
    return np.stack([corners[row::2, column::2] for row in (0, 1) for column in (0, 1)])


def share(values: NDArray[np.float64], leader: Slots) -> NDArray[np.float64]:
    """The mean over the group of each slot, in every slot; values are (4, L, W + 1) or (4, L, W + 1, D)."""
    shared = np.empty_like(values)
    shared[:] = (values[0] + values[1] + values[2] + values[3]) / 4
    several = leader.any(axis=0)
    shared[:, several] = _share_few(values[:, several], leader[:, several])
    return shared


def _share_few(values: NDArray[np.float64], leader: Slots) -> NDArray[np.float64]:
    """The same at points (4, N) where not all four slots are one group."""
    shared = np.zeros_like(values)
    for first in range(4):
        members = (leader == first).reshape(*leader.shape, *(1,) * (values.ndim - 2))
        mean = np.where(members, values, 0.0).sum(axis=0) / np.maximum(members.sum(axis=0), 1)
        shared += np.where(members, mean, 0.0)
    return shared
