"""Improve a known surface: polish it, then anneal its contours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from crevasse.methods.graduated.evidence import STARTS
from crevasse.methods.graduated.judge import Candidate, Proposal
from crevasse.methods.graduated.stages.stage import Context, Iterating, Once

if TYPE_CHECKING:
    from crevasse.methods.graduated.method import Graduated

WARM = 8
"""Iteration of the schedule that continues from a known surface: jumps of three pixels are still tolerated, so that
wrong pixels at contours can open or close."""


@dataclass(frozen=True)
class Polish(Once):
    """Keep the places of large parts, and adapt everything else to them."""

    def planned(self, settings: Graduated) -> int:
        return settings.polish_iterations

    def propose(self, context: Context, best: Candidate) -> Iterating[Proposal]:
        context.engine.warm_start(best.heights)
        yield from context.schedule.polish(context.settings.starts)
        return Proposal(context.judge.rate(), context.every_region)


@dataclass(frozen=True)
class Reanneal(Once):
    """Find the places of the pixels at contours, from a surface whose large parts are in theirs."""

    def planned(self, settings: Graduated) -> int:
        return settings.iterations - warm(settings) + settings.polish_iterations

    def propose(self, context: Context, best: Candidate) -> Iterating[Proposal]:
        schedule, settings = context.schedule, context.settings
        context.engine.warm_start(best.heights)
        yield from schedule.anneal(STARTS[0], settings.starts, warm(settings), after=settings.polish_iterations)
        yield from schedule.polish(settings.starts)
        return Proposal(context.judge.rate(), context.every_region)


def warm(settings: Graduated) -> int:
    """The iteration of the schedule that continues from a known surface."""
    return min(WARM, settings.iterations - 1)
