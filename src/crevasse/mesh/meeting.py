"""Which of the four pixels that meet in a lattice point share a vertex there.

The slots of a point are its pixels: 0 above left, 1 above right, 2 below left, 3 below right.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]
Slots = NDArray[np.uint8]
NONE = 4
"""Leader of a slot that holds no pixel."""


def leaders(mask: Mask, links: tuple[Mask, Mask], first: int, last: int) -> Slots:
    """The first slot of the group that each slot belongs to, (last - first, W + 1, 4), for rows of lattice points.

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
    found = np.full((*a.shape, 4), NONE, np.uint8)
    found[..., 0][a] = 0
    with_first = top | (beside & bottom & left)
    found[..., 1][b] = np.where(with_first, 0, 1)[b]
    third = np.where(left | (bottom & beside & top), 0, np.where(bottom & beside, 1, 2))
    found[..., 2][c] = third[c]
    fourth = np.where((beside & top) | (bottom & left), 0, np.where(beside, 1, np.where(bottom, 2, 3)))
    found[..., 3][d] = fourth[d]
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
    """An image of corners (2L, 2(W + 1)) by point and slot, (L, W + 1, 4)."""
    height, width = corners.shape[0] // 2, corners.shape[1] // 2
    return (
        corners.reshape(height, 2, width, 2, *corners.shape[2:])
        .swapaxes(1, 2)
        .reshape(height, width, 4, *corners.shape[2:])
    )


def share(values: NDArray[np.float64], leader: Slots) -> NDArray[np.float64]:
    """The mean over the group of each slot, in every slot; values are (L, W + 1, 4) or (L, W + 1, 4, D)."""
    shared = np.zeros_like(values)
    tail = (1,) * (values.ndim - 3)
    for first in range(4):
        members = (leader == first).reshape(*leader.shape, *tail)
        count = members.sum(axis=2, keepdims=True)
        mean = np.where(members, values, 0.0).sum(axis=2, keepdims=True) / np.maximum(count, 1)
        shared += np.where(members, mean, 0.0)
    return shared
