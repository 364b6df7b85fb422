"""Least squares on a rectangle by the discrete cosine transform."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from crevasse.cameras import Array
from crevasse.lattice import divergence
from crevasse.methods.network import Pair, once
from crevasse.methods.problem import Outcome, Problem, Run
from crevasse.methods.settings import check_settings
from crevasse.status import Status


@dataclass(frozen=True)
class Cosine:
    """Least squares on a rectangle by the discrete cosine transform (Simchony, Chellappa, Shao, PAMI 1990).

    Minimises the sum of (z_b - z_a - t)^2 over all pairs of neighbours, all with the same weight; t is the mean of
    what the planes of both pixels predict. The natural (free) boundary makes cosines its eigenvectors, with
    eigenvalues 2 - 2 cos(pi k / N) per axis, k from 0: two transforms and a division solve it exactly.

    Use it for full rectangles without jumps, where time matters. It differs from `Poisson` in its weights: grazing
    pixels count as much as others, and their steep slopes pull on the surface. It takes no mask.

    Attributes
    ----------
    grazing : smallest cosine towards the viewing ray that slopes are computed with
    """

    grazing: float = 0.03

    name: ClassVar[str] = "dct"
    title: ClassVar[str] = "Cosine transform"
    about: ClassVar[str] = "Unweighted least squares on a rectangle, by the DCT: no jumps."
    accepts: ClassVar[frozenset[str]] = frozenset()
    tears: ClassVar[bool] = False
    bytes_per_pixel: ClassVar[int] = 150

    def __post_init__(self) -> None:
        check_settings(self, grazing=(1e-3, 1))

    def run(self, problem: Problem) -> Run:
        steps = mean_steps(problem, self.grazing)
        heights = invert(divergence(*steps))
        left = np.diff(heights, axis=1) - steps[0], np.diff(heights, axis=0) - steps[1]
        energy = float(np.square(left[0]).sum() + np.square(left[1]).sum())
        return once(heights, problem, energy, 1, Outcome(heights, Status.CONVERGED))


def mean_steps(problem: Problem, grazing: float) -> Pair:
    """Steps between neighbours, right and down: the mean of the predictions of both planes."""
    slopes, planes = problem.slopes.steepness(grazing), problem.domain.planes
    right = (planes.at(*slopes, 0.0, 1.0)[:, :-1] - planes.at(*slopes, 0.0, -1.0)[:, 1:]) / 2
    down = (planes.at(*slopes, 1.0, 0.0)[:-1] - planes.at(*slopes, -1.0, 0.0)[1:]) / 2
    return right, down


def invert(side: Array) -> Array:
    """Solve the Laplacian with free borders, mean 0."""
    from scipy.fft import dctn, idctn

    rows, columns = (2 - 2 * np.cos(np.pi * np.arange(n) / n) for n in side.shape)
    eigenvalues = rows[:, None] + columns
    eigenvalues[0, 0] = 1.0
    waves = dctn(side, norm="ortho") / eigenvalues
    waves[0, 0] = 0.0
    found: Array = idctn(waves, norm="ortho")
    return found
