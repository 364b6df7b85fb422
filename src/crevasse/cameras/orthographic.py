"""The orthographic camera."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crevasse.cameras.checks import hold_floats, require_positive, require_within
from crevasse.cameras.planes import PinholePlanes
from crevasse.cameras.protocol import Gauge
from crevasse.cameras.slopes import Array, Slopes, unit_vectors

PIXEL_SIZES = (1e-18, 1e18)
"""From atoms in kilometres to galaxies in metres; beyond that, mesh areas overflow in single precision."""


@dataclass(frozen=True)
class Orthographic:
    """Parallel rays; depth is in units of `pixel_size`, the side of a pixel on the surface.

    >>> Orthographic(pixel_size=0.1).to_depth(np.array([10.0]))
    array([1.])
    """

    pixel_size: float = 1.0

    model: ClassVar[str] = "orthographic"
    gauge: ClassVar[Gauge] = "offset"

    def __post_init__(self) -> None:
        require_positive("pixel_size", self.pixel_size)
        require_within("pixel_size", self.pixel_size, PIXEL_SIZES, "the side of a pixel on the surface, in any unit")
        hold_floats(self)

    @property
    def curvature(self) -> float:
        """1 / focal length in pixels; 0 for an orthographic camera."""
        return 0.0

    @property
    def planes(self) -> PinholePlanes:
        """Heights on the tangent planes of pixels."""
        return PinholePlanes(0.0)

    def slopes(self, normals: Array, mask: NDArray[np.bool_]) -> Slopes:
        """Slopes of heights from unit normals (H, W, 3) in the OpenGL frame."""
        return Slopes(
            np.where(mask, normals[..., 2], 0.0),
            np.where(mask, normals[..., 0], 0.0),
            np.where(mask, -normals[..., 1], 0.0),
        )

    def normals(self, right: ArrayLike, down: ArrayLike) -> Array:
        """Unit normals (H, W, 3) of planes with these slopes of height per column and per row."""
        p, q = np.asarray(right, float), np.asarray(down, float)
        return unit_vectors(p, -q, np.ones_like(p))

    def to_depth(self, heights: Array) -> Array:
        """Depth of heights in pixel units."""
        return heights * self.pixel_size

    def to_heights(self, depth: Array) -> Array:
        """Heights in pixel units of depths."""
        return depth / self.pixel_size

    def points(self, rows: ArrayLike, columns: ArrayLike, depth: ArrayLike) -> Array:
        """Points (..., 3) in the OpenCV frame at these pixels and depths."""
        x = np.asarray(columns, float) * self.pixel_size
        y = np.asarray(rows, float) * self.pixel_size
        return np.stack(np.broadcast_arrays(x, y, np.asarray(depth, float)), axis=-1)

    def cropped(self, row: int, column: int) -> Orthographic:
        """Camera of the map without its first `row` rows and `column` columns."""
        return self

    def footprint(self, depth: float) -> float:
        """Side of a pixel on the surface, the same at any depth."""
        return self.pixel_size

    def scaled(self, factor: float, first: float | None = None) -> Orthographic:
        """Camera of the map sampled at every `factor`-th pixel (see `Camera.scaled`)."""
        return Orthographic(self.pixel_size * factor)

    def mirrored(self, shape: tuple[int, int], rows: bool, columns: bool) -> Orthographic:
        """Camera of the mirrored map: parallel rays have no centre."""
        return self

    def to_dict(self) -> dict[str, Any]:
        """Model and parameters, as JSON can hold them."""
        return {"model": self.model, "pixel_size": self.pixel_size}
