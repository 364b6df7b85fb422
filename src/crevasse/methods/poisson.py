"""Least squares without discontinuities, the paper's baseline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from crevasse.methods.problem import Outcome, Problem, Run, Step, check_settings, level_regions
from crevasse.result import Status
from crevasse.solve import solve


@dataclass(frozen=True)
class Poisson:
    """Plain least squares of differences between neighbouring pixels: no jumps (method of Horn and Brooks).

    Attributes
    ----------
    tolerance : relative residual at which the linear solver stops
    """

    tolerance: float = 1e-8

    name: ClassVar[str] = "poisson"

    def __post_init__(self) -> None:
        check_settings(self, tolerance=(1e-14, 0.1))

    def run(self, problem: Problem) -> Run:
        cosine, across, along = problem.slopes
        weights, targets = [], []
        for component, axis in ((across, 1), (along, 0)):
            a = tuple(slice(None, -1) if k == axis else slice(None) for k in (0, 1))
            b = tuple(slice(1, None) if k == axis else slice(None) for k in (0, 1))
            square = np.square(cosine)
            weight = (square[a] + square[b]) / 2
            flux = (cosine[a] * component[a] + cosine[b] * component[b]) / 2
            inside = problem.pairs[1 - axis]
            weights.append(np.where(inside, weight, 0.0))
            targets.append(np.where(inside, flux, 0.0))
        solution = solve(weights[0], weights[1], targets[0], targets[1], problem, tolerance=self.tolerance)
        heights = level_regions(solution.heights, problem)
        change = float(np.abs(heights[problem.mask]).mean())
        yield Step(0, 1, 1, solution.energy, change, 1.0, solution.iterations, lambda: heights)
        status = Status.CONVERGED if solution.converged else Status.ITERATION_LIMIT
        return Outcome(heights, status)
