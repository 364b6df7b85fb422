"""Slopes with their noise averaged out, as far as that hides no crease."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import GRAZING, Array, Slopes
from crevasse.lattice import row_blocks
from crevasse.methods.problem import Problem

NOISY = 0.01
"""Noise from which slopes are averaged; below, single pixels tell creases well enough."""
WINDOW = 2
"""Pixels to each side that may help a pixel."""
REACH = 1.5
"""Pixels after which they help less: the standard deviation of a bell."""
ALIKE = 2.0
"""Standard deviations by which surroundings of 3 x 3 pixels may differ and still count as the same surface."""
PASSES = 2
LEFT = 0.4
"""Share of the noise that is left after a pass."""
CHUNK = 1 << 18
"""Pixels that are looked at together."""

Single = NDArray[np.float32]


class _Angles(NamedTuple):
    """Angles of the slopes per column and per row, the mask as 0 and 1, and the noise; with a margin all around."""

    right: Single
    down: Single
    inside: Single
    noise: Single


def steady(problem: Problem, noise: Array) -> Problem:
    """The problem with steadier slopes in regions of much noise; itself where there is none.

    Parameters
    ----------
    noise : standard deviation of the slopes' noise per region

    A pixel takes the mean of those of its window whose surroundings look like its own. Where a jump is, the normals
    turn and the surroundings differ, so that both sides keep their slopes.
    """
    if not is_noisy(noise).any():
        return problem
    by_pixel = np.where(noise < NOISY, 0.0, noise)[problem.labels]
    right, down = problem.slopes.steepness()
    angles = _Angles(_pad(np.arctan(right)), _pad(np.arctan(down)), _pad(problem.mask), _pad(by_pixel))
    for _ in range(PASSES):
        right, down = _average(angles)
        angles = _Angles(_pad(right), _pad(down), angles.inside, angles.noise * np.float32(LEFT))
    steadier = _with_angles(problem.slopes, right, down, problem.mask)
    changed = (np.where(by_pixel > 0, new, old) for new, old in zip(steadier, problem.slopes, strict=True))
    return replace(problem, slopes=Slopes(*changed))


def is_noisy(noise: Array) -> NDArray[np.bool_]:
    """Regions whose slopes are averaged."""
    return np.asarray(np.append(False, noise[1:] >= NOISY))


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
    """Means of the rows inside the margin, (2, rows, columns)."""
    count = np.maximum(_surroundings(angles.inside), 1)
    right, down = _surroundings(angles.right) / count, _surroundings(angles.down) / count
    spread = np.square(angles.noise[1:-1, 1:-1]) / count + np.float32(1e-12)
    height, width = (side - 2 * WINDOW for side in spread.shape)
    here = (slice(WINDOW, WINDOW + height), slice(WINDOW, WINDOW + width))
    expected = spread[here]
    sums = np.zeros((3, height, width), np.float32)
    for y in range(2 * WINDOW + 1):
        for x in range(2 * WINDOW + 1):
            there = (slice(y, y + height), slice(x, x + width))
            difference = np.square(right[there] - right[here]) + np.square(down[there] - down[here])
            # Of two noisy surroundings, two angles each differ by as much.
            excess = np.maximum(difference - 4 * expected, 0) / expected
            weight = np.exp(-excess / np.float32(4 * ALIKE**2)) * angles.inside[1:-1, 1:-1][there]
            weight *= np.float32(np.exp(-((y - WINDOW) ** 2 + (x - WINDOW) ** 2) / (2 * REACH**2)))
            sums[0] += weight
            sums[1] += weight * angles.right[1:-1, 1:-1][there]
            sums[2] += weight * angles.down[1:-1, 1:-1][there]
    return np.asarray(sums[1:] / np.maximum(sums[0], np.float32(1e-9)))


def _surroundings(image: Single) -> Single:
    """Sums of 3 x 3 pixels."""
    rows = image[:-2] + image[1:-1] + image[2:]
    return np.asarray(rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:])


def _with_angles(slopes: Slopes, right: Array, down: Array, mask: NDArray[np.bool_]) -> Slopes:
    """Slopes that have these angles, and the cosines that follow."""
    before, after = slopes.steepness(), (np.tan(right), np.tan(down))
    length = np.maximum(slopes.cosine, GRAZING) * np.sqrt(1 + before[0] ** 2 + before[1] ** 2)
    cosine = np.where(mask, length / np.sqrt(1 + after[0] ** 2 + after[1] ** 2), 0.0)
    return Slopes(cosine, cosine * after[0], cosine * after[1])
