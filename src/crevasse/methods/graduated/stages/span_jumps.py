"""Place parts by the heights of jumps that spanning pixels encode."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from crevasse.methods.graduated.judge import Candidate, Proposal
from crevasse.methods.graduated.stages.move_parts import MoveParts
from crevasse.methods.graduated.stages.refine import Refine
from crevasse.methods.graduated.stages.stage import Context, Iterating
from crevasse.methods.graduated.terms.spanning import find_spanning
from crevasse.methods.graduated.terms.steep_runs import SteepRuns

if TYPE_CHECKING:
    from crevasse.methods.graduated.method import Graduated


@dataclass(frozen=True)
class SpanJumps:
    """Add the term of spanning pixels, if the map has any, and refine the surface in their regions.

    The energy changes, so the surfaces before and after are not compared.

    Attributes
    ----------
    runs : steep runs of the map, which may be spanning pixels
    """

    runs: SteepRuns | None
    moves: MoveParts

    def planned(self, settings: Graduated) -> int:
        return 0

    def propose(self, context: Context, best: Candidate) -> Iterating[Proposal]:
        spanning = find_spanning(self.runs, best.heights)
        if spanning is None:
            return Proposal(best, ~context.every_region)
        context.engine.add(spanning)
        refined = yield from Refine().propose(context, best)
        moved = yield from self.moves.propose(context, refined.candidate)
        return Proposal(moved.candidate, spanning.regions(context.domain), compared=False)
