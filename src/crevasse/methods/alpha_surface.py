"""Surfaces that grow from a spanning tree by the pairs that agree with it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np

from crevasse.methods.loops import Flags, spanning_tree, sum_along
from crevasse.methods.network import Network, Pair
from crevasse.methods.problem import Outcome, Problem, Run, Step
from crevasse.methods.settings import check_settings
from crevasse.status import Status


@dataclass(frozen=True)
class AlphaSurface:
    """Grow from a spanning tree by the pairs whose residual is at most alpha (Agrawal et al., ECCV 2006).

    The alpha-surface of "What is the range of surface reconstructions from a gradient field?": binary weights. The
    first surface follows the minimum spanning tree, whose costs are the sizes of the steps t, which is our choice.
    Then pairs with abs(z_b - z_a - t) <= alpha are added, and the surface is fitted to all pairs so far by least
    squares, until none is added. The value of `alpha` is our default. alpha = 0 leaves the tree, an infinite
    alpha gives least squares (`Poisson`).

    Use it for outliers in good slopes. Where the tree crosses a jump, the surface bends. A pair that was added
    because its step happened to fit is never removed again.

    Attributes
    ----------
    alpha : residual in pixels up to which a pair agrees (alpha)
    iterations : maximal number of rounds
    tolerance : relative residual at which each linear solve stops
    """

    alpha: float = 0.5
    iterations: int = 50
    tolerance: float = 1e-8

    name: ClassVar[str] = "alpha-surface"
    title: ClassVar[str] = "Alpha-surface"
    about: ClassVar[str] = "Grows from a spanning tree by the pairs that agree with it."
    accepts: ClassVar[frozenset[str]] = frozenset({"mask", "weights"})
    bytes_per_pixel: ClassVar[int] = 700

    def __post_init__(self) -> None:
        check_settings(self, alpha=(0, float("inf")), iterations=(1, 1e6), tolerance=(1e-14, 0.1))

    def run(self, problem: Problem) -> Run:
        network = Network(problem)
        kept = spanning_tree(network, (np.abs(network.targets[0]), np.abs(network.targets[1])))
        heights, status = sum_along(network, kept), Status.ITERATION_LIMIT
        change, work = float(np.abs(heights[problem.mask]).mean()), 0
        for iteration in range(1, self.iterations + 1):
            factors, residuals = _factors(kept), network.residuals(heights)
            energy = network.energy(residuals, factors)
            yield Step(0, iteration, self.iterations, energy, change, self.alpha, work, partial(np.copy, heights))
            grown = self.add(kept, residuals, network.inside)
            if all(np.array_equal(old, new) for old, new in zip(kept, grown, strict=True)):
                status = Status.CONVERGED
                break
            kept, before = grown, heights
            solution = network.solve(_factors(kept), before, self.tolerance, floor=0.0)
            heights, work = solution.heights, solution.iterations
            change = network.moved(before, heights)
        return Outcome(heights, status, warnings=network.warnings)

    def add(self, kept: Flags, residuals: Pair, inside: Flags) -> Flags:
        """The pairs so far and those that agree with the surface."""
        right, down = (
            known | (pairs & (np.abs(r) <= self.alpha))
            for known, pairs, r in zip(kept, inside, residuals, strict=True)
        )
        return right, down


def _factors(kept: Flags) -> Pair:
    return kept[0].astype(float), kept[1].astype(float)
