"""Robust integration with a logarithmic loss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from crevasse.cameras import Array
from crevasse.methods.quadrant_estimator import QuadrantEstimator


@dataclass(frozen=True)
class LogEstimator(QuadrantEstimator):
    """The non-convex estimator log(r^2 + g^2) (Queau, Durou, Aujol, JMIV 2018): sparse residuals.

    Minimises the sum of log(r^2 + gamma^2), r = norm(grad z - g) over a pixel and the pairs of one of its four
    quadrants (the mean of the quadrants), by iterative reweighting with gamma^2 / (r^2 + gamma^2). A jump
    costs only a little more when it is higher.

    Use it for jumps of all sizes on rather clean normals. It is not convex: it starts from least squares and ends in
    a nearby minimum, so jumps that least squares spread over many pixels stay spread.

    Attributes
    ----------
    gamma : residual in pixels from which a pair loses weight; our default
    """

    gamma: float = 0.5

    name: ClassVar[str] = "log-estimator"
    title: ClassVar[str] = "Logarithmic"
    about: ClassVar[str] = "Robust estimator log(r^2 + g^2): jumps cost little more with height."

    def factor(self, square: Array) -> Array:
        return self.gamma**2 / (square + self.gamma**2)
