"""Cameras: the one place that knows axes, signs and units.

Normals are in the OpenGL frame (x right, y up, z towards the viewer); points are in the OpenCV frame (x right,
y down, z forward); pixel (row, column) has its centre at (row, column). The methods work on *heights*, the depth
in pixel units: depth / pixel_size for an orthographic camera, fx * log(depth) for a perspective one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
Real = NDArray[np.floating[Any]]

# Smallest cosine towards the viewing ray that slopes are computed with: steeper pixels are taken as this steep.
GRAZING = 0.03
# Smallest cosine that tells a slope at all.
VERTICAL = 1e-3
# Largest ratio of the sides of a pixel: far beyond any camera, and far from where numbers overflow.
LARGEST_RATIO = 1e6


class Slopes(NamedTuple):
    """What the methods need to know of each pixel's plane, all (H, W), 0 where the pixel is not in the mask."""

    cosine: Array
    """Cosine towards the viewing ray, up to the ray's length (the paper's adjusted n_z over f)."""
    across: Array
    """Component of the normal along the columns: cosine * slope."""
    along: Array
    """Component of the normal along the rows: cosine * slope."""

    def rows(self, rows: slice) -> Slopes:
        """Those of some rows."""
        return Slopes(*(image[rows] for image in self))

    def steepness(self, floor: float = GRAZING) -> tuple[Array, Array]:
        """Slopes per column and per row, with the cosine clamped at `floor`."""
        cosine = np.maximum(self.cosine, floor)
        return self.across / cosine, self.along / cosine


MOST_RISE = 0.9
"""Largest rise of a plane over one step, in units of 1 / curvature, that the closed form is evaluated at: far beyond
any pixel a camera can see; keeps absurdly short focal lengths finite."""


class Planes(Protocol):
    """Heights on the tangent planes of pixels: how far a plane departs from its slopes, as a camera sees it."""

    @property
    def curvature(self) -> float | None:
        """Curvature of the closed form that the kernels evaluate themselves; None: they need `corners`."""
        ...

    def at(self, right: Real, down: Real, row: float, column: float) -> Array:
        """Height on each pixel's plane, `row` and `column` pixels away from its centre.

        Parameters
        ----------
        right, down : (H, W) slopes per column and per row
        """
        ...

    def restricted(self) -> Planes:
        """The planes of the map at half the resolution."""
        ...

    def transposed(self) -> Planes:
        """The planes of the map with rows and columns exchanged."""
        ...

    def moved(self, origins: NDArray[np.intp], places: NDArray[np.intp], shape: tuple[int, int]) -> Planes:
        """The planes of a map of this shape to whose `places` the pixels at `origins` were moved (flat indices)."""
        ...


@dataclass(frozen=True)
class PinholePlanes:
    """Planes seen by a pinhole camera, or along parallel rays: the same closed form for every pixel.

    With z = f log(depth), a plane of slope s in z rises by -f log(1 - s / f) over one pixel.
    """

    curvature: float

    def at(self, right: Real, down: Real, row: float, column: float) -> Array:
        return self.bend(np.asarray(right * np.float64(column) + down * np.float64(row)))

    def bend(self, rise: Array) -> Array:
        """Height gained on a plane that rises by `rise` to first order."""
        if self.curvature == 0.0:
            return rise
        return -np.log1p(-np.minimum(rise * self.curvature, MOST_RISE)) / self.curvature

    def restricted(self) -> PinholePlanes:
        return PinholePlanes(2 * self.curvature)

    def transposed(self) -> PinholePlanes:
        return self

    def moved(self, origins: NDArray[np.intp], places: NDArray[np.intp], shape: tuple[int, int]) -> PinholePlanes:
        return self


def corner_heights(planes: Planes, right: Real, down: Real) -> Array:
    """Heights of the corners over the centres of their pixels, (2H, 2W)."""
    corners = np.empty((2 * right.shape[0], 2 * right.shape[1]))
    for row in (0, 1):
        for column in (0, 1):
            corners[row::2, column::2] = planes.at(right, down, row - 0.5, column - 0.5)
    return corners


class Camera(Protocol):
    """A camera as the methods see it: a map between heights in pixel units and depth."""

    @property
    def planes(self) -> Planes:
        """Heights on the tangent planes of pixels."""
        ...

    @property
    def curvature(self) -> float:
        """1 / focal length in pixels; 0 for an orthographic camera."""
        ...

    def slopes(self, normals: Array, mask: NDArray[np.bool_]) -> Slopes: ...

    def normals(self, right: ArrayLike, down: ArrayLike) -> Array: ...

    def to_depth(self, heights: Array) -> Array: ...

    def to_heights(self, depth: Array) -> Array: ...

    def points(self, rows: ArrayLike, columns: ArrayLike, depth: ArrayLike) -> Array: ...

    def cropped(self, row: int, column: int) -> Camera: ...


@dataclass(frozen=True)
class Orthographic:
    """Parallel rays; depth is in units of `pixel_size`, the side of a pixel on the surface.

    >>> Orthographic(pixel_size=0.1).to_depth(np.array([10.0]))
    array([1.])
    """

    pixel_size: float = 1.0

    def __post_init__(self) -> None:
        _require_positive("pixel_size", self.pixel_size)
        _hold_floats(self)

    @property
    def curvature(self) -> float:
        return 0.0

    @property
    def planes(self) -> PinholePlanes:
        return PinholePlanes(0.0)

    def slopes(self, normals: Array, mask: NDArray[np.bool_]) -> Slopes:
        return Slopes(
            np.where(mask, normals[..., 2], 0.0),
            np.where(mask, normals[..., 0], 0.0),
            np.where(mask, -normals[..., 1], 0.0),
        )

    def normals(self, right: ArrayLike, down: ArrayLike) -> Array:
        """Unit normals of planes with these slopes per column and per row."""
        p, q = np.asarray(right, float), np.asarray(down, float)
        return _unit(p, -q, np.ones_like(p))

    def to_depth(self, heights: Array) -> Array:
        return heights * self.pixel_size

    def to_heights(self, depth: Array) -> Array:
        return depth / self.pixel_size

    def points(self, rows: ArrayLike, columns: ArrayLike, depth: ArrayLike) -> Array:
        x = np.asarray(columns, float) * self.pixel_size
        y = np.asarray(rows, float) * self.pixel_size
        return np.stack(np.broadcast_arrays(x, y, np.asarray(depth, float)), axis=-1)

    def cropped(self, row: int, column: int) -> Orthographic:
        """The camera of the map without its first rows and columns."""
        return self


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

    def __post_init__(self) -> None:
        _require_positive("fx", self.fx)
        _require_positive("fy", self.fy)
        _require_finite("cx", self.cx)
        _require_finite("cy", self.cy)
        _hold_floats(self)
        if not 1 / LARGEST_RATIO < self.fx / self.fy < LARGEST_RATIO:
            raise ValueError(f"fx is {self.fx:g} and fy is {self.fy:g}; pixels are not that oblong, check the camera")

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
        k = k / k[2, 2]
        return cls(float(k[0, 0]), float(k[1, 1]), float(k[0, 2]), float(k[1, 2]))

    @classmethod
    def from_field_of_view(cls, degrees: float, shape: Sequence[int], axis: str = "vertical") -> Perspective:
        """The centred camera of an (H, W) map with a field of view along one axis."""
        _require_positive("field of view", degrees)
        if degrees >= 180:
            raise ValueError(f"field of view is {degrees:g} degrees; it must be below 180")
        height, width = int(shape[0]), int(shape[1])
        extents = {"vertical": height, "horizontal": width, "diagonal": math.hypot(height, width)}
        if axis not in extents:
            raise ValueError(f"axis is {axis!r}; give one of {', '.join(extents)}")
        focal = extents[axis] / 2 / math.tan(math.radians(degrees) / 2)
        return cls(focal, focal, (width - 1) / 2, (height - 1) / 2)

    @property
    def matrix(self) -> Array:
        """K, 3 x 3."""
        return np.array([[self.fx, 0.0, self.cx], [0.0, self.fy, self.cy], [0.0, 0.0, 1.0]])

    @property
    def curvature(self) -> float:
        return 1.0 / self.fx

    @property
    def planes(self) -> PinholePlanes:
        return PinholePlanes(1.0 / self.fx)

    def slopes(self, normals: Array, mask: NDArray[np.bool_]) -> Slopes:
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
        """Unit normals of planes with these slopes of height per column and per row, (H, W)."""
        p, q = np.asarray(right, float), np.asarray(down, float) * (self.fy / self.fx)
        u = (np.arange(p.shape[1]) - self.cx) / self.fx
        v = (np.arange(p.shape[0])[:, None] - self.cy) / self.fy
        return _unit(p, -q, 1.0 + u * p + v * q)

    def to_depth(self, heights: Array) -> Array:
        return np.exp(heights / self.fx)

    def to_heights(self, depth: Array) -> Array:
        return np.log(depth) * self.fx

    def points(self, rows: ArrayLike, columns: ArrayLike, depth: ArrayLike) -> Array:
        d = np.asarray(depth, float)
        x = (np.asarray(columns, float) - self.cx) / self.fx * d
        y = (np.asarray(rows, float) - self.cy) / self.fy * d
        return np.stack(np.broadcast_arrays(x, y, d), axis=-1)

    def cropped(self, row: int, column: int) -> Perspective:
        """The camera of the map without its first rows and columns."""
        return Perspective(self.fx, self.fy, self.cx - column, self.cy - row)


def _unit(x: Array, y: Array, z: Array) -> Array:
    vectors = np.stack([x, y, z], axis=-1)
    vectors /= np.sqrt(np.square(vectors).sum(axis=-1, keepdims=True))
    return vectors


def _hold_floats(camera: Any) -> None:
    """Make floats of a new camera's numbers: NumPy has no whole numbers as large as Python's."""
    for field in fields(camera):
        object.__setattr__(camera, field.name, float(getattr(camera, field.name)))


def _require_finite(name: str, value: Any) -> None:
    real = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    try:
        finite = real and math.isfinite(value)
    except OverflowError:
        finite = False
    if not finite:
        raise ValueError(f"{name} is {value!r:.80}; it must be a finite number")


def _require_positive(name: str, value: Any) -> None:
    _require_finite(name, value)
    if value <= 0:
        raise ValueError(f"{name} is {value!r}; it must be positive")
