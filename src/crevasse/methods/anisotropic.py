"""Anisotropic diffusion of the residual gradient."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from crevasse.cameras import Array
from crevasse.methods.network import BOUNDS, Network, Pair, coupled, reweight
from crevasse.methods.problem import Problem, Run
from crevasse.methods.settings import check_settings


@dataclass(frozen=True)
class AnisotropicDiffusion:
    """Anisotropic diffusion: the sum of norm(A (grad z - g))^2, A from the surface (Queau, Durou, Aujol, JMIV 2018).

    After Perona and Malik, steps along which the surface rises lose weight, those across keep it. With
    s = grad z on a quadrant of a pixel (the mean of its four quadrants), the squares of A's two entries are

        a_x^2 = (1 + (s_y / mu)^2) / c,  a_y^2 = (1 + (s_x / mu)^2) / c,  c = (1 + (s / mu)^2) (1 + (g / nu)^2),

    by iterative reweighting from least squares on. At a jump s is large, so the pair across it loses weight.

    Use it for jumps along rows or columns beside gentle slopes. A is diagonal: across a slanted jump both steps are
    large, and each keeps about half of its weight. It looks at the surface's slope, not at the residual, so that
    steep smooth parts lose weight too.

    Attributes
    ----------
    mu : slope of the surface from which a step loses weight (mu, 0.2)
    nu : slope of the normals from which both steps lose weight (nu, 10)
    iterations : maximal number of solves
    stillness : the run ends when the mean height changes by no more than this, in pixels
    tolerance : relative residual at which each linear solve stops
    """

    mu: float = 0.2
    nu: float = 10.0
    iterations: int = 50
    stillness: float = 1e-3
    tolerance: float = 1e-6

    name: ClassVar[str] = "anisotropic-diffusion"
    title: ClassVar[str] = "Anisotropic diffusion"
    about: ClassVar[str] = "Steps along which the surface rises steeply lose weight."
    accepts: ClassVar[frozenset[str]] = frozenset({"mask", "weights"})
    bytes_per_pixel: ClassVar[int] = 400

    def __post_init__(self) -> None:
        check_settings(self, mu=(1e-6, 1e6), nu=(1e-6, 1e6), **BOUNDS)

    def run(self, problem: Problem) -> Run:
        network = Network(problem)
        flat = coupled(network.targets, lambda x, y: (self.calm(x, y, self.nu), self.calm(x, y, self.nu)))

        def weigh(heights: Array, residuals: Pair) -> Pair:
            steps = residuals[0] + network.targets[0], residuals[1] + network.targets[1]
            right, down = coupled(steps, self.across)
            return right * flat[0], down * flat[1]

        return reweight(network, self, weigh)

    def across(self, first: Array, second: Array) -> tuple[Array, Array]:
        """Factors of the steps along the rows and along the columns, from both."""
        calm = self.calm(first, second, self.mu)
        return calm * (1 + np.square(second / self.mu)), calm * (1 + np.square(first / self.mu))

    def calm(self, first: Array, second: Array, scale: float) -> Array:
        """1 / (1 + |s|^2 / scale^2)."""
        return np.asarray(1 / (1 + (np.square(first) + np.square(second)) / scale**2))
