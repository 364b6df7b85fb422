"""How many iterations a run has made, and how many it will take."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import NamedTuple, TypeVar

from crevasse.cameras import Array
from crevasse.methods.problem import Step, change_steps

T = TypeVar("T")


class Iteration(NamedTuple):
    """One outer iteration, as a stage reports it."""

    start: int
    """Which of the starts it belongs to; later stages count as further ones."""
    number: int
    left: int
    """Iterations that the stage still expects to make after this one."""
    energy: float
    change: float
    strength: float
    solver_iterations: int
    heights: Callable[[], Array]


class Progress:
    """Counts iterations; the planned total is computed here and nowhere else."""

    def __init__(self) -> None:
        self._done = 0

    def include(self, run: Generator[Step, None, T], later: int) -> Generator[Step, None, T]:
        """Report a run that is a part of this one, such as that on a coarser map."""

        def count(step: Step) -> Step:
            self._done += 1
            return step._replace(total=step.total + later)

        return change_steps(run, count)

    def follow(self, stage: Generator[Iteration, None, T], later: int) -> Generator[Step, None, T]:
        """Report the iterations of a stage as steps of the whole run.

        Parameters
        ----------
        later : iterations planned for the stages after this one
        """

        def count(made: Iteration) -> Step:
            self._done += 1
            return Step(made.start, made.number, self._done + made.left + later, *made[3:])

        return change_steps(stage, count)


def plan_later(iterations: Generator[Iteration, None, T], later: int) -> Generator[Iteration, None, T]:
    """The same iterations, with `later` more of them planned afterwards."""
    return change_steps(iterations, lambda made: made._replace(left=made.left + later))
