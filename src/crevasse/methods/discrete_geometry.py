"""A quadrilateral per pixel on shared vertices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array, corner_heights
from crevasse.methods.corners import level_corners
from crevasse.methods.krylov import descend
from crevasse.methods.network import Pair, once
from crevasse.methods.one_sided import UNKNOWN
from crevasse.methods.problem import Outcome, Problem, Run
from crevasse.methods.settings import check_settings
from crevasse.solve import LinearSystem
from crevasse.status import Status

SIDES = (slice(None, -1), slice(1, None))
CORNERS = tuple((rows, columns) for rows in SIDES for columns in SIDES)
"""Where the four vertices of each pixel are on the grid of vertices."""


@dataclass(frozen=True)
class DiscreteGeometry:
    """Discrete geometry processing: one quadrilateral per pixel (Xie et al., CVPR 2014), no jumps.

    The unknowns are the heights of the (H+1) x (W+1) vertices between pixels. A pixel's four vertices h should lie
    on the plane of its normal, wherever that is: minimises the sum over pixels of

        norm((I - 1 1' / 4) h - t(n))^2,

    t(n) the offsets of the plane's corners from its centre; the matrix subtracts the mean. The authors alternate
    local shaping and global blending; one linear solve finds the same optimum. Along parallel rays t = (+-p +-q) / 2;
    in perspective the corners of the exact plane. A pixel's height is the mean of its vertices less that of its
    plane's corners.

    Use it for smooth surfaces whose mesh should follow the normals closely: it fits diagonals too, which no
    five-point scheme sees.

    Attributes
    ----------
    weighted : weight each pixel by the square of the cosine towards the viewing ray, as `Poisson` does; otherwise
        all count the same
    grazing : smallest cosine that slopes are computed with
    tolerance : relative residual at which the linear solver stops
    """

    weighted: bool = False
    grazing: float = 0.03
    tolerance: float = 1e-8

    name: ClassVar[str] = "discrete-geometry"
    title: ClassVar[str] = "Xie"
    about: ClassVar[str] = "One quadrilateral per pixel on shared vertices: no jumps."
    accepts: ClassVar[frozenset[str]] = frozenset({"mask", "weights"})
    tears: ClassVar[bool] = False
    bytes_per_pixel: ClassVar[int] = 550

    def __post_init__(self) -> None:
        check_settings(self, grazing=(1e-3, 1), tolerance=(1e-14, 0.1))

    def run(self, problem: Problem) -> Run:
        weights, trusted = self.weigh(problem)
        offsets = _quads(corner_heights(problem.domain.planes, *problem.slopes.steepness(self.grazing)))
        mean = _mean(offsets)
        side = gather([trusted * (offset - mean) for offset in offsets])

        def apply(vertices: Array) -> Array:
            quads = [vertices[corner] for corner in CORNERS]
            centre = _mean(quads)
            return gather([weights * (quad - centre) for quad in quads])

        system = LinearSystem(*sides(weights), problem.threads)
        found = descend(apply, side, np.zeros(side.shape), system, self.tolerance)
        corners = level_corners(separate(found.values, problem.mask), problem)
        quads = _quads(corners)
        centre = _mean(quads)
        residuals = (quad - centre - offset + mean for quad, offset in zip(quads, offsets, strict=True))
        energy = sum(float((trusted * np.square(residual)).sum()) for residual in residuals)
        heights = np.where(problem.mask, centre - mean, 0.0)
        status = Status.CONVERGED if found.converged else Status.ITERATION_LIMIT
        return once(heights, problem, energy, found.iterations, Outcome(heights, status, corners=corners))

    def weigh(self, problem: Problem) -> tuple[Array, Array]:
        """Weight per pixel, 0 outside, of flatness and of its slopes: pixels of unknown slopes stay connected."""
        weights, trust = problem.mask.astype(float), problem.domain.weights
        if self.weighted:
            weights *= np.square(np.maximum(problem.slopes.cosine, self.grazing))
        if trust is None:
            return weights, weights
        trusted = weights * trust
        return np.where(problem.mask & (trusted == 0), UNKNOWN * trusted.max(), trusted), trusted


def _quads(corners: Array) -> list[Array]:
    return [corners[row::2, column::2] for row in (0, 1) for column in (0, 1)]


def _mean(quads: list[Array]) -> Array:
    return np.asarray((quads[0] + quads[1] + quads[2] + quads[3]) / 4)


def gather(quads: list[Array]) -> Array:
    """Sum of the pixels' values at each vertex, (H+1, W+1)."""
    height, width = quads[0].shape
    total = np.zeros((height + 1, width + 1))
    for corner, quad in zip(CORNERS, quads, strict=True):
        total[corner] += quad
    return total


def sides(weights: Array) -> Pair:
    """Weights of the sides of the quadrilaterals: those of a five-point system that approximates this one."""
    above, left = np.pad(weights, ((1, 1), (0, 0))), np.pad(weights, ((0, 0), (1, 1)))
    return (above[:-1] + above[1:]) / 2, (left[:, :-1] + left[:, 1:]) / 2


def separate(vertices: Array, mask: NDArray[np.bool_]) -> Array:
    """The vertices of each pixel as its corners, (2H, 2W)."""
    corners = np.zeros((2 * mask.shape[0], 2 * mask.shape[1]))
    for number, corner in enumerate(CORNERS):
        corners[number // 2 :: 2, number % 2 :: 2] = vertices[corner]
    return corners
