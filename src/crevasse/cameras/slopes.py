"""Slopes of the pixels of a map, as a camera sees them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Real = NDArray[np.floating[Any]]

GRAZING = 0.03
"""Smallest cosine towards the viewing ray that slopes are computed with; steeper pixels are clamped to it."""
VERTICAL = 1e-3
"""Cosine below which a normal has no usable slope at all."""


class Slopes(NamedTuple):
    """The plane of each pixel: three (H, W) images, 0 outside the mask."""

    cosine: Array
    """Cosine between normal and viewing ray, up to the length of the ray (the paper's adjusted n_z over f)."""
    across: Array
    """Component of the normal along the columns: cosine * slope."""
    along: Array
    """Component of the normal along the rows: cosine * slope."""

    def rows(self, rows: slice) -> Slopes:
        """Slopes of a range of rows."""
        return Slopes(*(image[rows] for image in self))

    def steepness(self, floor: float = GRAZING) -> tuple[Array, Array]:
        """Slopes per column and per row, with the cosine clamped at `floor`."""
        cosine = np.maximum(self.cosine, floor)
        return self.across / cosine, self.along / cosine


def unit_vectors(x: Array, y: Array, z: Array) -> Array:
    """Unit vectors (..., 3) with the direction of these components."""
    vectors = np.stack([x, y, z], axis=-1)
    # Squares of components beyond 1e154 would overflow.
    vectors /= np.abs(vectors).max(axis=-1, keepdims=True)
    vectors /= np.sqrt(np.square(vectors).sum(axis=-1, keepdims=True))
    return vectors
