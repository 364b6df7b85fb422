"""Move rigid parts out of local minima that reweighting cannot leave."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from crevasse.methods.graduated.evidence import JUDGE, POLISH
from crevasse.methods.graduated.gaps import tears
from crevasse.methods.graduated.judge import Candidate, Proposal
from crevasse.methods.graduated.rules import PartMoves
from crevasse.methods.graduated.stages.stage import Context, Iterating

if TYPE_CHECKING:
    from crevasse.methods.graduated.method import Graduated

SEEKERS = (POLISH, JUDGE)
"""Evidence by which moves are sought, in turn: each finds some that the other does not."""
ROUNDS = 4
"""Rounds of moves at most, each followed by a polish; most surfaces need none or one."""
MOST_GROWTH = 0.04
"""Share by which moves may add to the tears of a surface whose normals err smoothly. The energy counts contacts as
independent, but such errors are not: along a contour they may speak for a wrong move all the way. Chosen on simulated
photometric stereo (`benchmarks/simulated.py`); 0.05 and 0.06 are 1 % worse."""


@dataclass(frozen=True)
class MoveParts:
    """Close open cracks by moving what a min cut around them frees (`native/graduated/part_moves.hpp`).

    Attributes
    ----------
    rules : when a part is moved
    careful : whether moves that tear the surface are rejected, however much they lower the energy
    number : the start that its iterations are counted to
    made : rounds that were made before this one
    idle : how many of the last rounds improved nothing
    """

    rules: PartMoves
    careful: bool = False
    number: int = 0
    made: int = 0
    idle: int = 0

    def planned(self, settings: Graduated) -> int:
        return 0

    def propose(self, context: Context, best: Candidate) -> Iterating[Proposal]:
        seeker = SEEKERS[self.made % len(SEEKERS)]
        if not self._useful(context, best) or not context.engine.move_parts(seeker, self.rules):
            return Proposal(best, ~context.every_region)
        yield from context.schedule.polish(self.number)
        found, where = context.judge.rate(), context.every_region
        if self.careful:
            before, after = (tears(context.engine, each.heights) for each in (best, found))
            where = where & (after <= (1 + MOST_GROWTH) * before)
        return Proposal(found, where)

    def then(self, accepted: bool) -> MoveParts | None:
        """The next round, by the other evidence, until neither improves anything."""
        idle = 0 if accepted else self.idle + 1
        over = self.made + 1 == ROUNDS or idle == len(SEEKERS)
        return None if over else replace(self, made=self.made + 1, idle=idle)

    def _useful(self, context: Context, best: Candidate) -> bool:
        """Whether the surface, which the engine continues from, jumps anywhere."""
        return bool(context.jumping_regions(best.heights).any()) and self.rules.parts > 0
