"""Move rigid parts out of local minima that reweighting cannot leave."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from crevasse.methods.graduated.evidence import JUDGE, POLISH
from crevasse.methods.graduated.judge import Candidate, Proposal
from crevasse.methods.graduated.rules import PartMoves
from crevasse.methods.graduated.stages.stage import Context, Iterating

if TYPE_CHECKING:
    from crevasse.methods.graduated.method import Graduated

SEEKERS = (POLISH, JUDGE)
"""Evidence by which moves are sought, in turn: each finds some that the other does not."""
ROUNDS = 4
"""Rounds of moves at most, each followed by a polish; most surfaces need none or one."""


@dataclass(frozen=True)
class MoveParts:
    """Close open cracks by moving what a min cut around them frees (`native/graduated/part_moves.hpp`)."""

    rules: PartMoves
    number: int = 0
    """The start that its iterations are counted to."""

    def planned(self, settings: Graduated) -> int:
        return 0

    def propose(self, context: Context, best: Candidate) -> Iterating[Proposal]:
        idle, rounds = 0, ROUNDS if self._useful(context, best) else 0
        for made in range(rounds):
            if idle == len(SEEKERS):
                break
            idle += 1
            context.engine.warm_start(best.heights)
            if not context.engine.move_parts(SEEKERS[made % len(SEEKERS)], self.rules):
                continue
            yield from context.schedule.polish(self.number)
            moved = context.judge.rate()
            if (moved.energies < best.energies).any():
                idle = 0
            best = context.judge.accept(best, Proposal(moved, context.every_region))
        return Proposal(best, context.every_region)

    def _useful(self, context: Context, best: Candidate) -> bool:
        return self.rules.parts > 0 and bool(context.jumping_regions(best.heights).any())
