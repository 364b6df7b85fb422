"""Robust estimators of the residual gradient on the quadrants of each pixel: the settings and the loop they share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field

from crevasse.cameras import Array
from crevasse.methods.network import Network, Pair, both, coupled
from crevasse.methods.problem import Problem, Run
from crevasse.methods.reweighted import BOUNDS, Reweighted, reweight
from crevasse.methods.settings import check_settings


@dataclass(frozen=True)
class QuadrantEstimator(Reweighted, ABC):
    """Sum of a robust loss of r = norm(grad z - g), averaged over quadrants, by iterative reweighting."""

    gamma: float
    iterations: int = field(default=100, kw_only=True)

    def __post_init__(self) -> None:
        check_settings(self, gamma=(1e-6, 1e6), **BOUNDS)

    def run(self, problem: Problem) -> Run:
        return reweight(Network(problem), self, self.weigh)

    def weigh(self, heights: Array, residuals: Pair) -> Pair:
        """The factor of each pair, in (0, 1]."""
        return coupled(residuals, both(self.factor))

    @abstractmethod
    def factor(self, square: Array) -> Array:
        """The factor that the loss gives to a squared residual r^2."""
