"""The pinhole camera."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crevasse.cameras.checks import hold_floats, require_finite, require_positive, require_within
from crevasse.cameras.planes import PinholePlanes
from crevasse.cameras.protocol import Gauge
from crevasse.cameras.slopes import Array, Slopes, unit_vectors

LARGEST_RATIO = 1e6
"""Largest ratio of the sides of a pixel, and of the centre's distance from pixel (0, 0) to the focal length (a ray at
89.99994 degrees): far beyond any camera, far below where numbers overflow."""

FOCAL_LENGTHS = (1e-9, 1e9)
"""Pixels. With the longest, rays are parallel to 1e-9 rad and depth still resolves 1e-7 pixels; the shortest leaves
room for maps that are sampled coarsely."""


@dataclass(frozen=True)
class Perspective:
    """A pinhole camera, K = [[fx, 0, cx], [0, fy, cy], [0, 0, 1]] with integer pixel centres.

    >>> Perspective.from_matrix([[500, 0, 320], [0, 500, 240], [0, 0, 1]]).fx
    500.0
    """

    fx: float
    fy: float
    cx: float
    cy: float

    model: ClassVar[str] = "perspective"
    gauge: ClassVar[Gauge] = "scale"

    def __post_init__(self) -> None:
        require_positive("fx", self.fx)
        require_positive("fy", self.fy)
        require_finite("cx", self.cx)
        require_finite("cy", self.cy)
        hold_floats(self)
        if not 1 / LARGEST_RATIO < self.fx / self.fy < LARGEST_RATIO:
            raise ValueError(f"fx is {self.fx:g} and fy is {self.fy:g}; pixels are not that oblong, check the camera")
        require_within("fx", self.fx, FOCAL_LENGTHS, "a focal length in pixels; without perspective use Orthographic")
        for focal, centre in (("fx", "cx"), ("fy", "cy")):
            length, distance = getattr(self, focal), getattr(self, centre)
            if abs(distance) > LARGEST_RATIO * max(length, 1.0):
                raise ValueError(
                    f"{centre} is {distance:g} and {focal} is {length:g}, in pixels; no image lies that far beside "
                    "its optical axis, check the camera"
                )

    @classmethod
    def from_matrix(cls, matrix: ArrayLike) -> Perspective:
        """The camera of a 3 x 3 matrix K."""
        try:
            k = np.asarray(matrix, float)
        except (TypeError, ValueError):
            raise ValueError(f"K must be a 3 x 3 matrix of numbers, not {matrix!r:.80}") from None
        if k.shape != (3, 3):
            raise ValueError(f"K has shape {k.shape}; give a 3 x 3 matrix [[fx, 0, cx], [0, fy, cy], [0, 0, 1]]")
        if not np.isfinite(k).all():
            raise ValueError("K has values that are not finite; give [[fx, 0, cx], [0, fy, cy], [0, 0, 1]]")
        if k[0, 2] == 0 and k[1, 2] == 0 and (k[2, 0] != 0 or k[2, 1] != 0):
            raise ValueError(f"K looks transposed (its last row is {k[2].tolist()}); pass K.T")
        if abs(k[0, 1]) > 1e-6 * abs(k[0, 0]):
            raise ValueError(f"K has a skew of {k[0, 1]:g}; rectify the map first, skew is not supported")
        if k[2, 2] == 0 or k[2, 0] != 0 or k[2, 1] != 0:
            raise ValueError(f"the last row of K is {k[2].tolist()}; it must be [0, 0, 1]")
        with np.errstate(over="ignore"):
            k = k / k[2, 2]
        return cls(float(k[0, 0]), float(k[1, 1]), float(k[0, 2]), float(k[1, 2]))

    @classmethod
    def from_field_of_view(cls, degrees: float, shape: Sequence[int], axis: str = "vertical") -> Perspective:
        """The centred camera of an (H, W) map with a field of view along one axis."""
        require_positive("field of view", degrees)
        if degrees >= 180:
            raise ValueError(f"field of view is {degrees:g} degrees; it must be below 180")
        height, width = int(shape[0]), int(shape[1])
        extents = {"vertical": height, "horizontal": width, "diagonal": math.hypot(height, width)}
        if axis not in extents:
            raise ValueError(f"axis is {axis!r}; give one of {', '.join(extents)}")
        half = math.tan(math.radians(degrees) / 2)
        if half == 0:
            raise ValueError(f"field of view is {degrees:g} degrees; it must be larger")
        focal = extents[axis] / 2 / half
        return cls(focal, focal, (width - 1) / 2, (height - 1) / 2)

    @property
    def matrix(self) -> Array:
        """K, 3 x 3."""
        return np.array([[self.fx, 0.0, self.cx], [0.0, self.fy, self.cy], [0.0, 0.0, 1.0]])

    @property
    def curvature(self) -> float:
        """1 / focal length in pixels; 0 for an orthographic camera."""
        return 1.0 / self.fx

    @property
    def planes(self) -> PinholePlanes:
        """Heights on the tangent planes of pixels."""
        return PinholePlanes(1.0 / self.fx)

    def slopes(self, normals: Array, mask: NDArray[np.bool_]) -> Slopes:
        """Slopes of heights from unit normals (H, W, 3) in the OpenGL frame."""
        height, width = mask.shape
        u = (np.arange(width) - self.cx) / self.fx
        v = (np.arange(height)[:, None] - self.cy) / self.fy
        x, y, z = normals[..., 0], normals[..., 1], normals[..., 2]
        cosine = z - u * x + v * y
        return Slopes(
            np.where(mask, cosine, 0.0),
            np.where(mask, x, 0.0),
            np.where(mask, y * (-self.fx / self.fy), 0.0),
        )

    def normals(self, right: ArrayLike, down: ArrayLike) -> Array:
        """Unit normals (H, W, 3) of planes with these slopes of height per column and per row."""
        p, q = np.asarray(right, float), np.asarray(down, float) * (self.fy / self.fx)
        u = (np.arange(p.shape[1]) - self.cx) / self.fx
        v = (np.arange(p.shape[0])[:, None] - self.cy) / self.fy
        return unit_vectors(p, -q, 1.0 + u * p + v * q)

    def to_depth(self, heights: Array) -> Array:
        """Depth of heights in pixel units."""
        return np.exp(heights / self.fx)

    def to_heights(self, depth: Array) -> Array:
        """Heights in pixel units of depths."""
        return np.log(depth) * self.fx

    def points(self, rows: ArrayLike, columns: ArrayLike, depth: ArrayLike) -> Array:
        """Points (..., 3) in the OpenCV frame at these pixels and depths."""
        d = np.asarray(depth, float)
        x = (np.asarray(columns, float) - self.cx) / self.fx * d
        y = (np.asarray(rows, float) - self.cy) / self.fy * d
        return np.stack(np.broadcast_arrays(x, y, d), axis=-1)

    def cropped(self, row: int, column: int) -> Perspective:
        """Camera of the map without its first `row` rows and `column` columns."""
        return Perspective(self.fx, self.fy, self.cx - column, self.cy - row)

    def footprint(self, depth: float) -> float:
        """Width of a pixel on a surface at this depth, in depth units."""
        return depth / self.fx

    def scaled(self, factor: float, first: float | None = None) -> Perspective:
        """Camera of the map sampled at every `factor`-th pixel (see `Camera.scaled`)."""
        start = (factor - 1) / 2 if first is None else first
        return Perspective(self.fx / factor, self.fy / factor, (self.cx - start) / factor, (self.cy - start) / factor)

    def mirrored(self, shape: tuple[int, int], rows: bool, columns: bool) -> Perspective:
        """Camera of the (H, W) map mirrored upside down (`rows`) or left to right (`columns`)."""
        cx = shape[1] - 1 - self.cx if columns else self.cx
        return replace(self, cx=cx, cy=shape[0] - 1 - self.cy if rows else self.cy)

    def to_dict(self) -> dict[str, Any]:
        """Model and parameters, as JSON can hold them."""
        return {"model": self.model, "fx": self.fx, "fy": self.fy, "cx": self.cx, "cy": self.cy}
