"""Least squares with an edge-preserving penalty on the surface's own steps."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np

from crevasse.cameras import Array
from crevasse.methods.network import Network, Pair
from crevasse.methods.problem import Outcome, Problem, Run, Step
from crevasse.methods.reweighted import BOUNDS, Reweighted
from crevasse.methods.settings import check_settings
from crevasse.status import Status


@dataclass(frozen=True)
class Regularised(Reweighted):
    """Least squares with edge-preserving regularisation of the surface (Agrawal et al., ECCV 2006).

    Minimises the sum of r^2 + strength * phi(z_b - z_a), r = z_b - z_a - t, with the potential phi(s) = 2 sqrt(1 +
    s^2) - 2 of image restoration: quadratic for gentle steps, linear for steep ones, so that it flattens steep parts
    less than a quadratic penalty would. phi and `strength` are our choices. Solved by iterative reweighting with
    phi'(s) / (2 s) = 1 / sqrt(1 + s^2).

    Use it for noisy slopes of a nearly flat surface. It prefers flat surfaces: planes come out too flat by the
    factor 1 / (1 + strength), and perspective surfaces bend towards spheres around the camera. Strength 0 is least
    squares.

    Attributes
    ----------
    strength : weight of the penalty relative to the data (lambda)
    """

    strength: float = 0.01

    name: ClassVar[str] = "regularised"
    title: ClassVar[str] = "Regularised"
    about: ClassVar[str] = "Least squares with an edge-preserving penalty on steep steps."
    tears: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_settings(self, strength=(0, 1e6), **BOUNDS)

    def run(self, problem: Problem) -> Run:
        network, status = Network(problem), Status.ITERATION_LIMIT
        heights, ones = np.zeros(problem.mask.shape), network.ones()
        for iteration in range(1, self.iterations + 1):
            before = heights
            solution = network.solve(ones, before, self.tolerance, level=self.penalty(network, before))
            heights, change = solution.heights, network.moved(before, solution.heights)
            energy, show = self.energy(network, heights), partial(np.copy, heights)
            yield Step(0, iteration, self.iterations, energy, change, self.strength, solution.iterations, show)
            if iteration > 1 and change <= self.stillness:
                status = Status.CONVERGED
                break
        return Outcome(heights, status, warnings=network.warnings)

    def penalty(self, network: Network, heights: Array) -> Pair:
        """Weights of the penalty at these heights; none where there is no pair."""
        right, down = (
            self.strength * weight / np.sqrt(1 + np.square(np.diff(heights, axis=axis)))
            for weight, axis in zip(network.weights, (1, 0), strict=True)
        )
        return right, down

    def energy(self, network: Network, heights: Array) -> float:
        """Value of the minimised sum at these heights."""
        total = network.energy(network.residuals(heights), network.ones())
        for weight, axis in zip(network.weights, (1, 0), strict=True):
            potential = 2 * np.sqrt(1 + np.square(np.diff(heights, axis=axis))) - 2
            total += self.strength * float((weight * potential).sum())
        return total
