"""Robust least squares with an M-estimator."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from crevasse.cameras import Array
from crevasse.methods.network import Network, Pair
from crevasse.methods.problem import Problem, Run
from crevasse.methods.reweighted import BOUNDS, Reweighted, reweight
from crevasse.methods.settings import check_settings

ESTIMATORS = ("huber", "fair", "cauchy")


@dataclass(frozen=True)
class MEstimator(Reweighted):
    """Iteratively reweighted least squares with an M-estimator (Agrawal et al., ECCV 2006).

    Continuous weights in "What is the range of surface reconstructions from a gradient field?": minimises the sum
    of rho(abs(r) / k) of the residuals r = z_b - z_a - t, each pair with its weight rho'(x) / x: Huber min(1, 1 / x),
    Fair 1 / (1 + x), Cauchy 1 / (1 + x^2). The choice of estimators and the value of `k` are ours.

    Use it for noise with outliers. Huber and Fair are convex and bend the surface less than least squares, but still
    bend it at jumps, because large residuals keep pulling; with Cauchy their pull fades.

    Attributes
    ----------
    estimator : "huber", "fair" or "cauchy"
    k : residual in pixels from which a pair loses weight (k)
    """

    estimator: str = "huber"
    k: float = 0.1
    iterations: int = field(default=100, kw_only=True)

    name: ClassVar[str] = "m-estimator"
    title: ClassVar[str] = "M-estimator"
    about: ClassVar[str] = "Robust least squares: Huber, Fair or Cauchy."

    def __post_init__(self) -> None:
        check_settings(self, k=(1e-9, 1e9), **BOUNDS)
        if self.estimator not in ESTIMATORS:
            raise ValueError(f"estimator is {self.estimator!r}; give one of {', '.join(ESTIMATORS)}")

    def run(self, problem: Problem) -> Run:
        return reweight(Network(problem), self, self.weigh)

    def weigh(self, heights: Array, residuals: Pair) -> Pair:
        """The factor of each pair, in (0, 1]."""
        right, down = (self.factor(np.abs(r) / self.k) for r in residuals)
        return right, down

    def factor(self, x: Array) -> Array:
        """rho'(x) / x."""
        if self.estimator == "huber":
            return np.asarray(1 / np.maximum(x, 1))
        return np.asarray(1 / (1 + x) if self.estimator == "fair" else 1 / (1 + np.square(x)))
