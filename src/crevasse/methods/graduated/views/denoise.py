"""Edge-preserving smoothing of slopes: non-local means over a 5 x 5 window."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import GRAZING, Array, Slopes
from crevasse.lattice import row_blocks
from crevasse.methods.graduated.noise import NOISY, is_noisy
from crevasse.methods.problem import Problem

WINDOW = 2
"""Pixels to each side that contribute to a mean."""
SPATIAL_SIGMA = 1.5  # px
SIMILARITY = 2.0
"""Standard deviations by which neighbourhoods of 3 x 3 pixels may differ and still count as the same surface."""
PASSES = 2
REMAINING = 0.4
"""Share of the noise that remains after a pass."""
CHUNK = 1 << 18
"""Pixels processed between two checks for Ctrl-C."""

Single = NDArray[np.float32]


class _Angles(NamedTuple):
    """Angles of the slopes per column and per row, the mask as 0 and 1, and the noise; padded by a margin."""

    right: Single
    down: Single
    inside: Single
    noise: Single


def denoise(problem: Problem, noise: Array) -> Problem:
    """Smooth the slopes of noisy regions; a problem without noise is returned as it is.

    Each pixel takes the weighted mean of the pixels of its window whose neighbourhoods look like its own. Normals
    turn at a jump, so the neighbourhoods differ there and both sides keep their slopes.

    Parameters
    ----------
    noise : standard deviation of the slopes' noise per region
    """
    if not is_noisy(noise).any():
        return problem
    by_pixel = np.where(noise < NOISY, 0.0, noise)[problem.domain.labels]
    right, down = problem.slopes.steepness()
    angles = _Angles(_pad(np.arctan(right)), _pad(np.arctan(down)), _pad(problem.mask), _pad(by_pixel))
    for _ in range(PASSES):
        right, down = _average(angles)
        angles = _Angles(_pad(right), _pad(down), angles.inside, angles.noise * np.float32(REMAINING))
    smooth = _with_angles(problem.slopes, right, down, problem.mask)
    changed = (np.where(by_pixel > 0, new, old) for new, old in zip(smooth, problem.slopes, strict=True))
    return replace(problem, slopes=Slopes(*changed))


def _pad(image: NDArray[Any]) -> Single:
    return np.pad(image.astype(np.float32), WINDOW + 1)


def _average(angles: _Angles) -> tuple[Array, Array]:
    height, width = (side - 2 * (WINDOW + 1) for side in angles.inside.shape)
    means = np.empty((2, height, width), np.float32)
    for block in row_blocks((height, width), CHUNK):
        rows = slice(block.start, block.stop + 2 * (WINDOW + 1))
        means[:, block] = _average_rows(_Angles(*(image[rows] for image in angles)))
    return means[0].astype(float), means[1].astype(float)


def _average_rows(angles: _Angles) -> Single:
    """Weighted means of both angles for the rows inside the margin, (2, rows, columns)."""
    count = np.maximum(_neighbourhoods(angles.inside), 1)
    right, down = _neighbourhoods(angles.right) / count, _neighbourhoods(angles.down) / count
    spread = np.square(angles.noise[1:-1, 1:-1]) / count + np.float32(1e-12)
    height, width = (side - 2 * WINDOW for side in spread.shape)
    here = (slice(WINDOW, WINDOW + height), slice(WINDOW, WINDOW + width))
    expected = spread[here]
    sums = np.zeros((3, height, width), np.float32)
    for y in range(2 * WINDOW + 1):
        for x in range(2 * WINDOW + 1):
            there = (slice(y, y + height), slice(x, x + width))
            difference = np.square(right[there] - right[here]) + np.square(down[there] - down[here])
            # Expected from noise alone: two angles of each of two neighbourhoods.
            excess = np.maximum(difference - 4 * expected, 0) / expected
            weight = np.exp(-excess / np.float32(4 * SIMILARITY**2)) * angles.inside[1:-1, 1:-1][there]
            weight *= np.float32(np.exp(-((y - WINDOW) ** 2 + (x - WINDOW) ** 2) / (2 * SPATIAL_SIGMA**2)))
            sums[0] += weight
            sums[1] += weight * angles.right[1:-1, 1:-1][there]
            sums[2] += weight * angles.down[1:-1, 1:-1][there]
    return np.asarray(sums[1:] / np.maximum(sums[0], np.float32(1e-9)))


def _neighbourhoods(image: Single) -> Single:
    """Sums of 3 x 3 pixels."""
    rows = image[:-2] + image[1:-1] + image[2:]
    return np.asarray(rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:])


def _with_angles(slopes: Slopes, right: Array, down: Array, mask: NDArray[np.bool_]) -> Slopes:
    """Slopes with these angles, and cosines to match."""
    before, after = slopes.steepness(), (np.tan(right), np.tan(down))
    length = np.maximum(slopes.cosine, GRAZING) * np.sqrt(1 + before[0] ** 2 + before[1] ** 2)
    cosine = np.where(mask, length / np.sqrt(1 + after[0] ** 2 + after[1] ** 2), 0.0)
    return Slopes(cosine, cosine * after[0], cosine * after[1])
