"""Walls: pixels that stand across a jump, and what they tell of its height.

Normals that were made from a height field have them. Where the field jumps, one of its cells spans the jump, and a
pixel there has a normal that is no surface's but tells how high the jump is: its slope, times the share of a pixel
that a cell is wide. That share is not known, but it is the same for all walls of a map, and one over a whole number.

Any surface with the right shapes tells whether a map has walls, and how wide they are, even if its parts lie in wrong
places: that adds the same to all jumps along a contour, and the walls there are off by just that. At the contours of
surfaces whose normals were measured or rendered, steep pixels are steep by chance.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array, Slopes
from crevasse.methods.contours import label_contours
from crevasse.methods.problem import Problem
from crevasse.methods.steep import LONGEST, Indices, Runs
from crevasse.native import Graduated as Engine

CELLS = (1, 2, 3, 4)
"""How many cells of a height field may lie in a pixel."""
AGREE = 0.08
"""Share of the jump that a wall tells by which it may be wrong."""
CHANCE = 0.25
"""Share of steep pixels that may agree along a contour although they are no walls."""
SURE = 3.0
"""Standard deviations by which more must agree."""
CLOSE = 0.15
"""Share by which fewer may agree on another number of cells, so that it is not ruled out."""
PLAIN = 0.3
"""Share of all walls whose jumps the surface must have in order to decide then."""
ALIKE = 0.03
"""Logarithm by which slopes may differ and still be the same."""
KINDS = 8
"""Different slopes, beyond one for each contour, below which nothing can be told."""
FEWEST_KINDS = 3
"""Different slopes that a contour must have to tell anything."""


class Walls(NamedTuple):
    """Pixels that go over to one side of their jump, and the steps that they leave."""

    pixels: Indices
    sources: Indices
    """The pixels whose planes they take."""
    pairs: Indices
    """Those that lead across walls: twice their first pixel, plus 1 if they go down."""
    steps: Array
    """Pixels by which their second lies behind the first; 0 where both are on one side."""

    def build(self, engine: Engine) -> None:
        """Give the walls to an engine that has the slopes of the map."""
        engine.build_walls(*self)

    def rebuild(self, engine: Engine) -> None:
        """Give their steps to an engine that has slopes without walls."""
        engine.build_walls(self.pixels[:0], self.sources[:0], self.pairs, self.steps)

    def remove(self, problem: Problem) -> Problem:
        """The problem with the planes of their sources in the place of walls."""
        slopes = Slopes(*(image.copy() for image in problem.slopes))
        for image in slopes:
            image.ravel()[self.pixels] = image.ravel()[self.sources]
        return replace(problem, slopes=slopes)

    def regions(self, problem: Problem) -> NDArray[np.bool_]:
        """The regions that have any, from 1."""
        walled = np.zeros(problem.regions + 1, bool)
        labels = problem.several_labels
        walled[1 if labels is None else labels.ravel()[self.pixels]] = True
        return walled

    def describe(self) -> str:
        return (
            f"walls: {len(self.pixels):,} pixels stand across jumps and tell how high these are, as where normals"
            " were made from depth; parts were placed by them (walls=False does without)"
        )


class _Sides(NamedTuple):
    """For each pixel of a wall, which side it goes to; all (N,)."""

    pixels: Indices
    sources: Indices
    front: NDArray[np.bool_]
    steepness: Array


def find_walls(runs: Runs | None, heights: Array) -> Walls | None:
    """The walls of a map, told by a surface of it whose parts have the right shapes; None if it has none."""
    if runs is None:
        return None
    share = measure_share(runs, heights)
    if share is None:
        return None
    sides = _choose_sides(runs, heights.ravel())
    ahead = np.zeros(len(runs.before), np.int64)
    for k in range(1, LONGEST + 1):
        own = np.searchsorted(sides.pixels, runs.pixel(np.minimum(k, runs.length)))
        ahead += (k <= runs.length) & (sides.front[own] == (runs.steep > 0))
    # All pixels have the slopes of their sides now.
    slopes = ahead * runs.first + (runs.length - ahead) * runs.last + (runs.first + runs.last) / 2
    jumps = share * runs.steep + _rise_beside(runs, share) - slopes
    pairs, steps = [], []
    for k in range(LONGEST + 1):
        there = k <= runs.length
        pairs.append((2 * runs.pixel(k) + runs.down)[there])
        steps.append(np.where(k == ahead, jumps, 0.0)[there])
    return Walls(sides.pixels, sides.sources, np.concatenate(pairs), np.concatenate(steps))


def measure_share(runs: Runs, heights: Array) -> float | None:
    """The share of a pixel that walls are wide; None if too few agree on one."""
    flat = heights.ravel()
    rise = flat[runs.behind] - flat[runs.before]
    shares = np.array([(rise - _rise_beside(runs, 1 / cells)) / runs.steep for cells in CELLS])
    # By how much a wall is off, in its own jumps.
    off = shares * np.array(CELLS)[:, None] - 1
    agreement, count = _agree_along_contours(runs, off, label_contours(runs, heights.shape[1]))
    if count < KINDS:
        return None
    enough = CHANCE + SURE * np.sqrt(CHANCE * (1 - CHANCE) / count)
    possible = (agreement > enough) & (agreement > agreement.max() - CLOSE)
    if not possible.any():
        return None
    right = np.abs(off) < AGREE
    best = int(np.argmax(np.where(possible, np.mean(right, axis=1), -1.0)))
    if np.count_nonzero(possible) > 1 and np.mean(right[best]) < PLAIN:
        return None
    plain = shares[best][right[best]]
    return float(np.median(plain)) if len(plain) >= KINDS else 1 / CELLS[best]


def _agree_along_contours(runs: Runs, off: Array, contour: Indices) -> tuple[Array, int]:
    """The share of walls that are off by what their contour is off by, for each number of cells, and of how many.

    All of one slope count as one: along a straight contour they are the same, and agree whatever they are. The one
    that the others of a contour agree with does not count.
    """
    slopes = np.floor(np.log(np.abs(runs.steep)) / ALIKE).astype(np.int64)
    kinds = contour * (slopes.max() + 1) + slopes
    _, kind, often = np.unique(kinds, return_inverse=True, return_counts=True)
    weight = 1 / often[kind]
    total = np.bincount(contour, weight)
    varied = total > FEWEST_KINDS - 0.5
    count = int(np.rint((total[varied] - 1).sum()))
    agreement = []
    for cells, one in zip(CELLS, off, strict=True):
        jump = runs.steep / cells
        middle = _weighted_medians(one * jump, weight, contour)
        agree = np.abs(one * jump - middle[contour]) < AGREE * np.abs(jump)
        found = np.maximum(np.bincount(contour, weight * agree) - 1, 0.0)
        agreement.append(found[varied].sum() / max(count, 1))
    return np.array(agreement), count


def _weighted_medians(values: Array, weight: Array, group: Indices) -> Array:
    """Of each group, from 0."""
    order = np.lexsort((values, group))
    reached = np.cumsum(weight[order])
    total = np.bincount(group, weight)
    half = np.cumsum(total) - total / 2
    return np.asarray(values[order][np.searchsorted(reached, half - 1e-9)])


def _rise_beside(runs: Runs, share: float) -> Array:
    """What the surface rises beside the wall, from the pixel before to the one behind."""
    half = (runs.length + 1 - runs.length * share) / 2
    return half * (runs.first + runs.last) + half**2 / 2 * runs.bend


def _choose_sides(runs: Runs, flat: Array) -> _Sides:
    """Of two pixels each goes to its side, a single one to the side that it is nearer to. By pixels, each once."""
    found = []
    for k in range(1, LONGEST + 1):
        run = runs.select(runs.length >= k)
        here = run.pixel(k)
        to_first = np.abs(flat[here] - flat[run.before] - run.first)
        to_last = np.abs(flat[run.behind] - flat[here] - run.last)
        first = np.where(run.length == 1, to_first < to_last, k == 1)
        source = np.where(first, run.before, run.behind)
        found.append(_Sides(here, source, first == (run.steep > 0), np.abs(run.steep / run.length)))
    sides = _Sides._make(np.concatenate(parts) for parts in zip(*found, strict=True))
    # A pixel that is a wall both ways goes by the steeper one.
    order = np.lexsort((sides.steepness, sides.pixels))
    once = order[np.append(np.diff(sides.pixels[order]) > 0, True)]
    return _Sides._make(values[once] for values in sides)
