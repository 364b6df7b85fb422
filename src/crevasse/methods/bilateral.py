"""Bilaterally weighted integration (BiNI), from its published formulas."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np

from crevasse.cameras import Array
from crevasse.methods.one_sided import System, assemble, differences, energy
from crevasse.methods.problem import Outcome, Problem, Run, Step, check_settings, level_regions
from crevasse.reference import divergence
from crevasse.result import Status
from crevasse.solve import solve

EXACT = 1e-8
"""Relative residual of what counts as an exact solve."""

ROUNDING = 1e-16
"""Energy a pixel, in square pixels, that is nothing but rounding."""


@dataclass(frozen=True)
class Bilateral:
    """Bilateral normal integration (Cao et al., ECCV 2022): of a pixel's two sides, the one that jumps loses weight.

    As in its authors' code the linear solves are inexact: conjugate gradients go on from the last heights and stop
    early, which is part of the method, not only a saving; `exact` leads to other surfaces.

    Attributes
    ----------
    k : how sharply the smoother of a pixel's two sides is preferred (k of the paper, 2)
    iterations : at most so many times solve and reweight (the paper: 150)
    energy_change : relative change of the energy at which to end (the paper: 1e-4)
    tolerance : relative residual at which each linear solve stops (the authors' code: 1e-3)
    exact : solve each system exactly instead
    """

    k: float = 2.0
    iterations: int = 150
    energy_change: float = 1e-4
    tolerance: float = 1e-3
    exact: bool = False

    name: ClassVar[str] = "bilateral"
    bytes_per_pixel: ClassVar[int] = 200

    def __post_init__(self) -> None:
        check_settings(self, k=(0, 1e6), iterations=(1, 1e6), energy_change=(0, 1), tolerance=(1e-12, 0.5))

    def run(self, problem: Problem) -> Run:
        halves = np.full(problem.mask.shape, 0.5)
        shares, heights, last = (halves, halves), np.zeros(problem.mask.shape), 0.0
        status = Status.ITERATION_LIMIT
        for iteration in range(1, self.iterations + 1):
            before = heights
            heights, work = self.solve_depth(problem, shares, heights)
            shares = reweight(problem, heights, self.k)
            now = energy(problem, heights, shares)
            change = float(np.abs(level_regions(heights - before, problem)[problem.mask]).mean())
            yield Step(
                0, iteration, self.iterations, now, change, self.k, work, partial(level_regions, heights, problem)
            )
            # Below the floor the energy is rounding only, and so is its change.
            floor = ROUNDING * np.count_nonzero(problem.mask)
            if iteration > 1 and (abs(now - last) <= self.energy_change * last or now <= floor):
                status = Status.CONVERGED
                break
            last = now
        return Outcome(level_regions(heights, problem), status)

    def solve_depth(self, problem: Problem, shares: tuple[Array, Array], start: Array) -> tuple[Array, int]:
        """Heights of least energy for these shares, and the iterations it took."""
        system = assemble(problem, shares)
        if not self.exact:
            return descend(system, start, self.tolerance)
        solution = solve(*system, threads=problem.threads, start=start, tolerance=EXACT)
        return solution.heights, solution.iterations


def reweight(problem: Problem, heights: Array, k: float) -> tuple[Array, Array]:
    """Share of the next side, per axis: near 0 where the next side steps more than the previous one."""
    from scipy.special import expit

    right, down = (
        expit(k * (np.square(previous_side) - np.square(next_side)))
        for next_side, previous_side in differences(problem, heights)
    )
    return right, down


def descend(system: System, start: Array, tolerance: float, iterations: int = 5000) -> tuple[Array, int]:
    """Conjugate gradients preconditioned by the diagonal, from `start` to a relative residual of `tolerance`."""
    right, down = system.weight_right, system.weight_down

    def apply(x: Array) -> Array:
        return divergence(right * np.diff(x, axis=1), down * np.diff(x, axis=0))

    diagonal = np.pad(right, ((0, 0), (0, 1))) + np.pad(right, ((0, 0), (1, 0)))
    diagonal += np.pad(down, ((0, 1), (0, 0))) + np.pad(down, ((1, 0), (0, 0)))
    inverse = np.divide(1.0, diagonal, out=np.zeros_like(diagonal), where=diagonal > 0)

    goal = divergence(system.flux_right, system.flux_down)
    heights, residual = start.copy(), goal - apply(start)
    enough = tolerance**2 * float(np.square(goal).sum())
    direction, product = np.zeros_like(start), 1.0
    for iteration in range(iterations):
        if float(np.square(residual).sum()) <= enough:
            return heights, iteration
        preconditioned = inverse * residual
        last, product = product, float((residual * preconditioned).sum())
        direction = preconditioned + (product / last if iteration else 0.0) * direction
        image = apply(direction)
        step = product / float((direction * image).sum())
        heights += step * direction
        residual -= step * image
    return heights, iterations
