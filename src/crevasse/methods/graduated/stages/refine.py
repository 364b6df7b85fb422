"""Improve a known surface: polish it, anneal its contours, polish again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from crevasse.methods.graduated.evidence import STARTS
from crevasse.methods.graduated.judge import Candidate, Proposal
from crevasse.methods.graduated.stages.stage import Context, Iterating

if TYPE_CHECKING:
    from crevasse.methods.graduated.method import Graduated

WARM = 8
"""Iteration of the schedule that continues from a known surface: jumps of three pixels are still tolerated, so that
wrong pixels at contours can open or close."""


@dataclass(frozen=True)
class Refine:
    """Polishing keeps the places of large parts; annealing finds those of the pixels at their contours."""

    def planned(self, settings: Graduated) -> int:
        return settings.iterations - warm(settings) + 2 * settings.polish_iterations

    def propose(self, context: Context, best: Candidate) -> Iterating[Proposal]:
        judge, schedule, settings = context.judge, context.schedule, context.settings
        context.engine.warm_start(best.heights)
        yield from schedule.polish(settings.starts, after=self.planned(settings) - settings.polish_iterations)
        polished = judge.rate()
        yield from schedule.anneal(STARTS[0], settings.starts, warm(settings), after=settings.polish_iterations)
        yield from schedule.polish(settings.starts)
        annealed = Proposal(judge.rate(), context.every_region)
        return Proposal(judge.accept(polished, annealed), context.every_region)


def warm(settings: Graduated) -> int:
    """The iteration of the schedule that continues from a known surface."""
    return min(WARM, settings.iterations - 1)
