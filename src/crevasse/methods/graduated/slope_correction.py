"""A smooth correction of the slopes, found in turn with the heights.

Where normals err smoothly, no surface meets them: least squares leave a residual everywhere, and robust weights
concentrate it in false jumps. The part of the residual that is common to many neighbouring pairs is taken as the
error of the normals. What is left for jumps is what stands out from the neighbourhood.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import GRAZING, Array, Slopes
from crevasse.lattice import Labels
from crevasse.methods.graduated.blocks import sum_blocks
from crevasse.methods.graduated.engine import Engine
from crevasse.methods.problem import Problem

SIGMA = 8.0
"""Pixels over which the correction is averaged, as the standard deviation of a Gaussian window."""
EXPECTED = 0.3
"""Standard deviation that an error of the normals has before anything is known, in radians."""
BLOCK = 4
"""Side of the blocks of pixels on which the correction is computed; between their centres it is interpolated."""
EVERY = 5
"""Outer iterations between two updates."""


class SlopeCorrection:
    """Slopes of a map, corrected by a smooth field that follows the surface.

    A turn of the normal by e changes a slope by e / cosine^2. The field holds e for the slopes per column and row.
    Among the pairs of its window, weighted as the surface weighs them, it is the mean e, pulled to 0 as if the window
    were one draw from a Gaussian of standard deviation `EXPECTED`.

    Parameters
    ----------
    problem : the slopes as they were given
    noise : of the variances of the pairs, per region
    where : regions in which slopes are corrected, (regions + 1,)
    """

    def __init__(self, engine: Engine, problem: Problem, noise: Array, where: NDArray[np.bool_]) -> None:
        self._engine, self._problem, self._noise = engine, problem, noise
        labels = problem.domain.labels
        inside = problem.mask & where[labels]
        steep = np.maximum(problem.slopes.cosine, GRAZING) ** -2
        self._steep = np.where(inside, steep, 0.0).astype(np.float32)
        self._labels: Labels | None = problem.domain.several_labels
        self._pulls = _gather(inside) / (EXPECTED**2 * 4 * np.pi * SIGMA**2)
        self._targets, self._variances = engine.targets(), engine.variances()
        self.field = np.zeros((2, *self._pulls.shape))
        self._apply()

    def update(self) -> None:
        """Fit the field to the surface of the engine and its weights, and give the engine the corrected slopes."""
        heights, weights = self._engine.heights, self._engine.weights()
        for axis in (1, 0):
            weight = np.where(self._variances[1 - axis] >= 0, weights[1 - axis], 0)
            steep = (self._steep + _next(self._steep, axis)) / 2
            residual = _next(heights, axis) - heights - self._targets[1 - axis]
            weighted = weight * steep
            seen = _gather(weighted * residual)
            self.field[1 - axis] = seen / np.maximum(_gather(weighted * steep) + self._pulls, 1e-30)
        self._apply()

    def describe(self) -> str:
        """What was found, as a sentence for the user."""
        known = self._pulls > 0.5 * self._pulls.max()
        degrees = float(np.degrees(np.sqrt(np.square(self.field[:, known]).sum(axis=0).mean())))
        return (
            f"the normals err smoothly: slopes were corrected by about {degrees:.1g} degrees, and only jumps"
            " that stand out from their neighbourhood were kept"
        )

    def restore(self, field: Array) -> None:
        """Return to a field that was left."""
        self.field = field
        self._apply()

    def penalties(self) -> Array:
        """What the field adds to the energy of each region, (regions + 1,)."""
        domain = self._problem.domain
        cost = sum(np.square(self._spread(part)) for part in self.field)
        cost = np.where(self._steep > 0, cost, 0.0) / (EXPECTED**2 * 4 * np.pi * SIGMA**2)
        return np.bincount(domain.labels.ravel(), cost.ravel(), minlength=domain.regions + 1).astype(float)

    def _apply(self) -> None:
        given = self._problem.slopes
        across, along = (self._spread(part) * self._steep for part in self.field)
        cosine = np.maximum(given.cosine, GRAZING)
        corrected = Slopes(given.cosine, given.across + cosine * across, given.along + cosine * along)
        self._engine.correct_slopes(replace(self._problem, slopes=corrected), self._noise)

    def _spread(self, part: Array) -> Array:
        """The field at each pixel."""
        for axis in (0, 1):
            part = _interpolate(part, self._problem.mask.shape[axis], axis)
        return part


def _next(image: NDArray[Any], axis: int) -> NDArray[Any]:
    """The neighbour of each pixel; the last row or column is its own."""
    last = (slice(None),) * axis + (slice(-1, None),)
    return np.concatenate([image[(slice(None),) * axis + (slice(1, None),)], image[last]], axis=axis)


def _gather(image: NDArray[Any]) -> Array:
    """Means over the window around the centre of each block; beyond the border is 0."""
    from scipy import ndimage

    sums = sum_blocks(sum_blocks(image)) / BLOCK**2
    return np.asarray(ndimage.gaussian_filter(sums, SIGMA / BLOCK, mode="constant", truncate=3.0))


def _interpolate(values: Array, count: int, axis: int) -> Array:
    """Values of blocks, linearly between their centres and constant beyond."""
    place = np.clip((np.arange(count) + 0.5) / BLOCK - 0.5, 0, values.shape[axis] - 1)
    before = np.minimum(place.astype(int), max(values.shape[axis] - 2, 0))
    after = np.minimum(before + 1, values.shape[axis] - 1)
    share = (place - before).reshape((-1, 1) if axis == 0 else (1, -1))
    return np.asarray(np.take(values, before, axis) * (1 - share) + np.take(values, after, axis) * share)
