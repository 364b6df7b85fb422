"""Discontinuities as the hidden variables of expectation-maximisation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from crevasse.cameras import Array
from crevasse.methods.network import Network, Pair
from crevasse.methods.problem import Problem, Run
from crevasse.methods.reweighted import BOUNDS, Reweighted, reweight
from crevasse.methods.settings import check_settings


@dataclass(frozen=True)
class ExpectationMaximisation(Reweighted):
    """Weights are the probability that a pair is continuous (Wu, Tang, CVPR 2006): expectation-maximisation.

    Residuals r = z_b - z_a - t of continuous pairs are normal with deviation sigma, those of discontinuous ones
    spread evenly over a range. E step: w = P(continuous | r, sigma) = pi N(r; sigma) / (pi N(r; sigma) +
    (1 - pi) / range), N the normal density. M step: heights by least squares with the weights w, then
    sigma^2 = sum w r^2 / sum w and pi = mean w. This mixture and its constants are ours; theirs is an alternation of
    the same kind between integrability and discontinuities.

    Use it for jumps among normals of unknown noise: sigma is learnt. It starts from plain least squares, whose bent
    surface explains some jumps away, and seldom revises its early decisions.

    Attributes
    ----------
    range : range in pixels over which residuals at discontinuities spread
    share : share of continuous pairs to begin with (pi)
    floor : smallest sigma, in pixels
    iterations : maximal number of E and M steps
    """

    range: float = 100.0
    share: float = 0.9
    floor: float = 0.01

    name: ClassVar[str] = "em"
    title: ClassVar[str] = "Wu-Tang"
    about: ClassVar[str] = "Expectation-maximisation: weights are probabilities of being continuous."

    def __post_init__(self) -> None:
        check_settings(self, range=(1e-6, 1e9), share=(1e-6, 1 - 1e-6), floor=(1e-9, 1e6), **BOUNDS)

    def run(self, problem: Problem) -> Run:
        network = Network(problem)
        share, probabilities = self.share, network.ones()

        def expect(heights: Array, residuals: Pair) -> Pair:
            nonlocal share, probabilities
            sigma = max(deviation(network, residuals, probabilities), self.floor)
            probabilities = self.probability(residuals[0], sigma, share), self.probability(residuals[1], sigma, share)
            inside = [p[pairs] for p, pairs in zip(probabilities, network.inside, strict=True)]
            share = float(np.clip(np.concatenate([*inside, [self.share]]).mean(), 1e-6, 1 - 1e-6))
            return probabilities

        return reweight(network, self, expect)

    def probability(self, residuals: Array, sigma: float, share: float) -> Array:
        """P(continuous | r, sigma)."""
        normal = np.exp(-np.square(residuals / sigma) / 2) / (np.sqrt(2 * np.pi) * sigma)
        return np.asarray(share * normal / (share * normal + (1 - share) / self.range))


def deviation(network: Network, residuals: Pair, weights: Pair) -> float:
    """Weighted standard deviation of the residuals."""
    parts = list(zip(network.weights, residuals, weights, strict=True))
    total = sum(float((base * w).sum()) for base, _, w in parts)
    square = sum(float((base * w * np.square(r)).sum()) for base, r, w in parts)
    return float(np.sqrt(square / total)) if total > 0 else 0.0
