"""Large maps at half the resolution, where a surface is found at a quarter of the cost."""

from __future__ import annotations

import numpy as np

from crevasse.cameras import GRAZING, Array, Slopes
from crevasse.lattice import row_blocks
from crevasse.methods.graduated.blocks import sum_blocks
from crevasse.methods.graduated.terms.hints import restrict_hints
from crevasse.methods.problem import CHUNK, Domain, Problem, Step, pose

LARGE = 1 << 17
"""Pixels in the mask from which on a surface is first sought at half the resolution: that is faster, and places the
parts of clutter better. Smaller maps would lose what is two pixels wide."""

OTHER_SIDE = 4.0
"""Factor by which a pixel must be more like a neighbouring wide pixel than like its own, as a squared angle, to lie
on the neighbour's plane."""
SAME = 0.003
"""Squared angle (three degrees) below which pixels count as equally inclined."""


def is_large(pixels: int) -> bool:
    """Whether a map with this many pixels is first solved at half the resolution."""
    return pixels >= LARGE


def count_levels(pixels: int) -> int:
    """Number of times a map with this many pixels is restricted."""
    return 1 + count_levels(pixels // 4) if is_large(pixels) else 0


def restrict(problem: Problem) -> Problem:
    """The problem on pixels twice as wide, each with the mean slopes of its pixels that are in the mask."""
    height, width = problem.mask.shape
    shape = ((height + 1) // 2, (width + 1) // 2)
    mask = np.zeros(shape, bool)
    slopes = Slopes(*(np.zeros(shape) for _ in Slopes._fields))
    for rows in row_blocks(shape, CHUNK // 4):
        fine = slice(2 * rows.start, 2 * rows.stop)
        here = problem.slopes.rows(fine)
        count = sum_blocks(problem.mask[fine])
        mask[rows] = count > 0
        right, down, cosine = (sum_blocks(image) / np.maximum(count, 1) for image in (*here.steepness(), here.cosine))
        slopes.cosine[rows] = np.where(mask[rows], np.maximum(cosine, GRAZING), 0.0)
        slopes.across[rows] = slopes.cosine[rows] * right
        slopes.along[rows] = slopes.cosine[rows] * down
    domain = problem.domain
    hints = None if domain.hints is None else restrict_hints(domain.hints)
    return pose(slopes, mask, domain.planes.restricted(), problem.threads, hints)


def prolong(heights: Array, wide: Domain, domain: Domain) -> Array:
    """Heights found at half the resolution, on the pixels of the map itself.

    A pixel lies on the plane of the wide pixel that contains it. A wide pixel at a contour may mix both sides; there
    a pixel lies on the plane of the neighbour whose normal is most like its own.
    """
    fine = np.zeros(domain.mask.shape)
    for rows in row_blocks(domain.mask.shape, CHUNK // 8):
        fine[rows] = _prolong_rows(rows, heights, wide, domain)
    return fine


def prolong_step(step: Step, wide: Domain, fine: Domain) -> Step:
    """A step on the coarse map, in terms of the fine one."""
    return step._replace(
        change=2 * step.change,
        strength=2 * step.strength,
        heights=lambda: prolong(step.heights(), wide, fine),
    )


def _prolong_rows(rows: slice, heights: Array, wide: Domain, domain: Domain) -> Array:
    height, width = wide.mask.shape
    right, down = (image[rows] for image in domain.steepness)
    y, x = np.arange(rows.start, rows.stop)[:, None], np.arange(domain.mask.shape[1])
    # On which side of the wide pixel's centre, and so next to which of its neighbours, each pixel lies.
    below, beside = 2 * (y % 2) - 1, 2 * (x % 2) - 1
    leans = np.arctan(right), np.arctan(down)
    near = slice(max(rows.start // 2 - 1, 0), rows.stop // 2 + 2)
    wide_leans = [np.arctan(image[near]) for image in wide.steepness]
    best, least = np.zeros(right.shape), np.full(right.shape, np.inf, np.float32)
    for v, u in ((0, 0), (0, 1), (1, 0), (1, 1)):
        at = np.clip(y // 2 + v * below, 0, height - 1), np.clip(x // 2 + u * beside, 0, width - 1)
        wide_right, wide_down = (image[at] for image in wide.steepness)
        across, along = (angles[at[0] - near.start, at[1]] for angles in wide_leans)
        turn = np.square(across - leans[0]) + np.square(along - leans[1])
        turn = (turn + np.float32(SAME)) * np.float32(1 if v == u == 0 else OTHER_SIDE)
        closer = wide.mask[at] & (turn < least)
        ahead = (0.25 - u) * beside * (wide_right + right) + (0.25 - v) * below * (wide_down + down)
        np.copyto(best, 2 * heights[at] + ahead, where=closer)
        np.copyto(least, turn, where=closer)
    return np.where(domain.mask[rows], best, 0.0)
