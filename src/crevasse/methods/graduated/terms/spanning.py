"""Spanning pixels: pixels that straddle a jump, and the heights of jumps read from their slopes.

Normals computed from a height field have them. Where the field jumps, one of its cells spans the jump, and the normal
of a pixel there belongs to no surface but encodes the height of the jump: slope times the width of the cell in
pixels. The width is unknown but the same for the whole map, and few values are possible (`spanning_width`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crevasse.cameras import Array, Slopes
from crevasse.methods.graduated.terms.spanning_width import FLAT, measure_width, read_width, rise_beside
from crevasse.methods.graduated.terms.steep_runs import LONGEST, Indices, SteepRuns
from crevasse.methods.graduated.terms.term import PairIndices
from crevasse.methods.problem import Domain, Problem
from crevasse.methods.regions import Flags
from crevasse.notices import Notice, Setting

if TYPE_CHECKING:
    from crevasse.methods.graduated.engine import Engine


class Spanning(NamedTuple):
    """Pixels that span jumps, the planes they take instead of their own, and the known steps of their pairs."""

    pixels: Indices
    sources: Indices
    """Pixels whose planes they take."""
    pairs: Indices
    """Pairs that lead across them: twice the first pixel, plus 1 if the pair goes down."""
    steps: Array
    """Pixels by which the second pixel of a pair lies behind the first; 0 where both are on one side."""
    width: float
    """Pixels over which a jump is spread."""

    def apply(self, engine: Engine) -> None:
        """Add the term to an engine that holds the slopes of the map."""
        engine.add_steps(self.pixels, self.sources, self.pairs, self.steps)

    def restore(self, engine: Engine) -> None:
        """Add only the known steps, to an engine whose slopes are those of `without`."""
        engine.add_steps(self.pixels[:0], self.sources[:0], self.pairs, self.steps)

    def without(self, problem: Problem) -> Problem:
        """The problem with the planes of their sources in place of spanning pixels."""
        slopes = Slopes(*(image.copy() for image in problem.slopes))
        for image in slopes:
            image.ravel()[self.pixels] = image.ravel()[self.sources]
        return replace(problem, slopes=slopes)

    def regions(self, domain: Domain) -> Flags:
        """Regions that contain spanning pixels, (regions + 1,)."""
        found = np.zeros(domain.regions + 1, bool)
        labels = domain.several_labels
        found[1 if labels is None else labels.ravel()[self.pixels]] = True
        return found

    def known_pairs(self, domain: Domain) -> PairIndices:
        """Rows and columns of the first pixels of the pairs that lead across, right and down."""
        down = self.pairs % 2 == 1
        width = domain.mask.shape[1]
        right, below = (np.divmod(self.pairs[down == axis] // 2, width) for axis in (False, True))
        return right, below

    def cost(self, surface: Array, domain: Domain) -> Array:
        """Nothing besides what known steps do to their pairs."""
        return np.zeros(domain.regions + 1)

    def describe(self) -> Notice:
        """What was found, and how to switch it off."""
        return Notice(
            f"spanning pixels: the normals seem to have been computed from depth; the heights of jumps were read from"
            f" {len(self.pixels):,} steep pixels, each {self.width:.2g} pixels wide",
            Setting("spanning", False),
            do="{} if that is wrong",
        )


class _Sides(NamedTuple):
    """For each spanning pixel, the side of the jump it belongs to; all (N,)."""

    pixels: Indices
    sources: Indices
    front: Flags
    steepness: Array


def find_spanning(runs: SteepRuns | None, heights: Array) -> Spanning | None:
    """The spanning pixels of a map, judged by a surface whose parts have the right shapes; None if there are none."""
    if runs is None:
        return None
    sure = runs.select(~runs.clipped)
    width = measure_width(sure, heights)
    if width is None:
        sure = runs.select(np.abs(runs.bend) < FLAT)
        width = read_width(sure, heights)
    return None if width is None else _read_steps(sure, heights, width)


def _read_steps(runs: SteepRuns, heights: Array, width: float) -> Spanning:
    """Assign each spanning pixel to a side, and read the step that is left."""
    sides = _choose_sides(runs, heights.ravel())
    ahead = np.zeros(len(runs.before), np.int64)
    for k in range(1, LONGEST + 1):
        own = np.searchsorted(sides.pixels, runs.pixel(np.minimum(k, runs.length)))
        ahead += (k <= runs.length) & (sides.front[own] == (runs.steep > 0))
    # Every pixel of the run has the slope of its side now.
    slopes = ahead * runs.first + (runs.length - ahead) * runs.last + (runs.first + runs.last) / 2
    jumps = width * runs.steep + rise_beside(runs, width) - slopes
    pairs, steps = [], []
    for k in range(LONGEST + 1):
        there = k <= runs.length
        pairs.append((2 * runs.pixel(k) + runs.down)[there])
        steps.append(np.where(k == ahead, jumps, 0.0)[there])
    return Spanning(sides.pixels, sides.sources, np.concatenate(pairs), np.concatenate(steps), width)


def _choose_sides(runs: SteepRuns, flat: Array) -> _Sides:
    """Of two pixels each belongs to its own side, a single one to the side nearer to it; each pixel occurs once."""
    found = []
    for k in range(1, LONGEST + 1):
        run = runs.select(runs.length >= k)
        here = run.pixel(k)
        to_first = np.abs(flat[here] - flat[run.before] - run.first)
        to_last = np.abs(flat[run.after] - flat[here] - run.last)
        first = np.where(run.length == 1, to_first < to_last, k == 1)
        source = np.where(first, run.before, run.after)
        found.append(_Sides(here, source, first == (run.steep > 0), np.abs(run.steep / run.length)))
    sides = _Sides._make(np.concatenate(parts) for parts in zip(*found, strict=True))
    # A pixel that spans a jump along both axes follows the steeper one.
    order = np.lexsort((sides.steepness, sides.pixels))
    once = order[np.append(np.diff(sides.pixels[order]) > 0, True)]
    return _Sides._make(values[once] for values in sides)
