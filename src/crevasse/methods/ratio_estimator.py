"""Robust integration with a bounded loss (Geman-McClure)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from crevasse.cameras import Array
from crevasse.methods.quadrant_estimator import QuadrantEstimator


@dataclass(frozen=True)
class RatioEstimator(QuadrantEstimator):
    """The non-convex estimator r^2 / (r^2 + g^2) (Queau, Durou, Aujol, JMIV 2018): jumps of bounded cost.

    Minimises the sum of r^2 / (r^2 + gamma^2), the Geman-McClure function, r = norm(grad z - g) over a pixel and the
    pairs of one of its four quadrants (the mean of the quadrants), by iterative reweighting with
    gamma^4 / (r^2 + gamma^2)^2. No jump costs more than 1, however high it is.

    Use it for few, clear jumps on clean normals. Of the estimators it is the furthest from convex: it starts from
    least squares, ends in a nearby minimum, and cuts where that first surface was off, rightly or wrongly.

    Attributes
    ----------
    gamma : residual in pixels from which a pair loses weight; our default
    """

    gamma: float = 1.0

    name: ClassVar[str] = "ratio-estimator"
    title: ClassVar[str] = "Geman-McClure"
    about: ClassVar[str] = "Robust estimator r^2 / (r^2 + g^2): no jump costs more than 1."

    def factor(self, square: Array) -> Array:
        return np.square(self.gamma**2 / (square + self.gamma**2))
