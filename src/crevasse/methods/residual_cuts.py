"""Least squares without the pairs that it cannot fit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from crevasse.cameras import Array
from crevasse.methods.network import BOUNDS, Network, Pair, reweight
from crevasse.methods.problem import Problem, Run
from crevasse.methods.settings import check_settings


@dataclass(frozen=True)
class ResidualCuts:
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
    stillness : the run ends when the mean height changes by no more than this, in pixels
    tolerance : relative residual at which each linear solve stops
    """

    threshold: float = 1.0
    iterations: int = 2
    stillness: float = 1e-3
    tolerance: float = 1e-8

    name: ClassVar[str] = "residual-cuts"
    title: ClassVar[str] = "Karacali-Snyder"
    about: ClassVar[str] = "Least squares that cuts where the residual is large, then solves again."
    accepts: ClassVar[frozenset[str]] = frozenset({"mask", "weights"})
    bytes_per_pixel: ClassVar[int] = 400

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
