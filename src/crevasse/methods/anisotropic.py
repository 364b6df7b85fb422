"""Anisotropic diffusion of the residual gradient."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np

from crevasse.cameras import Array
from crevasse.methods.network import EXACT, WEAK, Network, Pair
from crevasse.methods.problem import Outcome, Problem, Run, Step
from crevasse.methods.quadrants import QUADRANTS, Tensor, Tensors, energy, padded, solve
from crevasse.methods.regions import level_regions
from crevasse.methods.reweighted import BOUNDS, LATER, Reweighted
from crevasse.methods.settings import check_settings
from crevasse.status import Status


@dataclass(frozen=True)
class AnisotropicDiffusion(Reweighted):
    """Anisotropic diffusion: the sum of (grad z - g)' D (grad z - g), D from the surface.

    Follows the method of this name by Queau, Durou and Aujol (JMIV 2018), which in turn follows Perona and Malik:
    steps along which the surface rises lose weight, those across keep it. With s = grad z on a quadrant of a pixel
    (the mean of its four quadrants), D has the eigenvalues

        c / (1 + (s / mu)^2) along s and c across it, c = 1 / (1 + (g / nu)^2),

    by iterative reweighting, starting from least squares. At a jump s is large, so steps across it lose weight,
    whatever its direction; a millionth of the weight remains and holds parts that jumps surround. The tensor, `mu`
    and `nu` are our choices: a diagonal tensor with the diagonal of D would keep half the weight of a jump along a
    diagonal of the pixels.

    Use it for jumps beside gentle slopes. It looks at the surface's slope, not at the residual, so that steep smooth
    parts lose weight too.

    Attributes
    ----------
    mu : slope of the surface from which the steps along it lose weight (mu)
    nu : slope of the normals from which all steps lose weight (nu)
    """

    mu: float = 0.2
    nu: float = 10.0

    name: ClassVar[str] = "anisotropic-diffusion"
    title: ClassVar[str] = "Anisotropic diffusion"
    about: ClassVar[str] = "Steps along which the surface rises steeply lose weight."
    bytes_per_pixel: ClassVar[int] = 700

    def __post_init__(self) -> None:
        check_settings(self, mu=(1e-6, 1e6), nu=(1e-6, 1e6), **BOUNDS)

    def run(self, problem: Problem) -> Run:
        network, status = Network(problem), Status.ITERATION_LIMIT
        calm = [1 / (1 + (x**2 + y**2) / self.nu**2) for x, y in _quadrants(network.targets)]
        level = np.zeros(problem.mask.shape)
        heights, tensors = level, tuple(Tensor(level + 1, level, level + 1) for _ in QUADRANTS)
        for iteration in range(1, self.iterations + 1):
            before = heights
            found = solve(network, tensors, before, self.tolerance, EXACT if iteration == 1 else LATER)
            heights = level_regions(found.values, problem.domain)
            residuals, change = network.residuals(heights), network.moved(before, heights)
            left, show = energy(network, tensors, residuals), partial(np.copy, heights)
            yield Step(0, iteration, self.iterations, left, change, 1.0, found.iterations, show)
            if iteration > 1 and change <= self.stillness:
                status = Status.CONVERGED
                break
            steps = residuals[0] + network.targets[0], residuals[1] + network.targets[1]
            tensors = self.tensors(steps, calm)
        return Outcome(heights, status, warnings=network.warnings)

    def tensors(self, steps: Pair, calm: list[Array]) -> Tensors:
        """D on the quadrants, from the surface's steps and the factors of the normals."""
        found = []
        for (right, down), factor in zip(_quadrants(steps), calm, strict=True):
            x, y = right / self.mu, down / self.mu
            shared = factor / (1 + x**2 + y**2)
            found.append(Tensor(shared * (1 + y**2) + WEAK, -shared * x * y, shared * (1 + x**2) + WEAK))
        return tuple(found)


def _quadrants(steps: Pair) -> list[Pair]:
    """The steps along the rows and along the columns that meet in each quadrant, 0 for a missing neighbour."""
    right, down = padded(*steps)
    return [(right[:, columns], down[rows]) for rows, columns in QUADRANTS]
