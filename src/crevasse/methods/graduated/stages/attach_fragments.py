"""Put small parts that nothing holds back into contact with a neighbour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array
from crevasse.lattice import Labels, Pairs, label_islands
from crevasse.methods.graduated.evidence import POLISH
from crevasse.methods.graduated.judge import Candidate, Proposal
from crevasse.methods.graduated.rules import IslandRules
from crevasse.methods.graduated.stages.stage import Context, Iterating, Once

if TYPE_CHECKING:
    from crevasse.methods.graduated.method import Graduated

FAR = 64.0
"""Pixels from its nearest contact beyond which a fragment was thrown there by rounding."""
LARGEST = IslandRules().smallest
"""Pixels from which a part is an island, which is placed and reported as such."""
ROUNDS = 8
"""Fragments of fragments that are attached at most."""


@dataclass(frozen=True)
class AttachFragments(Once):
    """A few pixels that jumps cut off on all sides are held by the smallest weights only, and may lie anywhere.

    They are moved along their smallest gap until it closes, where that gap is so large that no evidence stands behind
    it. Nothing in the energy tells the places apart, so the two surfaces are not compared.
    """

    def planned(self, settings: Graduated) -> int:
        return 0

    def propose(self, context: Context, best: Candidate) -> Iterating[Proposal]:
        yield from ()
        context.engine.warm_start(best.heights)
        cuts = context.engine.cuts(POLISH)
        heights = attach_fragments(best.heights, context.engine.targets(), cuts, context.domain.mask)
        return Proposal(Candidate(heights, best.energies), context.every_region, compared=False)


class _Contacts(NamedTuple):
    """Pairs across the border of a fragment: the fragment, what lies beside it, and how far behind that lies."""

    fragment: NDArray[np.int32]
    beside: NDArray[np.int32]
    gap: Array


def attach_fragments(
    heights: Array,
    targets: tuple[NDArray[np.float32], NDArray[np.float32]],
    cuts: Pairs,
    mask: NDArray[np.bool_],
) -> Array:
    """Heights with fragments in contact; the same array if all of them are.

    Parameters
    ----------
    targets : steps that the normals ask for, from each pixel to its right and lower neighbour, (H, W) each
    cuts : pairs that a jump separates
    """
    labels = label_islands(mask, (cuts.right[:, :-1], cuts.down[:-1]))
    sizes = np.bincount(labels.ravel())
    small = sizes < LARGEST
    small[0] = False
    if not small.any():
        return heights
    contacts = _contacts(heights, targets, labels, small)
    ways, placed = np.zeros(len(sizes)), ~small
    for _ in range(ROUNDS):
        known = contacts.gap + ways[contacts.beside]
        usable = placed[contacts.beside] & ~placed[contacts.fragment]
        if not usable.any():
            break
        fragments, gaps = contacts.fragment[usable], known[usable]
        order = np.lexsort((np.abs(gaps), fragments))
        nearest, first = np.unique(fragments[order], return_index=True)
        way = gaps[order][first]
        ways[nearest] = np.where(np.abs(way) > FAR, way, 0.0)
        placed[nearest] = True
    return heights + ways[labels] if ways.any() else heights


def _contacts(
    heights: Array, targets: tuple[NDArray[np.float32], NDArray[np.float32]], labels: Labels, small: NDArray[np.bool_]
) -> _Contacts:
    found = []
    for axis, target in zip((1, 0), targets, strict=True):
        a, b = (labels[:, :-1], labels[:, 1:]) if axis else (labels[:-1], labels[1:])
        rows, columns = np.nonzero((a != b) & (a > 0) & (b > 0) & (small[a] | small[b]))
        first, second = (rows, columns), (rows + 1 - axis, columns + axis)
        gap = heights[second] - heights[first] - target[first]
        for here, there, sign in ((first, second, 1), (second, first, -1)):
            inner = small[labels[here]]
            found.append((labels[here][inner], labels[there][inner], sign * gap[inner]))
    return _Contacts(*(np.concatenate(part) for part in zip(*found, strict=True)))
