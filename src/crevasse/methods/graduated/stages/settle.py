"""Solve once to convergence with weights that are flat within the noise."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from crevasse.methods.graduated.evidence import POLISH
from crevasse.methods.graduated.judge import Candidate, Proposal
from crevasse.methods.graduated.noise import is_noisy
from crevasse.methods.graduated.rules import SETTLED
from crevasse.methods.graduated.schedule import reach
from crevasse.methods.graduated.stages.stage import Context, Iterating, Once

if TYPE_CHECKING:
    from crevasse.methods.graduated.method import Graduated

SOLVER_ITERATIONS = 20
"""Solver iterations; enough for long winding parts."""
CERTAIN = 6.0
"""Standard deviations of noise that a turn must exceed to count as a crease."""


@dataclass(frozen=True)
class Settle(Once):
    """Complete long winding parts, which the few solver iterations of each outer iteration leave unfinished.

    Noisy regions are left alone: weights that follow the sign of a residual would turn their noise into a slope.
    """

    def planned(self, settings: Graduated) -> int:
        return 0

    def propose(self, context: Context, best: Candidate) -> Iterating[Proposal]:
        quiet = context.every_region & ~is_noisy(context.noise)
        if not quiet.any():
            return Proposal(best, quiet)
        yield from ()
        doubtful = math.degrees(CERTAIN * float(context.noise[quiet].max()))
        evidence = POLISH._replace(angle=math.hypot(POLISH.angle, doubtful))
        context.engine.warm_start(best.heights)
        tolerance, bounds = context.settings.solver_tolerance, reach(context.engine)
        context.engine.iterate(evidence, SETTLED, SOLVER_ITERATIONS, tolerance, True, bounds)
        return Proposal(context.judge.rate(), quiet)
