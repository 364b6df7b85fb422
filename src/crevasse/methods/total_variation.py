"""Least absolute deviations of the gradient."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from crevasse.cameras import Array
from crevasse.methods.network import Network, Pair, both, coupled
from crevasse.methods.problem import Problem, Run
from crevasse.methods.reweighted import BOUNDS, Reweighted, reweight
from crevasse.methods.settings import check_settings


@dataclass(frozen=True)
class TotalVariation(Reweighted):
    """Total variation: the sum of norm(grad z - g) in place of its squares (Queau, Durou, Aujol, JMIV 2018).

    norm(grad z - g) = sqrt(r_x^2 + r_y^2) over a pixel and the pairs of one of its four quadrants, averaged over the
    quadrants (forward and backward differences). Convex: the minimum does not depend on the start. Solved by
    iterative reweighting with 1 / max(norm(grad z - g), smoothing), the Huber function near 0, and not by alternating
    directions (ADMM) as the authors do; both reach the same minimum as `smoothing` (the value is our default) goes to
    0.

    Use it for outliers and moderate jumps. A jump costs its height, so high ones are still spread over their
    surroundings: stairs become ramps, though less steep than with least squares.

    Attributes
    ----------
    smoothing : residual in pixels below which the sum is of squares
    """

    smoothing: float = 0.01
    iterations: int = field(default=100, kw_only=True)

    name: ClassVar[str] = "total-variation"
    title: ClassVar[str] = "Total variation"
    about: ClassVar[str] = "Least absolute deviations: convex, outliers count less."

    def __post_init__(self) -> None:
        check_settings(self, smoothing=(1e-9, 1e6), **BOUNDS)

    def run(self, problem: Problem) -> Run:
        return reweight(Network(problem), self, self.weigh)

    def weigh(self, heights: Array, residuals: Pair) -> Pair:
        """The factor of each pair, in (0, 1]: 1 up to `smoothing`."""
        return coupled(residuals, both(lambda s: self.smoothing / np.sqrt(np.maximum(s, self.smoothing**2))))
