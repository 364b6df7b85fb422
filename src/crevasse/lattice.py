"""The lattice of the paper (Sec. 4): four corners per pixel, pixel edges, auxiliary edges, regions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array
from crevasse.native import label

Mask = NDArray[np.bool_]
Labels = NDArray[np.int32]


def label_regions(mask: Mask) -> tuple[Labels, int]:
    """Connected parts of the mask (four neighbours): labels 1.. (0 outside), and their number."""
    return _label(mask, None)


def pairs(mask: Mask) -> tuple[Mask, Mask]:
    """Where a pixel has a neighbour in the mask: right (H, W-1) and down (H-1, W)."""
    return mask[:, :-1] & mask[:, 1:], mask[:-1] & mask[1:]


class Pairs(NamedTuple):
    """A flag per pair of neighbours, both (H, W): each pixel with its right and with its lower neighbour.

    The last column of `right` and the last row of `down` are the pairs across a periodic border; on a map with free
    borders they are False.
    """

    right: Mask
    down: Mask


def row_blocks(shape: tuple[int, ...], pixels: int) -> Iterator[slice]:
    """Blocks of rows of an image, about this many pixels each."""
    height, width = shape
    step = max(pixels // width, 1)
    return (slice(top, min(top + step, height)) for top in range(0, height, step))


def jumps_across(corners: Array) -> tuple[Array, Array]:
    """Differences across auxiliary edges: right (2H, W-1), down (H-1, 2W)."""
    return corners[:, 2::2] - corners[:, 1:-1:2], corners[2::2] - corners[1:-1:2]


def divergence(flux_right: Array, flux_down: Array) -> Array:
    """Sum of the fluxes that enter each point minus those that leave it, (H, W)."""
    height, width = flux_right.shape[0], flux_down.shape[1]
    total = np.zeros((height, width))
    total[:, 1:] += flux_right
    total[:, :-1] -= flux_right
    total[1:] += flux_down
    total[:-1] -= flux_down
    return total


def label_islands(mask: Mask, cuts: tuple[Mask, Mask]) -> Labels:
    """Parts of the mask that cuts separate completely: labels 1.., largest first (0 outside).

    Parameters
    ----------
    cuts : pairs of pixels that are not connected: right (H, W-1), down (H-1, W)
    """
    labels, _ = _label(mask, cuts)
    sizes = np.bincount(labels.ravel())
    sizes[0] = 0
    rank = np.empty(len(sizes), np.int32)
    # Stable, so that islands of equal size stay in scan order.
    order = np.argsort(-sizes[1:], kind="stable") + 1
    rank[0], rank[order] = 0, np.arange(1, len(sizes))
    ranked: Labels = rank[labels]
    return ranked


def join(count: int, first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.int64]:
    """Label connected components: numbers from 0, (count,), if each first is joined to its second.

    >>> join(5, np.array([0, 3]), np.array([4, 1])).tolist()
    [0, 1, 2, 1, 0]
    """
    label = np.arange(count)
    while True:
        least = np.minimum(label[first], label[second])
        lower = label.copy()
        np.minimum.at(lower, label[first], least)
        np.minimum.at(lower, label[second], least)
        lower = lower[lower]
        if np.array_equal(lower, label):
            return np.unique(label, return_inverse=True)[1].astype(np.int64)
        label = lower


def _label(mask: Mask, cuts: tuple[Mask, Mask] | None) -> tuple[Labels, int]:
    """Labels in scan order, and their number."""
    labels = np.empty(mask.shape, np.int32)
    right, down = (None, None) if cuts is None else (_bytes(cut) for cut in cuts)
    return labels, label(_bytes(mask), right, down, labels)


def _bytes(image: Mask) -> NDArray[np.uint8]:
    return np.ascontiguousarray(image, bool).view(np.uint8)
