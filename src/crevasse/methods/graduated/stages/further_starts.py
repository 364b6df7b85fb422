"""Start again with other evidence where the first surface is in doubt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from crevasse.cameras import Array
from crevasse.methods.graduated.evidence import STARTS
from crevasse.methods.graduated.judge import Candidate, Proposal
from crevasse.methods.graduated.progress import plan_later
from crevasse.methods.graduated.stages.move_parts import MoveParts
from crevasse.methods.graduated.stages.stage import Context, Iterating, Once, improve
from crevasse.methods.graduated.stages.start import Start
from crevasse.methods.problem import Domain
from crevasse.methods.regions import Flags, count_pixels, level_regions

if TYPE_CHECKING:
    from crevasse.methods.graduated.method import Graduated

SAME = 0.25
"""Difference in pixels up to which heights belong to the same surface."""
FEW = 0.005
"""Share of the pixels that may differ by more."""


@dataclass(frozen=True)
class FurtherStarts(Once):
    """Try further starts, except where nothing jumps, where a term places the parts, or where two starts agree.

    Attributes
    ----------
    moves : how each start moves its parts before it is judged
    """

    moves: MoveParts

    def planned(self, settings: Graduated) -> int:
        return (settings.starts - 1) * Start(STARTS[0]).planned(settings)

    def propose(self, context: Context, best: Candidate) -> Iterating[Proposal]:
        settings = context.settings
        where = doubtful = self._doubtful(context, best)
        for number in range(1, settings.starts):
            if not doubtful.any():
                break
            later = (settings.starts - 1 - number) * Start(STARTS[0]).planned(settings)
            found = yield from plan_later(self._start(context, best, number), later)
            agreeing = ~differ(best.heights, found.heights, context.domain)
            best = context.judge.accept(best, Proposal(found, doubtful))
            doubtful = doubtful & ~agreeing
        return Proposal(best, where)

    def _doubtful(self, context: Context, best: Candidate) -> Flags:
        doubtful = context.jumping_regions(best.heights)
        for term in context.engine.terms:
            doubtful &= ~term.regions(context.domain)
        return doubtful

    def _start(self, context: Context, best: Candidate, number: int) -> Iterating[Candidate]:
        found = yield from Start(STARTS[number], number).propose(context, best)
        return (yield from improve(context, self.moves, found.candidate))


def differ(first: Array, second: Array, domain: Domain) -> Flags:
    """Regions in which two surfaces are not the same."""
    apart = np.abs(level_regions(second - first, domain)) > SAME
    return np.asarray(count_pixels(apart, domain) > FEW * count_pixels(domain.mask, domain))
