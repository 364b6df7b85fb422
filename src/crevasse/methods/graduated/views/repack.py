"""Pack scattered regions side by side, so that cost depends on the number of pixels, not on the bounding box."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Slopes
from crevasse.lattice import Pairs
from crevasse.methods.graduated.views.pyramid import count_levels
from crevasse.methods.problem import Outcome, Problem, Run, Step, change_steps, pose

SPARSE = 4
"""Regions are moved if the bounding box has this many times the pixels of the mask..."""
WORTH = 2
"""...and this many times the pixels of the box into which they fit."""
COLUMNS = 16
"""Columns that the kernels process together: regions begin at multiples, so that narrow ones need no more blocks."""

Indices = NDArray[np.intp]


class Repacked(NamedTuple):
    """Where the pixels of a repacked problem come from."""

    shape: tuple[int, int]
    """Of the original map."""
    origins: Indices
    """Flat indices of the masked pixels of the original."""
    places: Indices
    """Flat indices of the same pixels in the repacked map."""

    def follow(self, run: Run) -> Run:
        """Map the steps and the outcome of a run back to the original pixels."""
        outcome = yield from change_steps(run, self._spread_step)
        assert outcome.cuts is not None and outcome.islands is not None
        return Outcome(
            self.spread(outcome.heights),
            outcome.status,
            Pairs(*(self.spread(pairs) for pairs in outcome.cuts)),
            islands=self.spread(outcome.islands),
            warnings=outcome.warnings,
            noise=outcome.noise,
            metric=outcome.metric,
        )

    def _spread_step(self, step: Step) -> Step:
        return step._replace(heights=lambda: self.spread(step.heights()))

    def spread(self, image: NDArray[Any]) -> NDArray[Any]:
        """An image of the repacked map on the pixels of the original; 0 elsewhere."""
        return _carry(image, self.places, self.origins, self.shape)


def repack(problem: Problem) -> tuple[Problem, Repacked | None]:
    """The problem with its regions side by side, and the way back; itself and None where little would be gained."""
    domain = problem.domain
    height, width = domain.mask.shape
    if domain.several_labels is None or SPARSE * domain.pixels > domain.mask.size:
        return problem, None
    origins = np.flatnonzero(domain.mask)
    region = domain.several_labels.ravel()[origins] - 1
    y, x = np.divmod(origins, width)
    top, bottom, left, right = _extents(region, y, x)
    # Wide enough to keep regions apart on every level of the pyramid.
    gap = 2 << count_levels(len(origins))
    tall, wide = bottom - top + 1 + gap, -(-(right - left + 1 + gap) // COLUMNS) * COLUMNS
    rows, columns, shape = _shelves(tall, wide)
    if WORTH * shape[0] * shape[1] > domain.mask.size:
        return problem, None
    places = ((rows - top)[region] + y) * shape[1] + (columns - left)[region] + x
    together = partial(_carry, origins=origins, places=places, shape=shape)
    packed = pose(
        Slopes(*(together(image) for image in problem.slopes)),
        together(domain.mask),
        domain.planes.moved(origins, places, shape),
        problem.threads,
        None if domain.hints is None else together(domain.hints),
        known=None
        if domain.known is None
        else domain.known.carried(together, lambda at: places[np.searchsorted(origins, at)]),
    )
    return packed, Repacked((height, width), origins, places)


def _carry(image: NDArray[Any], origins: Indices, places: Indices, shape: tuple[int, int]) -> NDArray[Any]:
    """Copy pixels of an image to other places of a new one; 0 elsewhere."""
    other = np.zeros(shape, image.dtype)
    other.ravel()[places] = image.ravel()[origins]
    return other


def _extents(region: NDArray[np.int32], y: Indices, x: Indices) -> tuple[Indices, Indices, Indices, Indices]:
    """First and last row, and first and last column, of each region."""
    order = np.argsort(region, kind="stable")
    begins = np.searchsorted(region[order], np.arange(region.max() + 1))
    top, left = (np.minimum.reduceat(place[order], begins) for place in (y, x))
    bottom, right = (np.maximum.reduceat(place[order], begins) for place in (y, x))
    return top, bottom, left, right


def _shelves(tall: Indices, wide: Indices) -> tuple[Indices, Indices, tuple[int, int]]:
    """Shelf packing: first rows and columns of the boxes, tallest first, and the size of the whole."""
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
