"""Walls: pixels that stand across a jump, and what they tell of its height.

Normals that were made from a height field have them. Where the field jumps, one of its cells spans the jump, and a
pixel there has a normal that is no surface's but tells how high the jump is: its slope, times the share of a pixel
that a cell is wide. That share is not known, but it is the same for all walls of a map, and there are few to choose
from.

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
from crevasse.methods.steep import FEWEST, LONGEST, Indices, Runs
from crevasse.native import GraduatedEngine as Engine

SHARES = (1.0, 2 / 3, 1 / 2, 1 / 3, 1 / 4)
"""Of a pixel that a wall may be wide: a cell of a height field, of which up to four lie in a pixel, or two."""
AGREE = 0.08
"""Share of the jump that a wall tells by which it may be wrong."""
CHANCE = 0.25
"""Share of steep pixels that may agree along a contour although they are no walls."""
SURE = 3.0
"""Standard deviations by which more must agree."""
CLOSE = 2.0
"""Standard deviations by which fewer may agree on another share, so that it is not ruled out."""
LEAST_VARIANCE = 0.15
"""Of one wall's agreement: that all agree does not mean that all would have to."""
PLAIN = 0.3
"""Share of all walls whose jumps the surface must have in order to decide then."""
FLAT = 0.1
"""Growth of a slope in a pixel below which a front is flat: at a smooth contour it grows faster."""
MANIFEST = 0.4
"""Share of the walls behind flat fronts whose jumps the surface must have, where nothing else tells."""
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
    share: float
    """Of a pixel that walls are wide."""

    def build(self, engine: Engine) -> None:
        """Give the walls to an engine that has the slopes of the map."""
        engine.add_spanning(self.pixels, self.sources, self.pairs, self.steps)

    def rebuild(self, engine: Engine) -> None:
        """Give their steps to an engine that has slopes without walls."""
        engine.add_spanning(self.pixels[:0], self.sources[:0], self.pairs, self.steps)

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
            f"walls: the map looks as if its normals were made from depth; {len(self.pixels):,} steep pixels, each"
            f" {self.share:.2g} pixels wide, were read as the heights of jumps. If it was not, use walls=False"
            " (--walls false)"
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
    sure = runs.select(~runs.cut_off)
    share = measure_share(sure, heights)
    if share is None:
        sure = runs.select(np.abs(runs.bend) < FLAT)
        share = read_share(sure, heights)
    if share is None:
        return None
    return _build(sure, heights, share)


def _build(runs: Runs, heights: Array, share: float) -> Walls:
    """Walls of this share of a pixel."""
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
    return Walls(sides.pixels, sides.sources, np.concatenate(pairs), np.concatenate(steps), share)


def measure_share(runs: Runs, heights: Array) -> float | None:
    """The share of a pixel that walls are wide; None if too few agree on one along their contours."""
    if len(runs.before) < FEWEST:
        return None
    told = _tell_shares(runs, heights)
    # By how much a wall is off, in its own jumps.
    off = told / np.array(SHARES)[:, None] - 1
    agreement, count = _agree_along_contours(runs, off, label_contours(runs, heights.shape[1]))
    if count < KINDS:
        return None
    best = agreement.max()
    enough = CHANCE + SURE * np.sqrt(CHANCE * (1 - CHANCE) / count)
    close = best - CLOSE * np.sqrt(max(best * (1 - best), LEAST_VARIANCE) / count)
    possible = (agreement > enough) & (agreement >= close)
    if not possible.any():
        return None
    right = np.abs(off) < AGREE
    chosen = int(np.argmax(np.where(possible, np.mean(right, axis=1), -1.0)))
    if np.count_nonzero(possible) > 1 and np.mean(right[chosen]) < PLAIN:
        return None
    plain = told[chosen][right[chosen]]
    return float(np.median(plain)) if len(plain) >= KINDS else SHARES[chosen]


def read_share(runs: Runs, heights: Array) -> float | None:
    """The same from the jumps themselves; None if the surface has too few of those that the walls tell.

    For jumps of one height, which agree along their contours whatever the share; no smooth contour explains them.
    """
    if len(runs.before) < FEWEST:
        return None
    told = _tell_shares(runs, heights)
    right = np.abs(told / np.array(SHARES)[:, None] - 1) < AGREE
    chosen = int(np.argmax(np.mean(right, axis=1)))
    return float(np.median(told[chosen][right[chosen]])) if np.mean(right[chosen]) > MANIFEST else None


def _tell_shares(runs: Runs, heights: Array) -> Array:
    """The share of a pixel that each wall is wide by the surface, near each of the possible ones, (shares, N)."""
    flat = heights.ravel()
    rise = flat[runs.behind] - flat[runs.before]
    return np.array([(rise - _rise_beside(runs, share)) / runs.steep for share in SHARES])


def _agree_along_contours(runs: Runs, off: Array, contour: Indices) -> tuple[Array, int]:
    """The part of the walls that are off by what their contour is off by, for each share, and of how many.

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
    for share, one in zip(SHARES, off, strict=True):
        jump = runs.steep * share
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
