"""Steep pixels between calm ones: what may be walls."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import VERTICAL, Array
from crevasse.lattice import row_blocks
from crevasse.methods.problem import CHUNK, Problem

STEEP = 10.0
"""Slope from which a pixel may be a wall."""
CALM = 0.3
"""Share of its slope that those before and behind it may have."""
OBLIQUE = 0.5
"""Share of its slope across the run that it must have along it."""
LONGEST = 2
"""Pixels that may be one wall: central differences spread a jump over two."""
FEWEST = 16
"""Runs below which nothing can be told."""
SAME = 1.01
"""Times the least cosine of all up to which cosines count as cut off there..."""
OFTEN = 0.05
"""...if more than this share of all is..."""
CHANCES = 4
"""...and more than so many are."""
LIKELY = 0.3
"""Share of the runs three times as steep as they need to be, from which they are likely to be walls: of the pixels at
a smooth contour, a ninth is."""

Indices = NDArray[np.int64]


class Runs(NamedTuple):
    """Steep pixels, one or two in a row or column, between two that are not; all (N,)."""

    before: Indices
    """Flat index of the pixel before them."""
    stride: Indices
    """From pixel to pixel."""
    down: NDArray[np.bool_]
    """Whether they lie in a column."""
    length: Indices
    """How many they are."""
    steep: Array
    """Sum of their slopes."""
    first: Array
    """Slope of the pixel before them."""
    last: Array
    """Slope of the pixel behind them."""
    bend: Array
    """By how much the slope of the side in front grows in a pixel."""
    cut_off: NDArray[np.bool_]
    """Whether they may be steeper than they look."""

    @property
    def behind(self) -> Indices:
        """Flat index of the pixel behind them."""
        return self.pixel(self.length + 1)

    def pixel(self, number: Indices | int) -> Indices:
        """Flat index of the pixel that is so many behind the one before them."""
        return self.before + number * self.stride

    def select(self, chosen: NDArray[np.bool_]) -> Runs:
        return Runs._make(values[chosen] for values in self)


def find_runs(problem: Problem) -> Runs | None:
    """The runs of a map; None if they are too few to tell anything."""
    steep = _steep_pixels(problem)
    # Piece by piece: a map may be steep everywhere.
    pieces = [_runs_of(problem, steep[begin : begin + CHUNK]) for begin in range(0, len(steep), CHUNK)]
    runs = Runs._make(np.concatenate(parts) for parts in zip(*pieces, strict=True)) if pieces else None
    if runs is None or len(runs.before) < FEWEST:
        return None
    cosine = _least_cosines(runs, problem)
    runs = runs._replace(cut_off=_cut_off(cosine)).select(cosine > VERTICAL)
    return runs if len(runs.before) >= FEWEST else None


def _runs_of(problem: Problem, pixels: Indices) -> Runs:
    """Those that begin with some of these pixels."""
    height, width = problem.mask.shape
    found = []
    for down, stride, at, side in ((False, 1, pixels % width, width), (True, width, pixels // width, height)):
        for length in range(1, LONGEST + 1):
            inside = (at >= 1) & (at + length < side)
            found.append(_runs(problem, pixels[inside] - stride, at[inside] - 1, side, stride, down, length))
    return Runs._make(np.concatenate(parts) for parts in zip(*found, strict=True))


def are_likely_walls(runs: Runs | None) -> bool:
    """Whether it is worth while to look at one surface first. Only when things are done hangs on this, not what."""
    return runs is not None and bool(np.mean(np.abs(runs.steep) > 3 * STEEP) > LIKELY)


def _steep_pixels(problem: Problem) -> Indices:
    """Flat indices of the pixels that are steep either way; by rows, so that a large map can be interrupted."""
    slopes, width = problem.slopes, problem.mask.shape[1]
    found = []
    for rows in row_blocks(problem.mask.shape, CHUNK):
        component = np.maximum(np.abs(slopes.across[rows]), np.abs(slopes.along[rows]))
        steep = problem.mask[rows] & (component > STEEP * slopes.cosine[rows])
        found.append(rows.start * width + np.flatnonzero(steep))
    return np.concatenate(found).astype(np.int64)


def _runs(problem: Problem, before: Indices, at: Indices, side: int, stride: int, down: bool, length: int) -> Runs:
    """Those of the candidates that are steep between two that are not.

    Parameters
    ----------
    before : flat indices of the pixels before them
    at, side : their columns or rows, and how many there are
    """
    mask, count = problem.mask.ravel(), len(before)
    walls = [before + k * stride for k in range(1, length + 1)]
    behind = before + (length + 1) * stride
    along, across = (np.array([_slope(problem, wall, way) for wall in walls]) for way in (down, not down))
    first, last = (_slope(problem, end, down) for end in (before, behind))
    least, steep = np.abs(along).min(axis=0), along.sum(axis=0)
    whole = [before, *walls, behind]
    chosen = np.all([mask[pixels] for pixels in whole], axis=0)
    if problem.hints is not None:
        chosen &= np.all([problem.hints.ravel()[pixels] == 0 for pixels in whole], axis=0)
    chosen &= (least > STEEP) & (np.abs(along) >= OBLIQUE * np.abs(across)).all(axis=0)
    chosen &= np.abs(np.sign(along).sum(axis=0)) == length
    # Ends that are steep themselves belong to a longer run.
    chosen &= np.maximum(np.abs(first), np.abs(last)) < np.minimum(CALM * least, STEEP)
    beyond = np.where(steep > 0, -1, length + 2)
    inside = (at + beyond >= 0) & (at + beyond < side)
    farther = before + np.where(inside, beyond, 0) * stride
    front = np.where(steep > 0, first, last)
    # What lies outside the mask, or beyond another jump, tells nothing of how the front bends.
    bend = np.clip(front - _slope(problem, farther, down), -np.abs(front), np.abs(front))
    bend = np.where(inside & mask[farther], bend, 0.0)
    strides, ways, lengths = np.full(count, stride), np.full(count, down), np.full(count, length)
    return Runs(before, strides, ways, lengths, steep, first, last, bend, np.zeros(count, bool)).select(chosen)


def _slope(problem: Problem, pixels: Indices, down: bool) -> Array:
    component = problem.slopes.along if down else problem.slopes.across
    slope: Array = component.ravel()[pixels] / np.maximum(problem.slopes.cosine.ravel()[pixels], VERTICAL)
    return slope


def _least_cosines(runs: Runs, problem: Problem) -> Array:
    """Of the pixels of each run."""
    cosine = problem.slopes.cosine.ravel()
    least: Array = np.minimum(cosine[runs.pixel(1)], cosine[runs.pixel(runs.length)])
    return least


def _cut_off(cosine: Array) -> NDArray[np.bool_]:
    """Which may be smaller than they look: where many are the least of all, a file or a filter may end."""
    low = cosine <= SAME * max(cosine.min(), VERTICAL)
    often = np.count_nonzero(low) > max(OFTEN * len(low), CHANCES)
    return np.asarray(low & often)
