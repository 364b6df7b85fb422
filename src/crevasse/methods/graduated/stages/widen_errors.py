"""Start again with larger errors where a surface is torn although its normals do not turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from crevasse.cameras import Array
from crevasse.methods.graduated.engine import OUTLIER
from crevasse.methods.graduated.evidence import STARTS
from crevasse.methods.graduated.gaps import measure_gaps
from crevasse.methods.graduated.judge import Candidate, Proposal
from crevasse.methods.graduated.set_up import reduce_noise
from crevasse.methods.graduated.smooth_error import ErrorModel
from crevasse.methods.graduated.stages.move_parts import MoveParts
from crevasse.methods.graduated.stages.stage import Context, Iterating, Once, improve
from crevasse.methods.graduated.stages.start import Start
from crevasse.methods.problem import Problem
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
    domain = context.domain
    every, flat = np.zeros((2, domain.regions + 1))
    for gaps in measure_gaps(context.engine, heights):
        angles = [np.arctan(slope[gaps.rows]) for slope in domain.steepness]
        turns = np.hypot(*(angle[gaps.second] - angle[gaps.first] for angle in angles))
        wide = gaps.pairs & (gaps.sizes > OUTLIER * np.sqrt(np.maximum(gaps.variances, 0)))
        for sums, where in ((every, wide), (flat, wide & (turns < TURN))):
            sums += np.bincount(gaps.labels[where], gaps.sizes[where], minlength=len(sums))
    return (flat > MOST_TORN * count_pixels(domain.mask, domain)) & (flat > LARGEST_SHARE * every)
