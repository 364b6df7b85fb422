"""The lattice of the paper (Sec. 4): four corners a pixel, pixel edges, auxiliary edges, regions."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array
from crevasse.native import label

Mask = NDArray[np.bool_]
Labels = NDArray[np.int32]

MOST_RISE = 0.9
"""Largest rise within a pixel, as a share of the depth: far beyond what a camera can see, it keeps the offsets of
absurdly short focal lengths finite."""


def label_regions(mask: Mask) -> tuple[Labels, int]:
    """Connected parts of the mask (four neighbours): labels 1.. (0 outside), and their number."""
    return _label(mask, None)


def pairs(mask: Mask) -> tuple[Mask, Mask]:
    """Where a pixel has a neighbour in the mask: right (H, W-1) and down (H-1, W)."""
    return mask[:, :-1] & mask[:, 1:], mask[:-1] & mask[1:]


def row_blocks(shape: tuple[int, ...], pixels: int) -> Iterator[slice]:
    """The rows of an image by and by, about so many pixels at a time."""
    height, width = shape
    step = max(pixels // width, 1)
    return (slice(top, min(top + step, height)) for top in range(0, height, step))


def plane_offset(rise: Array, curvature: float) -> Array:
    """Height gained on a plane that rises by `rise` to first order."""
    if curvature == 0.0:
        return rise
    return -np.log1p(-np.minimum(rise * curvature, MOST_RISE)) / curvature


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
    # Stable, so that islands of equal size keep the order in which they are met.
    order = np.argsort(-sizes[1:], kind="stable") + 1
    rank[0], rank[order] = 0, np.arange(1, len(sizes))
    ranked: Labels = rank[labels]
    return ranked


def _label(mask: Mask, cuts: tuple[Mask, Mask] | None) -> tuple[Labels, int]:
    """Labels in the order in which parts are met row by row, and their number."""
    labels = np.empty(mask.shape, np.int32)
    right, down = (None, None) if cuts is None else (_bytes(cut) for cut in cuts)
    return labels, label(_bytes(mask), right, down, labels)


def _bytes(image: Mask) -> NDArray[np.uint8]:
    return np.ascontiguousarray(image, bool).view(np.uint8)
