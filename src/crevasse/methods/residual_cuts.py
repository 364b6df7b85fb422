"""Least squares without the pairs that it cannot fit."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from crevasse.cameras import Array
from crevasse.methods.network import Network, Pair
from crevasse.methods.problem import Problem, Run
from crevasse.methods.reweighted import BOUNDS, Reweighted, reweight
from crevasse.methods.settings import check_settings


@dataclass(frozen=True)
class ResidualCuts(Reweighted):
    """Project, cut where the residual exceeds a threshold, project again (Karacali, Snyder, CVIU 2003).

    Partial integrability: the slopes need to be integrable everywhere but across the discontinuities. Where the
    plain least-squares surface leaves abs(z_b - z_a - t) > threshold, the pair (a, b) is cut, and the surface is
    fitted to the others. A cut is final; the rounds end when none is added. Parts that cuts separate are islands,
    placed in contact with their surroundings. The threshold and the number of rounds are our defaults.

    Use it for few, large jumps on nearly exact normals. Least squares spreads a jump over its neighbourhood: small
    jumps stay below the threshold, and at large ones pairs beside the jump are cut too.

    Attributes
    ----------
    threshold : residual in pixels above which a pair is cut
    iterations : maximal number of projections
    """

    threshold: float = 1.0
    iterations: int = field(default=2, kw_only=True)
    tolerance: float = field(default=1e-8, kw_only=True)

    name: ClassVar[str] = "residual-cuts"
    title: ClassVar[str] = "Karacali-Snyder"
    about: ClassVar[str] = "Least squares that cuts where the residual is large, then solves again."

    def __post_init__(self) -> None:
        check_settings(self, threshold=(0, 1e9), **BOUNDS)

    def run(self, problem: Problem) -> Run:
        network = Network(problem)
        kept = network.ones()

        def cut(heights: Array, residuals: Pair) -> Pair:
            nonlocal kept
            right, down = (
                np.where(np.abs(r) > self.threshold, 0.0, factor) for factor, r in zip(kept, residuals, strict=True)
            )
            kept = right, down
            return kept

        return reweight(network, self, cut, cutting=True)
