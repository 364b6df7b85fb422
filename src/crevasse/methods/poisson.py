"""Least squares without discontinuities, the paper's baseline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from crevasse.methods.one_sided import assemble, energy
from crevasse.methods.problem import Outcome, Problem, Run, Step, describe_threads
from crevasse.methods.regions import level_regions
from crevasse.methods.settings import check_settings
from crevasse.solve import solve
from crevasse.status import Status


@dataclass(frozen=True)
class Poisson:
    """Plain least squares of the steps to both neighbours along each axis, scaled by the cosine: no jumps.

    Of the readings tried (trapezoid or forward differences, scaled or not, the first solve of the lattice) this
    is the one whose errors on DiLiGenT are those of the row "Poisson" of the paper's Table 1, object by object.
    It is also the first iteration of `Bilateral`. The caller's `weights` multiply the squares of both steps of a
    pixel: weighted Poisson.

    Attributes
    ----------
    tolerance : relative residual at which the linear solver stops
    """

    tolerance: float = 1e-8

    name: ClassVar[str] = "poisson"
    title: ClassVar[str] = "Poisson"
    about: ClassVar[str] = "Plain least squares: no jumps."
    accepts: ClassVar[frozenset[str]] = frozenset({"mask", "weights"})
    tears: ClassVar[bool] = False
    bytes_per_pixel: ClassVar[int] = 475

    def __post_init__(self) -> None:
        check_settings(self, tolerance=(1e-14, 0.1))

    def run(self, problem: Problem) -> Run:
        halves = np.full(problem.mask.shape, 0.5)
        solution = solve(*assemble(problem, (halves, halves)), threads=problem.threads, tolerance=self.tolerance)
        heights = level_regions(solution.heights, problem.domain)
        change = float(np.abs(heights[problem.mask]).mean())
        left = energy(problem, heights, (halves, halves))
        yield Step(0, 1, 1, left, change, 1.0, solution.iterations, lambda: heights)
        status = Status.CONVERGED if solution.converged else Status.ITERATION_LIMIT
        return Outcome(heights, status, warnings=describe_threads(solution.threads, problem.threads))
