"""Iteratively reweighted least squares: the settings and the loop of methods that solve and weigh in turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np

from crevasse.cameras import Array
from crevasse.methods.network import EXACT, Network, Pair
from crevasse.methods.problem import Outcome, Run, Step
from crevasse.status import Status

LATER = 10
"""Maximal number of the solver's iterations in later solves, whose weights change again anyway."""

BOUNDS: dict[str, tuple[float, float]] = {"iterations": (1, 1e6), "stillness": (0, 1e6), "tolerance": (1e-14, 0.1)}
"""Bounds of the settings that reweighted methods share."""


@dataclass(frozen=True, kw_only=True)
class Reweighted:
    """Settings of a method that solves and weighs in turn until its surface rests.

    Attributes
    ----------
    iterations : maximal number of solves
    stillness : the run ends when the mean height changes by no more than this, in pixels
    tolerance : relative residual at which each linear solve stops
    """

    iterations: int = 50
    stillness: float = 1e-3
    tolerance: float = 1e-6

    accepts: ClassVar[frozenset[str]] = frozenset({"mask", "weights"})
    bytes_per_pixel: ClassVar[int] = 400


Weigh = Callable[[Array, Pair], Pair]
"""Factors of the pairs from heights and residuals."""


def reweight(network: Network, settings: Reweighted, weigh: Weigh, cutting: bool = False) -> Run:
    """Iteratively reweighted least squares, from plain least squares until the surface stops moving.

    Plain least squares and cut surfaces are solved to the tolerance. Weights that fade change again with the next
    solve, so that a few iterations each, from the last surface on, lead to the same one for a fraction of the work.

    Parameters
    ----------
    cutting : whether a factor of 0 cuts the surface; otherwise cuts are found from the size of the jumps
    """
    heights, factors, status = np.zeros(network.domain.mask.shape), network.ones(), Status.ITERATION_LIMIT
    for iteration in range(1, settings.iterations + 1):
        before, used = heights, factors
        limit = EXACT if cutting or iteration == 1 else LATER
        solution = network.solve(factors, before, settings.tolerance, limit=limit)
        heights = solution.heights
        residuals, change = network.residuals(heights), network.moved(before, heights)
        energy, show = network.energy(residuals, factors), partial(np.asarray, heights)
        yield Step(0, iteration, settings.iterations, energy, change, 1.0, solution.iterations, show)
        factors = weigh(heights, residuals)
        if iteration > 1 and change <= settings.stillness:
            status = Status.CONVERGED
            break
    return Outcome(heights, status, network.cuts(used) if cutting else None, warnings=network.warnings)
