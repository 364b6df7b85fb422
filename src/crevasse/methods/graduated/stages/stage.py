"""The interface of stages, and the context they run in."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

import numpy as np

from crevasse.cameras import Array
from crevasse.methods.graduated.engine import Engine
from crevasse.methods.graduated.evidence import JUDGE
from crevasse.methods.graduated.judge import Candidate, Judge, Proposal
from crevasse.methods.graduated.progress import Iteration
from crevasse.methods.graduated.schedule import Schedule
from crevasse.methods.problem import Domain
from crevasse.methods.regions import Flags, count_pixels

if TYPE_CHECKING:
    from crevasse.methods.graduated.method import Graduated

T = TypeVar("T")
Iterating = Generator[Iteration, None, T]
"""Makes outer iterations, and returns what it has found."""


class Context(NamedTuple):
    """Shared state of the stages of a run."""

    engine: Engine
    judge: Judge
    schedule: Schedule
    settings: Graduated
    noise: Array
    """Standard deviation of the slopes' noise per region, before denoising."""

    @property
    def domain(self) -> Domain:
        return self.engine.domain

    @property
    def every_region(self) -> Flags:
        return np.arange(self.domain.regions + 1) > 0

    def jumping_regions(self, heights: Array) -> Flags:
        """Regions in which a surface jumps anywhere."""
        self.engine.warm_start(heights)
        right, down = self.engine.cuts(JUDGE)
        return np.asarray(count_pixels(right | down, self.domain) > 0)


class Stage(Protocol):
    """A step of the method."""

    def planned(self, settings: Graduated) -> int:
        """Iterations that it is expected to make."""
        ...

    def propose(self, context: Context, best: Candidate) -> Iterating[Proposal]:
        """Another surface, found with the engine, and the regions that it is for."""
        ...

    def then(self, accepted: bool) -> Stage | None:
        """The stage that follows at once: another round of this one; None if it is over."""
        ...


def improve(context: Context, stage: Stage, best: Candidate) -> Iterating[Candidate]:
    """Run a stage and its further rounds within another stage."""
    rounds: Stage | None = stage
    while rounds is not None:
        proposal = yield from rounds.propose(context, best)
        rounds = rounds.then(context.judge.improves(best, proposal))
        best = context.judge.accept(best, proposal)
        del proposal
    return best


class Once:
    """A stage of one round."""

    def then(self, accepted: bool) -> Stage | None:
        """No further round."""
        return None
