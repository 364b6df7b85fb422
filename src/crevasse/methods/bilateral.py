"""Bilaterally weighted integration (BiNI), from its published formulas."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from crevasse.methods.poisson import Poisson
from crevasse.methods.problem import Problem, Run


@dataclass(frozen=True)
class Bilateral:
    """Placeholder loop until the native kernel lands."""

    iterations: int = 60

    name: ClassVar[str] = "bilateral"

    def run(self, problem: Problem) -> Run:
        return (yield from Poisson().run(problem))
