"""Walls: pixels that stand across a jump, and what they tell of its height.

Normals that were made from a height field have them. Where the field jumps, one of its cells spans the jump, and a
pixel there has a normal that is no surface's but tells how high the jump is: its slope, times the share of a pixel
that a cell is wide. That share is not known, but it is the same for all walls of a map, and one over a whole number.
So a surface that is right in some places tells whether a map has walls, and how wide they are: many steep pixels
agree then. At the contours of surfaces whose normals were measured or rendered, steep pixels do not.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array
from crevasse.methods.steep import LONGEST, Indices, Runs
from crevasse.native import Graduated as Engine

CELLS = (1, 2, 3, 4)
"""How many cells of a height field may lie in a pixel."""
AGREE = 0.08
"""Logarithm by which the jump that a wall tells may differ from that of the surface."""
CHANCE = 0.12
"""Share of steep pixels that may agree although they are no walls."""
SURE = 4.0
"""Standard deviations by which more must agree."""
ALIKE = 0.01
"""Logarithm by which slopes may differ and still be the same."""
KINDS = 8
"""Different slopes below which nothing can be told."""


class Walls(NamedTuple):
    """Pixels that go over to one side of their jump, and the steps that they leave."""

    pixels: Indices
    sources: Indices
    """The pixels whose planes they take."""
    pairs: Indices
    """Twice the first pixel, plus 1 if they go down."""
    steps: Array
    """Pixels by which their second lies behind the first."""

    def build(self, engine: Engine) -> None:
        engine.build_walls(*self)

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
    """The walls of a map, told by a surface of it that is right in some places; None if it has none."""
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
    steps = share * runs.steep + _rise_beside(runs, share) - slopes
    return Walls(sides.pixels, sides.sources, 2 * runs.pixel(ahead) + runs.down, steps)


def measure_share(runs: Runs, heights: Array) -> float | None:
    """The share of a pixel that walls are wide; None if too few agree on one.

    All runs of one slope count as one: along a straight contour they are the same, and agree with each other.
    """
    flat = heights.ravel()
    rise = flat[runs.behind] - flat[runs.before]
    slopes = np.floor(np.log(np.abs(runs.steep)) / ALIKE)
    kinds, kind, often = np.unique(slopes, return_inverse=True, return_counts=True)
    weight, count = 1 / often[kind], len(kinds)
    if count < KINDS:
        return None
    found: float | None = None
    most = CHANCE + SURE * np.sqrt(CHANCE * (1 - CHANCE) / count)
    for cells in CELLS:
        share = (rise - _rise_beside(runs, 1 / cells)) / runs.steep
        agree = np.abs(np.log(np.maximum(share * cells, 1e-9))) < AGREE
        if weight[agree].sum() / count > most:
            most, found = weight[agree].sum() / count, float(np.median(share[agree]))
    return found


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
