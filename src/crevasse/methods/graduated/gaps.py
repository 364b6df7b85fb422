"""The gaps of a surface between neighbouring pixels, in blocks of rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from crevasse.cameras import Array
from crevasse.lattice import Labels, Mask, row_blocks
from crevasse.methods.graduated.engine import Engine, Single
from crevasse.methods.problem import CHUNK

MOST = 3.0
"""Pixels up to which a gap counts as a tear: how high a jump is says little about whether there is one."""


class Gaps(NamedTuple):
    """The pairs of some rows along one axis."""

    rows: slice
    first: tuple[slice, slice]
    """Where their first pixels are among these rows."""
    second: tuple[slice, slice]
    labels: Labels
    """Regions of the first pixels."""
    sizes: Array
    """How far the surface is from what the normals say, in pixels."""
    variances: Single
    pairs: Mask
    """Where there is a pair."""


def measure_gaps(engine: Engine, heights: Array) -> Iterator[Gaps]:
    """All gaps of a surface."""
    domain = engine.domain
    along = tuple(zip((1, 0), engine.targets(), engine.variances(), strict=True))
    for block in row_blocks(domain.mask.shape, CHUNK):
        rows = slice(block.start, block.stop + 1)
        several = domain.several_labels
        labels = domain.mask[rows].astype(np.int32) if several is None else several[rows]
        for axis, target, variance in along:
            first, second = _sides(axis, block.stop - block.start)
            sizes = np.abs(heights[rows][second] - heights[rows][first] - target[rows][first])
            spread = variance[rows][first]
            pairs = (labels[first] > 0) & (labels[second] > 0) & (spread >= 0)
            yield Gaps(rows, first, second, labels[first], sizes, spread, pairs)


def tears(engine: Engine, heights: Array) -> Array:
    """How much of a surface is torn: the sum of all gaps, each up to `MOST`, per region, (regions + 1,)."""
    total = np.zeros(engine.domain.regions + 1)
    for gaps in measure_gaps(engine, heights):
        counted = np.minimum(gaps.sizes[gaps.pairs], MOST)
        total += np.bincount(gaps.labels[gaps.pairs], counted, minlength=len(total))
    return total


def _sides(axis: int, count: int) -> tuple[tuple[slice, slice], tuple[slice, slice]]:
    """Where the first and the second pixels of the pairs of some rows are, given these and the row below."""
    if axis == 1:
        return (slice(count), slice(None, -1)), (slice(count), slice(1, None))
    return (slice(None, -1), slice(None)), (slice(1, None), slice(None))
