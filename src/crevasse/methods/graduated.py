"""Our default: rigid quadrilaterals, graduated reweighting, jumps signed by occlusion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from crevasse.methods.poisson import Poisson
from crevasse.methods.problem import Problem, Run


@dataclass(frozen=True)
class Graduated:
    """Placeholder loop until the native kernel lands."""

    iterations: int = 60

    name: ClassVar[str] = "graduated"

    def run(self, problem: Problem) -> Run:
        return (yield from Poisson().run(problem))
