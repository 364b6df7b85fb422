"""Large maps at half the resolution, where a surface is found at a quarter of the cost."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import GRAZING, Array, Slopes
from crevasse.lattice import row_blocks
from crevasse.methods.problem import CHUNK, Problem

LARGE = 1 << 19
"""Pixels in the mask from which on a surface is first sought at half the resolution."""

LIKELY = 4.0
"""How much more a pixel must differ from the wide one it is part of, as a squared angle, to belong to another."""
SAME = 0.003
"""Squared angle, three degrees, that is no difference."""


def is_large(problem: Problem) -> bool:
    return halvings(problem.pixels) > 0


def halvings(pixels: int) -> int:
    """How often a map of so many pixels is halved until it is not large any more."""
    return 0 if pixels < LARGE else 1 + halvings(pixels // 4)


def halve(problem: Problem) -> Problem:
    """The problem on pixels twice as wide, each with the mean slopes of those of its four that are in the mask."""
    height, width = problem.mask.shape
    shape = ((height + 1) // 2, (width + 1) // 2)
    mask = np.zeros(shape, bool)
    slopes = Slopes(*(np.zeros(shape) for _ in Slopes._fields))
    for rows in row_blocks(shape, CHUNK // 4):
        fine = slice(2 * rows.start, 2 * rows.stop)
        here = problem.slopes.rows(fine)
        count = _sum(problem.mask[fine])
        mask[rows] = count > 0
        right, down, cosine = (_sum(image) / np.maximum(count, 1) for image in (*here.steepness(), here.cosine))
        slopes.cosine[rows] = np.where(mask[rows], np.maximum(cosine, GRAZING), 0.0)
        slopes.across[rows] = slopes.cosine[rows] * right
        slopes.along[rows] = slopes.cosine[rows] * down
    hints = None if problem.hints is None else _halve_hints(problem.hints)
    return Problem(slopes, mask, 2 * problem.curvature, problem.threads, hints, True, problem.watched)


def double(heights: Array, small: Problem, problem: Problem) -> Array:
    """Heights found for the halved problem, on the pixels of the problem itself.

    A pixel lies on the plane of the wide one it is part of. At a contour that one may be of both sides; there it lies
    on the plane of the neighbour whose normal is most like its own.
    """
    fine = np.zeros(problem.mask.shape)
    for rows in row_blocks(problem.mask.shape, CHUNK // 8):
        fine[rows] = _double_rows(rows, heights, small, problem)
    return fine


def _double_rows(rows: slice, heights: Array, small: Problem, problem: Problem) -> Array:
    height, width = small.mask.shape
    right, down = (image[rows] for image in problem.steepness)
    y, x = np.arange(rows.start, rows.stop)[:, None], np.arange(problem.mask.shape[1])
    # To which side of the wide pixel's centre, and so to which of its neighbours, each pixel lies.
    below, beside = 2 * (y % 2) - 1, 2 * (x % 2) - 1
    leans = np.arctan(right), np.arctan(down)
    best, least = np.zeros(right.shape), np.full(right.shape, np.inf, np.float32)
    for v, u in ((0, 0), (0, 1), (1, 0), (1, 1)):
        at = np.clip(y // 2 + v * below, 0, height - 1), np.clip(x // 2 + u * beside, 0, width - 1)
        wide_right, wide_down = (image[at] for image in small.steepness)
        turn = np.square(np.arctan(wide_right) - leans[0]) + np.square(np.arctan(wide_down) - leans[1])
        turn = (turn + np.float32(SAME)) * np.float32(1 if v == u == 0 else LIKELY)
        closer = small.mask[at] & (turn < least)
        ahead = (0.25 - u) * beside * (wide_right + right) + (0.25 - v) * below * (wide_down + down)
        np.copyto(best, 2 * heights[at] + ahead, where=closer)
        np.copyto(least, turn, where=closer)
    return np.where(problem.mask[rows], best, 0.0)


def _sum(image: NDArray[Any]) -> Array:
    """Sums of 2 x 2 pixels; what is missing at an odd border counts as 0."""
    height, width = image.shape
    sums = np.zeros(((height + 1) // 2, (width + 1) // 2))
    for y in (0, 1):
        for x in (0, 1):
            part = image[y::2, x::2]
            sums[: part.shape[0], : part.shape[1]] += part
    return sums


def _halve_hints(hints: NDArray[np.int8]) -> NDArray[np.int8]:
    """A pixel with both sides of a line in it is cut off all around; what forces goes before what forbids."""
    found = {value: _sum(hints == value) > 0 for value in (1, 2, 3, -1)}
    either = [found[1] | (found[2] & found[3]), found[2], found[3], found[-1]]
    return np.select(either, (1, 2, 3, -1), 0).astype(np.int8)
