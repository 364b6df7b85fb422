"""The lattice of the paper (Sec. 4): four corners a pixel, pixel edges, auxiliary edges, regions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from crevasse.cameras import Array, Slopes

Mask = NDArray[np.bool_]
Labels = NDArray[np.int32]

FOUR_NEIGHBOURS = ndimage.generate_binary_structure(2, 1)


def label_regions(mask: Mask) -> tuple[Labels, int]:
    """Connected parts of the mask (four neighbours): labels 1.. (0 outside), and their number."""
    labels = np.empty(mask.shape, np.int32)
    count = ndimage.label(mask, FOUR_NEIGHBOURS, output=labels)
    return labels, int(count)


def pairs(mask: Mask) -> tuple[Mask, Mask]:
    """Where a pixel has a neighbour in the mask: right (H, W-1) and down (H-1, W)."""
    return mask[:, :-1] & mask[:, 1:], mask[:-1] & mask[1:]


def repeat_corners(image: NDArray[np.generic]) -> NDArray[np.generic]:
    """An (H, W) image on the (2H, 2W) corners, each pixel's value on its four corners."""
    return image.repeat(2, axis=0).repeat(2, axis=1)


def corner_offsets(slopes: Slopes, curvature: float) -> Array:
    """Heights of a pixel's four corners over its centre, on the exact plane of its normal, (2H, 2W).

    Along a plane, depth(u, v) = depth * (n . ray) / (n . ray(u, v)); in heights z = f log(depth) this is
    -f log(1 - slope . step / f), whose limit for a long focal length is slope . step.
    """
    right, down = slopes.steepness()
    offsets = np.empty((2 * right.shape[0], 2 * right.shape[1]))
    for row in (0, 1):
        for column in (0, 1):
            offsets[row::2, column::2] = plane_offset(right * (column - 0.5) + down * (row - 0.5), curvature)
    return offsets


def plane_offset(rise: Array, curvature: float) -> Array:
    """Height gained on a plane that rises by `rise` to first order."""
    if curvature == 0.0:
        return rise
    # A clamp far beyond any pixel that a camera can see keeps absurdly short focal lengths finite.
    return -np.log1p(-np.minimum(rise * curvature, 0.9)) / curvature


def jumps_across(corners: Array) -> tuple[Array, Array]:
    """Differences across auxiliary edges: right (2H, W-1), down (H-1, 2W)."""
    return corners[:, 2::2] - corners[:, 1:-1:2], corners[2::2] - corners[1:-1:2]


def label_islands(mask: Mask, cuts: tuple[Mask, Mask]) -> Labels:
    """Parts of the mask that cuts separate completely: labels 1.., largest first (0 outside).

    Parameters
    ----------
    cuts : pairs of pixels that are not connected: right (H, W-1), down (H-1, W)
    """
    right, down = (inside & ~cut for inside, cut in zip(pairs(mask), cuts, strict=True))
    # Labelled on a grid with a cell for each pixel and each pair, which is where connections live.
    grid = np.zeros((2 * mask.shape[0] - 1, 2 * mask.shape[1] - 1), bool)
    grid[0::2, 0::2], grid[0::2, 1::2], grid[1::2, 0::2] = mask, right, down
    labels = ndimage.label(grid, FOUR_NEIGHBOURS)[0][0::2, 0::2]
    sizes = np.bincount(labels.ravel())
    sizes[0] = 0
    rank = np.empty(len(sizes), np.int32)
    # Stable, so that islands of equal size keep the order in which they are met.
    order = np.argsort(-sizes[1:], kind="stable") + 1
    rank[0], rank[order] = 0, np.arange(1, len(sizes))
    ranked: Labels = rank[labels]
    return ranked
