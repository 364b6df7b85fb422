"""Blocks of 8 x 8 pixels that JPEG compression leaves in a normal map."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array
from crevasse.lattice import row_blocks
from crevasse.methods.problem import CHUNK, Problem

BLOCK = 8
"""Side of the blocks in pixels."""
MOST = 1.35
"""Ratio to the mean number of peaks above which one place in a block counts as a seam.

At seams of JPEG images the ratio was above 1.5, in estimated normals at most 1.3.
"""
CHANCE = 1.5
"""Standard deviations of a count that are added to this limit."""
CLIP = 3
"""Multiple of its neighbourhood's median to which a column's number of peaks is clipped: straight jumps have more."""
SHARP = 1.3
"""Ratio to its neighbours from which a bend counts as a peak: smooth bends, which follow no seam, have less."""


def has_blocks(problem: Problem) -> bool:
    """Whether slopes bend most often at one of every eight places, in rows as well as in columns.

    Only the places of peaks count, not their heights, so that jumps weigh no more than what lies between them.
    """
    angles = np.empty((2, *problem.mask.shape))
    for rows in row_blocks(problem.mask.shape, CHUNK):
        for angle, slope in zip(angles, problem.slopes.rows(rows).steepness(), strict=True):
            angle[rows] = np.arctan(np.where(problem.mask[rows], slope, 0.0))
    for axis in (0, 1):
        across = np.moveaxis(problem.mask, axis, -1)
        peaks = sum(_count_peaks(np.moveaxis(angle, axis, -1), across) for angle in angles)
        if not np.max(peaks) > MOST * np.mean(peaks) + CHANCE * np.sqrt(np.mean(peaks)):
            return False
    return True


def _count_peaks(values: Array, mask: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Peaks of the third difference along rows, by their column modulo `BLOCK`."""
    from scipy import ndimage

    if values.shape[1] < 2 * BLOCK:
        return np.zeros(BLOCK, np.int64)
    counts = np.zeros(-(-(values.shape[1] - 3) // BLOCK) * BLOCK, np.int64)
    for rows in row_blocks(values.shape, CHUNK):
        inside, bend = np.ascontiguousarray(mask[rows]), np.abs(np.diff(values[rows], 3, axis=1))
        known = inside[:, :-3] & inside[:, 1:-2] & inside[:, 2:-1] & inside[:, 3:]
        highest = ndimage.maximum_filter1d(bend, BLOCK - 1, axis=1)
        whole = ndimage.minimum_filter1d(known.view(np.uint8), BLOCK - 1, axis=1, mode="constant") > 0
        beside = np.maximum(np.roll(bend, 1, axis=1), np.roll(bend, -1, axis=1))
        # What rounding leaves of a plane has no peaks.
        columns = np.nonzero(whole & (bend >= highest) & (bend > SHARP * beside) & (bend > 1e-9))[1]
        counts += np.bincount(columns, minlength=len(counts))
    counts = np.minimum(counts, CLIP * ndimage.median_filter(counts, 2 * BLOCK - 1))
    return np.asarray(counts.reshape(-1, BLOCK).sum(axis=0))
