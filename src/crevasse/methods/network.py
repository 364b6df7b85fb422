"""Heights from weighted differences between neighbours: what the methods of the literature share."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array
from crevasse.lattice import Pairs
from crevasse.methods.one_sided import assemble
from crevasse.methods.problem import Outcome, Problem, Run, Step, describe_threads
from crevasse.methods.regions import level_regions
from crevasse.solve import LinearSystem, Solution

Pair = tuple[Array, Array]
"""A value per pair of neighbours: right (H, W-1), down (H-1, W)."""

WEAK = 1e-6
"""Relative weight of a cut pair: it places parts that no other pair holds."""

EXACT = 200
"""Maximal number of the solver's iterations where a solve goes on to its tolerance."""


class Network:
    """Pairs of neighbours, each with a target step and a weight, as plain least squares (Poisson) has them.

    The residual of a pair (a, b) is r = z_b - z_a - t, in pixels. A method multiplies the weights by its factors.
    """

    def __init__(self, problem: Problem) -> None:
        halves = np.full(problem.mask.shape, 0.5)
        system = assemble(problem, (halves, halves))
        self.problem, self.domain = problem, problem.domain
        self.weights: Pair = (system.weight_right, system.weight_down)
        self.targets: Pair = (_divide(system.flux_right, self.weights[0]), _divide(system.flux_down, self.weights[1]))
        self.threads = problem.threads

    @property
    def inside(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Flags of the existing pairs."""
        return self.domain.pairs

    @cached_property
    def _system(self) -> LinearSystem:
        return LinearSystem(*self.weights, self.problem.threads)

    def ones(self) -> Pair:
        """Factors that leave the weights as they are."""
        return np.ones(self.weights[0].shape), np.ones(self.weights[1].shape)

    def residuals(self, heights: Array) -> Pair:
        """z_b - z_a - t, 0 where there is no pair."""
        right = np.where(self.inside[0], np.diff(heights, axis=1) - self.targets[0], 0.0)
        down = np.where(self.inside[1], np.diff(heights, axis=0) - self.targets[1], 0.0)
        return right, down

    def energy(self, residuals: Pair, factors: Pair) -> float:
        """Sum of weight * factor * r^2."""
        parts = zip(self.weights, factors, residuals, strict=True)
        return sum(float((weight * factor * np.square(r)).sum()) for weight, factor, r in parts)

    def solve(
        self,
        factors: Pair,
        start: Array,
        tolerance: float,
        level: Pair | None = None,
        floor: float = WEAK,
        limit: int = EXACT,
    ) -> Solution:
        """Heights of least energy, each region with mean 0.

        Parameters
        ----------
        factors : relative weights, >= 0; below `floor` they count as `floor`
        level : additional weights that pull the two pixels of a pair to the same height
        limit : maximal number of the solver's iterations
        """
        right, down = (w * np.maximum(f, floor) for w, f in zip(self.weights, factors, strict=True))
        flux = right * self.targets[0], down * self.targets[1]
        if level is not None:
            right, down = right + level[0], down + level[1]
        self._system.reweight(right, down)
        solution = self._system.solve(*flux, start, tolerance, limit)
        self.threads = min(self.threads, solution.threads)
        return solution._replace(heights=level_regions(solution.heights, self.domain))

    def cuts(self, kept: Pair) -> Pairs:
        """The pairs that are not kept, in the form of an outcome."""
        right, down = (inside & (factor == 0) for inside, factor in zip(self.inside, kept, strict=True))
        return Pairs(np.pad(right, ((0, 0), (0, 1))), np.pad(down, ((0, 1), (0, 0))))

    def moved(self, before: Array, after: Array) -> float:
        """Mean absolute change of height in pixels."""
        return float(np.abs(level_regions(after - before, self.domain)[self.domain.mask]).mean())

    @property
    def warnings(self) -> tuple[str, ...]:
        return describe_threads(self.threads, self.problem.threads)


def once(heights: Array, problem: Problem, energy: float, work: int, outcome: Outcome) -> Run:
    """The run of a method that takes a single step."""
    change = float(np.abs(heights[problem.mask]).mean())
    yield Step(0, 1, 1, energy, change, 1.0, work, partial(_itself, heights))
    return outcome


def coupled(residuals: Pair, weigh: Callable[[Array, Array], tuple[Array, Array]]) -> Pair:
    """Factors from a step along the rows and one along the columns that meet in a pixel, over its four quadrants.

    Parameters
    ----------
    weigh : the factors of both steps, from their values (H, W); 0 stands for a missing neighbour
    """
    right, down = np.pad(residuals[0], ((0, 0), (1, 1))), np.pad(residuals[1], ((1, 1), (0, 0)))
    sums = np.zeros_like(right), np.zeros_like(down)
    for columns in (slice(None, -1), slice(1, None)):
        for rows in (slice(None, -1), slice(1, None)):
            first, second = weigh(right[:, columns], down[rows])
            sums[0][:, columns] += first / 4
            sums[1][rows] += second / 4
    return sums[0][:, 1:-1], sums[1][1:-1]


def both(weigh: Callable[[Array], Array]) -> Callable[[Array, Array], tuple[Array, Array]]:
    """One factor for both steps of a quadrant, from the sum of their squares."""

    def factors(first: Array, second: Array) -> tuple[Array, Array]:
        factor = weigh(np.square(first) + np.square(second))
        return factor, factor

    return factors


def on_pixels(values: Pair) -> Array:
    """Half the sum of a pixel's pairs, (H, W)."""
    total = np.zeros((values[0].shape[0], values[1].shape[1]))
    total[:, :-1] += values[0] / 2
    total[:, 1:] += values[0] / 2
    total[:-1] += values[1] / 2
    total[1:] += values[1] / 2
    return total


def _divide(flux: Array, weight: Array) -> Array:
    return np.divide(flux, weight, out=np.zeros_like(flux), where=weight > 0)


def _itself(heights: Array) -> Array:
    return heights
