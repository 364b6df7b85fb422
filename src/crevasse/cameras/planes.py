"""Heights on the tangent planes of pixels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras.slopes import Array, Real

MOST_RISE = 0.9
"""Largest rise of a plane over one step, in units of 1 / curvature, at which the closed form is evaluated. No camera
sees a pixel that steep; the bound keeps absurdly short focal lengths finite."""


class Planes(Protocol):
    """Heights on the tangent planes of pixels, exact for the camera where slopes are only first order."""

    @property
    def curvature(self) -> float | None:
        """Curvature of the closed form that the kernels evaluate themselves; None if they need corner arrays."""
        ...

    def at(self, right: Real, down: Real, row: float, column: float) -> Array:
        """Height on each pixel's plane, `row` and `column` pixels away from its centre.

        Parameters
        ----------
        right, down : (H, W) slopes per column and per row
        """
        ...

    def restricted(self) -> Planes:
        """Planes of the map at half the resolution."""
        ...

    def transposed(self) -> Planes:
        """Planes of the map with rows and columns exchanged."""
        ...

    def moved(self, origins: NDArray[np.intp], places: NDArray[np.intp], shape: tuple[int, int]) -> Planes:
        """Planes of a map of this shape, with the pixels at `origins` moved to `places` (flat indices)."""
        ...


@dataclass(frozen=True)
class PinholePlanes:
    """Planes seen by a pinhole camera, or along parallel rays: the same closed form for every pixel.

    With z = f log(depth), a plane of slope s in z rises by -f log(1 - s / f) over one pixel.
    """

    curvature: float

    def at(self, right: Real, down: Real, row: float, column: float) -> Array:
        """Height on each pixel's plane, `row` and `column` pixels away from its centre."""
        return self.bend(np.asarray(right * np.float64(column) + down * np.float64(row)))

    def bend(self, rise: Array) -> Array:
        """Height gained on a plane that rises by `rise` to first order."""
        if self.curvature == 0.0:
            return rise
        return -np.log1p(-np.minimum(rise * self.curvature, MOST_RISE)) / self.curvature

    def restricted(self) -> PinholePlanes:
        """Planes of the map at half the resolution."""
        return PinholePlanes(2 * self.curvature)

    def transposed(self) -> PinholePlanes:
        """Planes of the map with rows and columns exchanged."""
        return self

    def moved(self, origins: NDArray[np.intp], places: NDArray[np.intp], shape: tuple[int, int]) -> PinholePlanes:
        """Planes of a map with its pixels moved: the closed form is the same everywhere."""
        return self


def corner_heights(planes: Planes, right: Real, down: Real) -> Array:
    """Heights of the corners above the centres of their pixels, (2H, 2W)."""
    corners = np.empty((2 * right.shape[0], 2 * right.shape[1]))
    for row in (0, 1):
        for column in (0, 1):
            corners[row::2, column::2] = planes.at(right, down, row - 0.5, column - 0.5)
    return corners
