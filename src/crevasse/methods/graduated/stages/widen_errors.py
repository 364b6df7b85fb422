"""Start again with larger errors where a surface is torn although its normals do not turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from crevasse.cameras import Array
from crevasse.lattice import row_blocks
from crevasse.methods.graduated.engine import OUTLIER
from crevasse.methods.graduated.evidence import STARTS
from crevasse.methods.graduated.judge import Candidate, Proposal
from crevasse.methods.graduated.set_up import reduce_noise
from crevasse.methods.graduated.smooth_error import ErrorModel
from crevasse.methods.graduated.stages.move_parts import MoveParts
from crevasse.methods.graduated.stages.stage import Context, Iterating, Once, improve
from crevasse.methods.graduated.stages.start import Start
from crevasse.methods.problem import CHUNK, Problem
from crevasse.methods.regions import Flags, count_pixels

if TYPE_CHECKING:
    from crevasse.methods.graduated.method import Graduated

ROUNDS = 2
"""Times that the errors are doubled at most."""
TURN = np.radians(6.0)
"""Turn of the normals below which nothing speaks for a jump."""
MOST_TORN = 0.05
"""Height in pixels that jumps without a turn may add up to, per pixel of a region."""
LARGEST_SHARE = 0.2
"""Share that they may have in all jumps of a region."""


@dataclass(frozen=True)
class WidenErrors(Once):
    """Jumps without a turn of the normals are what a smooth error leaves that is larger than was assumed.

    In regions where they are high and frequent, the smooth error is taken to be twice as large, and the surface is
    found anew. Its energy is another one, so the two surfaces are not compared.

    Attributes
    ----------
    problem : the map, as it was given
    errors : of its normals
    moves : how a new surface moves its parts
    """

    problem: Problem
    errors: ErrorModel
    moves: MoveParts

    def planned(self, settings: Graduated) -> int:
        return 0

    def propose(self, context: Context, best: Candidate) -> Iterating[Proposal]:
        errors, changed = self.errors, np.zeros_like(context.every_region)
        for number in range(1, ROUNDS + 1):
            torn = (errors.smooth > 0) & find_torn(context, best.heights)
            if not torn.any():
                break
            errors, changed = errors.widened(torn), changed | torn
            given, left = reduce_noise(self.problem, errors)
            context.engine.set_variances(given, errors.of_pairs(left))
            del given
            started = yield from Start(STARTS[0], number).propose(context, best)
            found = yield from improve(context, self.moves, started.candidate)
            best = context.judge.accept(best, Proposal(found, torn, compared=False))
        return Proposal(best, changed, compared=False, errors=errors)


def find_torn(context: Context, heights: Array) -> Flags:
    """Regions that jump much where the normals do not turn, (regions + 1,)."""
    engine, domain = context.engine, context.domain
    along = tuple(zip((1, 0), engine.targets(), engine.variances(), strict=True))
    every, flat = np.zeros((2, domain.regions + 1))
    for block in row_blocks(domain.mask.shape, CHUNK):
        rows = slice(block.start, block.stop + 1)
        angles = [np.arctan(slope[rows]) for slope in domain.steepness]
        several = domain.several_labels
        labels = domain.mask[rows].astype(np.int32) if several is None else several[rows]
        for axis, target, variance in along:
            first, second = _sides(axis, block.stop - block.start)
            gaps = np.abs(heights[rows][second] - heights[rows][first] - target[rows][first])
            # Where there is no pair the variance is negative.
            spread = variance[rows][first]
            wide = (spread >= 0) & (gaps > OUTLIER * np.sqrt(np.maximum(spread, 0)))
            turns = np.hypot(*(angle[second] - angle[first] for angle in angles))
            for sums, where in ((every, wide), (flat, wide & (turns < TURN))):
                sums += np.bincount(labels[first][where], gaps[where], minlength=len(sums))
    return (flat > MOST_TORN * count_pixels(domain.mask, domain)) & (flat > LARGEST_SHARE * every)


def _sides(axis: int, count: int) -> tuple[tuple[slice, slice], tuple[slice, slice]]:
    """Where the first and the second pixels of the pairs of some rows are, given these and the row below."""
    if axis == 1:
        return (slice(count), slice(None, -1)), (slice(count), slice(1, None))
    return (slice(None, -1), slice(None)), (slice(1, None), slice(None))
