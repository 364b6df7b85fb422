"""Scattered regions, moved together: a map that is mostly empty costs by its pixels, not by its box."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Slopes
from crevasse.methods.coarse import halvings
from crevasse.methods.problem import Outcome, Problem, Run, Step, change_steps
from crevasse.result import Cuts

SPARSE = 4
"""Regions are moved together where the box has so many times the pixels of the mask..."""
WORTH = 2
"""...and so many times the pixels of the box into which they fit."""
COLUMNS = 16
"""Columns that the kernels take together: regions begin there, so that narrow ones need no more."""

Indices = NDArray[np.intp]


class Packed(NamedTuple):
    """A problem whose regions lie close to each other, and where its pixels come from."""

    problem: Problem
    shape: tuple[int, int]
    """Of the original."""
    origins: Indices
    """Flat indices of the masked pixels of the original."""
    pixels: Indices
    """Flat indices of the same pixels here."""

    def run(self, run: Run) -> Run:
        """A run of the packed problem, told of the original."""
        outcome = yield from change_steps(run, self._tell)
        assert outcome.cuts is not None and outcome.islands is not None
        right, down = (self.spread(_fill(cut, self.problem.mask.shape)) for cut in outcome.cuts)
        return Outcome(
            self.spread(outcome.heights),
            outcome.status,
            Cuts(np.ascontiguousarray(right[:, :-1]), down[:-1]),
            islands=self.spread(outcome.islands),
            warnings=outcome.warnings,
        )

    def _tell(self, step: Step) -> Step:
        return step._replace(heights=lambda: self.spread(step.heights()))

    def spread(self, image: NDArray[Any]) -> NDArray[Any]:
        """An image of the packed problem on the pixels of the original; 0 elsewhere."""
        return _carry(image, self.pixels, self.origins, self.shape)


def pack(problem: Problem) -> Packed | None:
    """The problem with its regions side by side; None where there is little to gain."""
    height, width = problem.mask.shape
    if problem.several_labels is None or SPARSE * problem.pixels > problem.mask.size:
        return None
    origins = np.flatnonzero(problem.mask)
    region = problem.several_labels.ravel()[origins] - 1
    y, x = np.divmod(origins, width)
    top, bottom, left, right = _extents(region, y, x)
    # Still apart where the map is halved.
    gap = 2 << halvings(len(origins))
    tall, wide = bottom - top + 1 + gap, -(-(right - left + 1 + gap) // COLUMNS) * COLUMNS
    rows, columns, shape = _shelves(tall, wide)
    if WORTH * shape[0] * shape[1] > problem.mask.size:
        return None
    pixels = ((rows - top)[region] + y) * shape[1] + (columns - left)[region] + x
    together = partial(_carry, origins=origins, places=pixels, shape=shape)
    packed = Problem(
        Slopes(*(together(image) for image in problem.slopes)),
        together(problem.mask),
        problem.curvature,
        problem.threads,
        None if problem.hints is None else together(problem.hints),
        sole=True,
        watched=problem.watched,
    )
    return Packed(packed, (height, width), origins, pixels)


def _carry(image: NDArray[Any], origins: Indices, places: Indices, shape: tuple[int, int]) -> NDArray[Any]:
    """Pixels of an image at other places of another; 0 elsewhere."""
    other = np.zeros(shape, image.dtype)
    other.ravel()[places] = image.ravel()[origins]
    return other


def _extents(region: NDArray[np.int32], y: Indices, x: Indices) -> tuple[Indices, Indices, Indices, Indices]:
    """The first and the last row, and the first and the last column, of each region's pixels."""
    order = np.argsort(region, kind="stable")
    begins = np.searchsorted(region[order], np.arange(region.max() + 1))
    top, left = (np.minimum.reduceat(place[order], begins) for place in (y, x))
    bottom, right = (np.maximum.reduceat(place[order], begins) for place in (y, x))
    return top, bottom, left, right


def _shelves(tall: Indices, wide: Indices) -> tuple[Indices, Indices, tuple[int, int]]:
    """First rows and columns of boxes that stand in shelves, the tallest first, and the size of the whole."""
    side = max(int(wide.max()), int(np.sqrt(np.sum(tall * wide)) // COLUMNS + 1) * COLUMNS)
    order = np.argsort(-tall, kind="stable")
    ends = np.cumsum(wide[order])
    rows, columns = np.empty_like(tall), np.empty_like(wide)
    begin, row = 0, 0
    while begin < len(order):
        before = ends[begin] - wide[order[begin]]
        end = int(np.searchsorted(ends, before + side, "right"))
        shelf = order[begin:end]
        rows[shelf], columns[shelf] = row, ends[begin:end] - wide[shelf] - before
        row += int(tall[order[begin]])
        begin = end
    return rows, columns, (row, side)


def _fill(pairs: NDArray[np.bool_], shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Flags of pairs as flags of their first pixels."""
    return np.pad(pairs, [(0, full - part) for full, part in zip(shape, pairs.shape, strict=True)])
