"""The sum of a bounded function of squared residuals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from crevasse.cameras import Array
from crevasse.methods.network import BOUNDS, Network, Pair, both, coupled, reweight
from crevasse.methods.problem import Problem, Run
from crevasse.methods.settings import check_settings


@dataclass(frozen=True)
class RatioEstimator:
    """The non-convex estimator r^2 / (r^2 + g^2) (Queau, Durou, Aujol, JMIV 2018): jumps of bounded cost.

    Minimises the sum of r^2 / (r^2 + gamma^2), the Geman-McClure function, r = norm(grad z - g) over a pixel and the
    pairs of one of its four quadrants (the mean of the quadrants), by iterative reweighting with
    gamma^4 / (r^2 + gamma^2)^2. No jump costs more than 1, however high it is.

    Use it for few, clear jumps on clean normals. Of the estimators it is the furthest from convex: it begins with
    least squares, ends in the minimum nearby, and cuts where the first surface was off, right or wrong.

    Attributes
    ----------
    gamma : residual in pixels from which a pair loses weight; a default of ours
    iterations : maximal number of solves
    stillness : the run ends when the mean height changes by no more than this, in pixels
    tolerance : relative residual at which each linear solve stops
    """

    gamma: float = 1.0
    iterations: int = 100
    stillness: float = 1e-3
    tolerance: float = 1e-6

    name: ClassVar[str] = "ratio-estimator"
    title: ClassVar[str] = "Geman-McClure"
    about: ClassVar[str] = "Robust estimator r^2 / (r^2 + g^2): no jump costs more than 1."
    accepts: ClassVar[frozenset[str]] = frozenset({"mask", "weights"})
    bytes_per_pixel: ClassVar[int] = 400

    def __post_init__(self) -> None:
        check_settings(self, gamma=(1e-6, 1e6), **BOUNDS)

    def run(self, problem: Problem) -> Run:
        return reweight(Network(problem), self, self.weigh)

    def weigh(self, heights: Array, residuals: Pair) -> Pair:
        """The factor of each pair, in (0, 1]."""
        return coupled(residuals, both(lambda square: np.square(self.gamma**2 / (square + self.gamma**2))))
