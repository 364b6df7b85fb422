"""Put back single pixels that stand off a surface that is smooth all around them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array
from crevasse.lattice import row_blocks
from crevasse.methods.graduated.judge import Candidate, Proposal
from crevasse.methods.graduated.stages.stage import Context, Iterating, Once
from crevasse.methods.problem import CHUNK

if TYPE_CHECKING:
    from crevasse.methods.graduated.method import Graduated

LEAST_HEIGHT = 1.0
"""Least pixels by which a spike stands off the mean of its neighbours, and off the plane of each of them."""
MOST_NEIGHBOURS = 3
"""Neighbours, of four, whose planes a spike stands off: it may stand on the plane of the one its normal leans to."""
LARGEST_GAP = 0.5
"""Largest gap, in pixels, between the neighbours around a spike, which must belong to one smooth surface."""


@dataclass(frozen=True)
class RemoveSpikes(Once):
    """Give spikes the mean height of their four neighbours.

    A pixel whose normal is wrong contradicts all its neighbours and can stand anywhere, at almost the same energy.
    Moving it may raise the energy, since its normal asks for the spike, so the two surfaces are not compared.
    """

    def planned(self, settings: Graduated) -> int:
        return 0

    def propose(self, context: Context, best: Candidate) -> Iterating[Proposal]:
        yield from ()
        heights = remove_spikes(best.heights, context.engine.targets(), context.domain.mask)
        return Proposal(Candidate(heights, best.energies), context.every_region, compared=False)


def remove_spikes(
    heights: Array, targets: tuple[NDArray[np.float32], NDArray[np.float32]], mask: NDArray[np.bool_]
) -> Array:
    """Heights without spikes; the same array if there are none.

    Parameters
    ----------
    targets : steps that the normals ask for, from each pixel to its right and lower neighbour, (H, W) each
    """
    found = []
    for rows in row_blocks(heights.shape, CHUNK):
        near = slice(max(rows.start - 1, 0), rows.stop + 1)
        right, down = (target[near] for target in targets)
        at, columns = _spikes(heights[near], right, down, mask[near])
        found.append((at + near.start, columns))
    y, x = (np.concatenate(part) for part in zip(*found, strict=True))
    if not len(y):
        return heights
    smooth = heights.copy()
    smooth[y, x] = ((heights[y - 1, x] + heights[y + 1, x]) + (heights[y, x - 1] + heights[y, x + 1])) / 4
    return smooth


def _spikes(
    heights: Array, right: NDArray[np.float32], down: NDArray[np.float32], mask: NDArray[np.bool_]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Rows and columns of the pixels inside a block that stand off a smooth ring of eight."""
    if min(heights.shape) < 3:
        return np.empty(0, np.intp), np.empty(0, np.intp)
    across = _gaps(np.diff(heights, axis=1) - right[:, :-1], mask[:, 1:] & mask[:, :-1])
    along = _gaps(np.diff(heights, axis=0) - down[:-1], mask[1:] & mask[:-1])
    fits = [gaps < LARGEST_GAP for gaps in (across, along)]
    rows, columns = fits[0][:, :-1] & fits[0][:, 1:], fits[1][:-1] & fits[1][1:]
    ring = rows[:-2] & rows[2:] & columns[:, :-2] & columns[:, 2:] & mask[1:-1, 1:-1]
    sides = across[1:-1, :-1], across[1:-1, 1:], along[:-1, 1:-1], along[1:, 1:-1]
    contradicts = sum((side > LEAST_HEIGHT).astype(np.int8) for side in sides) >= MOST_NEIGHBOURS
    mean = (heights[:-2, 1:-1] + heights[2:, 1:-1] + heights[1:-1, :-2] + heights[1:-1, 2:]) / 4
    y, x = np.nonzero(ring & contradicts & (np.abs(heights[1:-1, 1:-1] - mean) > LEAST_HEIGHT))
    return y + 1, x + 1


def _gaps(gaps: Array, pairs: NDArray[np.bool_]) -> Array:
    """Sizes of the gaps between neighbours; infinite where there is no pair."""
    return np.where(pairs, np.abs(gaps), np.inf)
