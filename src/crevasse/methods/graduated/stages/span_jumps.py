"""Place parts by the heights of jumps that spanning pixels encode."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from crevasse.methods.graduated.judge import Candidate, Proposal
from crevasse.methods.graduated.progress import plan_later
from crevasse.methods.graduated.stages.move_parts import MoveParts
from crevasse.methods.graduated.stages.refine import Polish, Reanneal
from crevasse.methods.graduated.stages.stage import Context, Iterating, Once, improve
from crevasse.methods.graduated.terms.spanning import Spanning, find_spanning
from crevasse.methods.graduated.terms.steep_runs import SteepRuns

if TYPE_CHECKING:
    from crevasse.methods.graduated.method import Graduated


@dataclass(frozen=True)
class SpanJumps(Once):
    """Add the term of spanning pixels, if the map has any, and refine the surface in their regions.

    Without noise, the start has already read them where annealing shows how wide they are (`stages.start`). Where
    several widths remain possible, the jumps of a surface whose parts have moved decide. The energy changes, so the
    surfaces before and after are not compared.

    Attributes
    ----------
    runs : steep runs of the map, which may be spanning pixels
    """

    runs: SteepRuns | None
    moves: MoveParts

    def planned(self, settings: Graduated) -> int:
        return 0

    def propose(self, context: Context, best: Candidate) -> Iterating[Proposal]:
        known = any(isinstance(term, Spanning) for term in context.engine.terms)
        spanning = None if known else find_spanning(self.runs, best.heights)
        if spanning is None:
            return Proposal(best, ~context.every_region)
        context.engine.add(spanning)
        later = Reanneal().planned(context.settings)
        polished = (yield from plan_later(Polish().propose(context, best), later)).candidate
        annealed = yield from Reanneal().propose(context, polished)
        moved = yield from improve(context, self.moves, context.judge.accept(polished, annealed))
        return Proposal(moved, spanning.regions(context.domain), compared=False)
