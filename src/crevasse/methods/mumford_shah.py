"""The Mumford-Shah functional, as Ambrosio and Tortorelli approximate it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from crevasse.cameras import Array
from crevasse.lattice import divergence
from crevasse.methods.network import Network, Pair, on_pixels
from crevasse.methods.problem import Problem, Run
from crevasse.methods.reweighted import BOUNDS, Reweighted, reweight
from crevasse.methods.settings import check_settings


@dataclass(frozen=True)
class MumfordShah(Reweighted):
    """Mumford-Shah in the approximation of Ambrosio and Tortorelli (Queau, Durou, Aujol, JMIV 2018).

    Minimises over heights z and an edge map v the sum over pixels of

        mu v^2 norm(grad z - g)^2 + epsilon norm(grad v)^2 + (1 - v)^2 / (4 epsilon):

    v is 1 on the surface and falls towards 0 at discontinuities, whose length it measures as epsilon goes to 0. In
    turn: z by least squares with the mean v^2 of the two pixels of a pair, then v from
    (mu s + 1 / (4 epsilon)) v - epsilon laplace(v) = 1 / (4 epsilon), s the squared residual of the pixel's
    pairs. As `mu` goes to 0, v becomes 1 everywhere: `Poisson`. The values of `mu` and `epsilon` are our defaults.

    Use it where jumps form long curves. v marks pixels, not pairs: pixels on both sides of a jump lose their hold,
    so thin parts are lost. It starts from least squares and ends in a nearby minimum.

    Attributes
    ----------
    mu : weight of the residuals against the length of the discontinuities (mu)
    epsilon : width of the discontinuities in pixels (epsilon)
    iterations : maximal number of alternations between heights and edge map
    """

    mu: float = 45.0
    epsilon: float = 0.1

    name: ClassVar[str] = "mumford-shah"
    title: ClassVar[str] = "Mumford-Shah"
    about: ClassVar[str] = "Heights and an edge map in turn (Ambrosio-Tortorelli)."

    def __post_init__(self) -> None:
        check_settings(self, mu=(0, 1e9), epsilon=(1e-6, 1e3), **BOUNDS)

    def run(self, problem: Problem) -> Run:
        network = Network(problem)
        edges = np.ones(problem.mask.shape)

        def weigh(heights: Array, residuals: Pair) -> Pair:
            nonlocal edges
            square = on_pixels((np.square(residuals[0]), np.square(residuals[1])))
            edges = self.solve_edges(network, square, edges)
            kept = np.square(edges)
            return (kept[:, :-1] + kept[:, 1:]) / 2, (kept[:-1] + kept[1:]) / 2

        return reweight(network, self, weigh)

    def solve_edges(self, network: Network, square: Array, start: Array) -> Array:
        """The edge map v for these squared residuals, by conjugate gradients preconditioned by the diagonal."""
        pull = 1 / (4 * self.epsilon)
        own = self.mu * square + pull
        joined = network.inside[0].astype(float), network.inside[1].astype(float)
        inverse = 1 / (own + 2 * self.epsilon * on_pixels(joined))

        def apply(v: Array) -> Array:
            steps = joined[0] * np.diff(v, axis=1), joined[1] * np.diff(v, axis=0)
            return np.asarray(own * v + self.epsilon * divergence(*steps))

        v = np.where(network.domain.mask, start, 1.0)
        residual = pull - apply(v)
        direction, product = np.zeros_like(v), 1.0
        for count in range(1000):
            if np.abs(inverse * residual).max() <= 1e-9:
                break
            scaled = inverse * residual
            last, product = product, float((residual * scaled).sum())
            direction = scaled + (product / last if count else 0.0) * direction
            image = apply(direction)
            step = product / float((direction * image).sum())
            v, residual = v + step * direction, residual - step * image
        return v
