"""The sum of the logarithm of squared residuals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from crevasse.cameras import Array
from crevasse.methods.network import BOUNDS, Network, Pair, both, coupled, reweight
from crevasse.methods.problem import Problem, Run
from crevasse.methods.settings import check_settings


@dataclass(frozen=True)
class LogEstimator:
    """The non-convex estimator log(r^2 + g^2) (Queau, Durou, Aujol, JMIV 2018): sparse residuals.

    Minimises the sum of log(r^2 + gamma^2), r = norm(grad z - g) over a pixel and the pairs of one of its four
    quadrants (the mean of the quadrants), by iterative reweighting with gamma^2 / (r^2 + gamma^2). A jump
    costs little more the higher it is.

    Use it for jumps of all sizes on rather clean normals. Not convex: it begins with least squares and ends in the
    minimum nearby; jumps that least squares shared out over many pixels stay so.

    Attributes
    ----------
    gamma : residual in pixels from which a pair loses weight; a default of ours
    iterations : maximal number of solves
    stillness : the run ends when the mean height changes by no more than this, in pixels
    tolerance : relative residual at which each linear solve stops
    """

    gamma: float = 0.5
    iterations: int = 100
    stillness: float = 1e-3
    tolerance: float = 1e-6

    name: ClassVar[str] = "log-estimator"
    title: ClassVar[str] = "Logarithmic"
    about: ClassVar[str] = "Robust estimator log(r^2 + g^2): jumps cost little more with height."
    accepts: ClassVar[frozenset[str]] = frozenset({"mask", "weights"})
    bytes_per_pixel: ClassVar[int] = 400

    def __post_init__(self) -> None:
        check_settings(self, gamma=(1e-6, 1e6), **BOUNDS)

    def run(self, problem: Problem) -> Run:
        return reweight(Network(problem), self, self.weigh)

    def weigh(self, heights: Array, residuals: Pair) -> Pair:
        """The factor of each pair, in (0, 1]."""
        return coupled(residuals, both(lambda square: self.gamma**2 / (square + self.gamma**2)))
