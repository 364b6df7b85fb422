"""Robust estimators of the residual gradient on the quadrants of each pixel: the settings and the loop they share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from crevasse.cameras import Array
from crevasse.methods.network import BOUNDS, Network, Pair, both, coupled, reweight
from crevasse.methods.problem import Problem, Run
from crevasse.methods.settings import check_settings


@dataclass(frozen=True)
class QuadrantEstimator(ABC):
    """Sum of a robust loss of r = norm(grad z - g), averaged over quadrants, by iterative reweighting."""

    gamma: float
    iterations: int = 100
    stillness: float = 1e-3
    tolerance: float = 1e-6

    accepts: ClassVar[frozenset[str]] = frozenset({"mask", "weights"})
    bytes_per_pixel: ClassVar[int] = 400

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
