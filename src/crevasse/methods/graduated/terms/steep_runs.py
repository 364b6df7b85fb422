"""Steep runs: one or two steep pixels between two that are not, which may span a jump."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import VERTICAL, Array
from crevasse.lattice import row_blocks
from crevasse.methods.problem import CHUNK, Problem

STEEP = 10.0
"""Slope from which a pixel may span a jump."""
GENTLE = 0.3
"""Largest slope before and after a run, as a share of the run's own."""
OBLIQUE = 0.5
"""Least slope along the run, as a share of the slope across it."""
LONGEST = 2
"""Pixels that one jump may be spread over: central differences spread it over two."""
FEWEST = 16
"""Number of runs below which nothing can be concluded."""
SAME = 1.01
"""Factor over the least cosine of all runs up to which a cosine counts as clipped there..."""
OFTEN = 0.05
"""...if more than this share of the runs are..."""
CHANCES = 4
"""...and more than this many."""

Indices = NDArray[np.int64]


class SteepRuns(NamedTuple):
    """Steep pixels, one or two in a row or column, between two that are not; all (N,)."""

    before: Indices
    """Flat index of the pixel before the run."""
    stride: Indices
    """Distance from one pixel of the run to the next, as a flat index."""
    down: NDArray[np.bool_]
    """Whether the run lies in a column."""
    length: Indices
    """Number of steep pixels."""
    steep: Array
    """Sum of their slopes."""
    first: Array
    """Slope of the pixel before the run."""
    last: Array
    """Slope of the pixel after the run."""
    bend: Array
    """Change of slope per pixel on the side that is in front."""
    clipped: NDArray[np.bool_]
    """Whether the true slopes may be steeper than the map shows."""

    @property
    def after(self) -> Indices:
        """Flat index of the pixel after the run."""
        return self.pixel(self.length + 1)

    def pixel(self, number: Indices | int) -> Indices:
        """Flat index of the pixel `number` steps from the one before the run."""
        return self.before + number * self.stride

    def select(self, chosen: NDArray[np.bool_]) -> SteepRuns:
        """Only the chosen runs."""
        return SteepRuns._make(values[chosen] for values in self)


def find_steep_runs(problem: Problem) -> SteepRuns | None:
    """All steep runs of a map; None if they are too few to conclude anything."""
    steep = _steep_pixels(problem)
    # In pieces: a map may be steep everywhere.
    pieces = [_runs_of(problem, steep[begin : begin + CHUNK]) for begin in range(0, len(steep), CHUNK)]
    runs = SteepRuns._make(np.concatenate(parts) for parts in zip(*pieces, strict=True)) if pieces else None
    if runs is None or len(runs.before) < FEWEST:
        return None
    cosine = _least_cosines(runs, problem)
    runs = runs._replace(clipped=_clipped(cosine)).select(cosine > VERTICAL)
    return runs if len(runs.before) >= FEWEST else None


def _steep_pixels(problem: Problem) -> Indices:
    """Flat indices of the pixels that are steep along either axis; by rows, so that Ctrl-C is answered."""
    slopes, width = problem.slopes, problem.mask.shape[1]
    found = []
    for rows in row_blocks(problem.mask.shape, CHUNK):
        component = np.maximum(np.abs(slopes.across[rows]), np.abs(slopes.along[rows]))
        steep = problem.mask[rows] & (component > STEEP * slopes.cosine[rows])
        found.append(rows.start * width + np.flatnonzero(steep))
    return np.concatenate(found).astype(np.int64)


def _runs_of(problem: Problem, pixels: Indices) -> SteepRuns:
    """Runs that begin with one of these pixels."""
    height, width = problem.mask.shape
    found = []
    for down, stride, at, side in ((False, 1, pixels % width, width), (True, width, pixels // width, height)):
        for length in range(1, LONGEST + 1):
            inside = (at >= 1) & (at + length < side)
            found.append(_runs(problem, pixels[inside] - stride, at[inside] - 1, side, stride, down, length))
    return SteepRuns._make(np.concatenate(parts) for parts in zip(*found, strict=True))


def _runs(
    problem: Problem, before: Indices, at: Indices, side: int, stride: int, down: bool, length: int
) -> SteepRuns:
    """Those of the candidates that are steep between two pixels that are not.

    Parameters
    ----------
    before : flat indices of the pixels before the candidates
    at, side : their columns or rows, and how many there are
    """
    steep_pixels = [before + k * stride for k in range(1, length + 1)]
    after = before + (length + 1) * stride
    along, across = (np.array([_slope(problem, pixel, way) for pixel in steep_pixels]) for way in (down, not down))
    first, last = (_slope(problem, end, down) for end in (before, after))
    least, steep = np.abs(along).min(axis=0), along.sum(axis=0)
    chosen = _available(problem, [before, *steep_pixels, after])
    chosen &= (least > STEEP) & (np.abs(along) >= OBLIQUE * np.abs(across)).all(axis=0)
    chosen &= np.abs(np.sign(along).sum(axis=0)) == length
    # Ends that are steep themselves belong to a longer run.
    chosen &= np.maximum(np.abs(first), np.abs(last)) < np.minimum(GENTLE * least, STEEP)
    beyond = np.where(steep > 0, -1, length + 2)
    inside = (at + beyond >= 0) & (at + beyond < side)
    farther = before + np.where(inside, beyond, 0) * stride
    front = np.where(steep > 0, first, last)
    # Pixels outside the mask or beyond another jump say nothing about how the front bends.
    bend = np.clip(front - _slope(problem, farther, down), -np.abs(front), np.abs(front))
    bend = np.where(inside & problem.mask.ravel()[farther], bend, 0.0)
    strides, ways, lengths = (np.full(len(before), value) for value in (stride, down, length))
    unclipped = np.zeros(len(before), bool)
    return SteepRuns(before, strides, ways, lengths, steep, first, last, bend, unclipped).select(chosen)


def _available(problem: Problem, pixels: list[Indices]) -> NDArray[np.bool_]:
    """Where all of these pixels are in the mask and none carries a hint."""
    mask, hints = problem.mask.ravel(), problem.domain.hints
    free = np.all([mask[each] for each in pixels], axis=0)
    if hints is not None:
        free &= np.all([hints.ravel()[each] == 0 for each in pixels], axis=0)
    return np.asarray(free)


def _slope(problem: Problem, pixels: Indices, down: bool) -> Array:
    component = problem.slopes.along if down else problem.slopes.across
    slope: Array = component.ravel()[pixels] / np.maximum(problem.slopes.cosine.ravel()[pixels], VERTICAL)
    return slope


def _least_cosines(runs: SteepRuns, problem: Problem) -> Array:
    """Least cosine among the pixels of each run."""
    cosine = problem.slopes.cosine.ravel()
    least: Array = np.minimum(cosine[runs.pixel(1)], cosine[runs.pixel(runs.length)])
    return least


def _clipped(cosine: Array) -> NDArray[np.bool_]:
    """Which cosines may be smaller than they look: many at the least value suggest that a file or filter clips."""
    low = cosine <= SAME * max(cosine.min(), VERTICAL)
    often = np.count_nonzero(low) > max(OFTEN * len(low), CHANCES)
    return np.asarray(low & often)
