"""A problem as the compiled kernels take it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array, Planes, Real, corner_heights
from crevasse.methods.problem import Problem

Given = tuple[
    Array, Array, Array, NDArray[np.uint8], NDArray[np.int32] | None, Array, NDArray[np.int8] | None, Array | None
]
"""Arguments of the kernels that describe a problem."""


def describe_problem(problem: Problem, noise: Array) -> Given:
    """The problem and its noise, as the kernels take them."""
    slopes, domain = problem.slopes, problem.domain
    offsets = corner_offsets(domain.planes, *slopes.steepness()) if domain.planes.curvature is None else None
    mask = domain.mask.view(np.uint8)
    return slopes.across, slopes.along, slopes.cosine, mask, domain.several_labels, noise, domain.hints, offsets


def corner_offsets(planes: Planes, right: Real, down: Real) -> Array:
    """Heights of the corners of planes with these slopes above the centres of their pixels, (4, H, W)."""
    corners = corner_heights(planes, right, down)
    return np.stack([corners[row::2, column::2] for row in (0, 1) for column in (0, 1)])
