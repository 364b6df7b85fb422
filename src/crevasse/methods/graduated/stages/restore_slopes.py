"""Return from denoised slopes to the slopes as they were given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from crevasse.methods.graduated.judge import Candidate, Proposal
from crevasse.methods.graduated.noise import is_noisy
from crevasse.methods.graduated.stages.stage import Context, Iterating, Once
from crevasse.methods.problem import Problem

if TYPE_CHECKING:
    from crevasse.methods.graduated.method import Graduated


@dataclass(frozen=True)
class RestoreSlopes(Once):
    """In noisy regions, polish on the given slopes while the denoised ones still tell where jumps are.

    Noise raises the energy of any surface that meets the given slopes, so the two are not compared.
    """

    given: Problem

    def planned(self, settings: Graduated) -> int:
        return settings.polish_iterations

    def propose(self, context: Context, best: Candidate) -> Iterating[Proposal]:
        context.engine.set_slopes(self.given)
        context.engine.warm_start(best.heights)
        yield from context.schedule.polish(context.settings.starts - 1)
        restored = Candidate(context.engine.heights, best.energies)
        return Proposal(restored, is_noisy(context.noise), compared=False)
