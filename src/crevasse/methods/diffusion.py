"""Affine diffusion of the gradient with an edge-preserving tensor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from crevasse.cameras import Array
from crevasse.methods.network import Network, once
from crevasse.methods.problem import Outcome, Problem, Run
from crevasse.methods.quadrants import QUADRANTS, Tensor, energy, solve
from crevasse.methods.regions import level_regions
from crevasse.methods.settings import check_settings
from crevasse.status import Status


@dataclass(frozen=True)
class Diffusion:
    """Diffusion by an affine transformation of the gradients (Agrawal et al., ECCV 2006): div(D grad z) = div(D g).

    The most general of the reconstructions in "What is the range of surface reconstructions from a gradient field?":
    D is a symmetric 2 x 2 tensor per pixel that mixes the residuals of both axes. Ours is that of edge-enhancing
    diffusion (Weickert) for the slopes g: eigenvectors of the matrix H, the mean of g g' over a Gaussian window;
    along an edge the eigenvalue is 1, across it, with the largest eigenvalue m of H,

        floor + 1 - exp(-3.315 / m^4), at most 1.

    3.315 is the constant of Weickert's diffusivity; `scale` and `floor` are our defaults.
    Steps across edges, where g is large, count less; one linear solve.

    Use it for noisy slopes with steep, straight edges. It knows the slopes only: jumps that no slope shows stay
    bent, and steep smooth parts lose weight.

    Attributes
    ----------
    scale : standard deviation in pixels of the window; 0 takes each pixel by itself
    floor : least eigenvalue (beta)
    tolerance : relative residual at which the linear solver stops
    """

    scale: float = 0.5
    floor: float = 0.02
    tolerance: float = 1e-8

    name: ClassVar[str] = "diffusion"
    title: ClassVar[str] = "Affine diffusion"
    about: ClassVar[str] = "Least squares with a tensor that discounts steps across steep edges."
    accepts: ClassVar[frozenset[str]] = frozenset({"mask"})
    bytes_per_pixel: ClassVar[int] = 550

    def __post_init__(self) -> None:
        check_settings(self, scale=(0, 100), floor=(1e-6, 1), tolerance=(1e-14, 0.1))

    def run(self, problem: Problem) -> Run:
        network = Network(problem)
        tensors = (self.tensor(problem),) * len(QUADRANTS)
        found = solve(network, tensors, np.zeros(problem.mask.shape), self.tolerance)
        heights = level_regions(found.values, problem.domain)
        left = energy(network, tensors, network.residuals(heights))
        status = Status.CONVERGED if found.converged else Status.ITERATION_LIMIT
        outcome = Outcome(heights, status, warnings=network.warnings)
        return once(heights, problem, left, found.iterations, outcome)

    def tensor(self, problem: Problem) -> Tensor:
        """D, from the slopes around each pixel."""
        right, down = problem.slopes.steepness()
        squares = [self.smooth(part, problem) for part in (right * right, right * down, down * down)]
        half, difference = (squares[0] + squares[2]) / 2, (squares[0] - squares[2]) / 2
        radius = np.hypot(difference, squares[1])
        with np.errstate(divide="ignore"):
            across = np.minimum(self.floor + 1 - np.exp(-3.315 / np.maximum(half + radius, 1e-30) ** 4), 1.0)
        cosine = np.divide(difference, radius, out=np.zeros_like(radius), where=radius > 0)
        sine = np.divide(squares[1], radius, out=np.zeros_like(radius), where=radius > 0)
        # The first eigenvector, of the largest eigenvalue, has the angle a / 2, with cos a and sin a as above.
        mean, spread = (1 + across) / 2, (across - 1) / 2
        return Tensor(mean + spread * cosine, spread * sine, mean - spread * cosine)

    def smooth(self, values: Array, problem: Problem) -> Array:
        """Gaussian mean over the pixels of the mask."""
        from scipy.ndimage import gaussian_filter

        if self.scale == 0:
            return values
        inside = problem.mask.astype(float)
        total = gaussian_filter(values * inside, self.scale, mode="constant")
        share = gaussian_filter(inside, self.scale, mode="constant")
        return np.asarray(np.divide(total, share, out=np.zeros_like(total), where=problem.mask))
