"""Find a surface from nothing: anneal from a flat one, then polish."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from crevasse.methods.graduated.evidence import Evidence
from crevasse.methods.graduated.judge import Candidate, Proposal
from crevasse.methods.graduated.stages.stage import Context, Iterating

if TYPE_CHECKING:
    from crevasse.methods.graduated.method import Graduated


@dataclass(frozen=True)
class Start:
    """Graduated non-convexity from a flat surface, with one kind of evidence."""

    evidence: Evidence
    number: int = 0

    def planned(self, settings: Graduated) -> int:
        return settings.iterations + settings.polish_iterations

    def propose(self, context: Context, best: Candidate) -> Iterating[Proposal]:
        context.engine.clear()
        yield from context.schedule.anneal(self.evidence, self.number, after=context.settings.polish_iterations)
        yield from context.schedule.polish(self.number)
        return Proposal(context.judge.rate(), context.every_region)
