"""Find a surface from nothing: anneal from a flat one, then polish."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from crevasse.methods.graduated.evidence import JUDGE, POLISH, Evidence
from crevasse.methods.graduated.judge import Candidate, Proposal
from crevasse.methods.graduated.rules import PartMoves
from crevasse.methods.graduated.stages.refine import warm
from crevasse.methods.graduated.stages.stage import Context, Iterating, Once
from crevasse.methods.graduated.terms.spanning import find_spanning
from crevasse.methods.graduated.terms.steep_runs import SteepRuns

if TYPE_CHECKING:
    from crevasse.methods.graduated.method import Graduated


@dataclass(frozen=True)
class Start(Once):
    """Graduated non-convexity from a flat surface, with one kind of evidence.

    Attributes
    ----------
    number : which of the starts it is
    runs : steep runs of the map. Before the last, redescending iterations the surface already shows whether they span
        jumps; then it is annealed once more with their term
    moves : how parts are moved before their heights are read
    """

    evidence: Evidence
    number: int = 0
    runs: SteepRuns | None = None
    moves: PartMoves = field(default_factory=PartMoves)

    def planned(self, settings: Graduated) -> int:
        return settings.iterations + settings.polish_iterations

    def propose(self, context: Context, best: Candidate) -> Iterating[Proposal]:
        context.engine.clear()
        yield from self._anneal(context)
        yield from context.schedule.polish(self.number)
        return Proposal(context.judge.rate(), context.every_region)

    def _anneal(self, context: Context) -> Iterating[None]:
        schedule, settings = context.schedule, context.settings
        after, last_annealed = settings.polish_iterations, settings.iterations - settings.final_iterations - 1
        for step in schedule.anneal(self.evidence, self.number, after=after):
            yield step
            if step.number == last_annealed and self._add_spanning(context):
                yield from schedule.anneal(self.evidence, self.number, warm(settings), after)
                break

    def _add_spanning(self, context: Context) -> bool:
        """Add the term of spanning pixels if there are any."""
        if self.runs is None or find_spanning(self.runs, context.engine.heights) is None:
            return False
        for evidence in (POLISH, JUDGE):
            context.engine.move_parts(evidence, self.moves)
        # Once parts are in their places, it is clearer to which side of its jump a pixel belongs.
        spanning = find_spanning(self.runs, context.engine.heights)
        if spanning is not None:
            context.engine.add(spanning)
        return spanning is not None
