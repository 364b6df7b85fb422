"""The interface of cameras: no caller needs to know which camera it is."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crevasse.cameras.planes import Planes
from crevasse.cameras.slopes import Array, Slopes

Gauge = Literal["offset", "scale"]
"""The freedom of the depth that normals leave: an offset (parallel rays) or a scale (central projection)."""


@runtime_checkable
class Camera(Protocol):
    """A camera as the rest of the package sees it: pixels, normals and heights in, depth and points out."""

    model: ClassVar[str]
    """Name of the model in files and reports, such as "perspective"."""
    gauge: ClassVar[Gauge]
    """The freedom of the depth within each connected region."""

    @property
    def planes(self) -> Planes:
        """Heights on the tangent planes of pixels."""
        ...

    @property
    def curvature(self) -> float:
        """1 / focal length in pixels; 0 for an orthographic camera."""
        ...

    def slopes(self, normals: Array, mask: NDArray[np.bool_]) -> Slopes:
        """Slopes of heights from unit normals (H, W, 3) in the OpenGL frame."""
        ...

    def normals(self, right: ArrayLike, down: ArrayLike) -> Array:
        """Unit normals (H, W, 3) of planes with these slopes of height per column and per row."""
        ...

    def to_depth(self, heights: Array) -> Array:
        """Depth of heights in pixel units."""
        ...

    def to_heights(self, depth: Array) -> Array:
        """Heights in pixel units of depths."""
        ...

    def points(self, rows: ArrayLike, columns: ArrayLike, depth: ArrayLike) -> Array:
        """Points (..., 3) in the OpenCV frame at these pixels and depths."""
        ...

    def footprint(self, depth: float) -> float:
        """Side of a pixel on a surface at this depth, in depth units."""
        ...

    def cropped(self, row: int, column: int) -> Camera:
        """Camera of the map without its first `row` rows and `column` columns."""
        ...

    def scaled(self, factor: float, first: float | None = None) -> Camera:
        """Camera of the map sampled at every `factor`-th pixel.

        Parameters
        ----------
        factor : distance of the samples in pixels of this map
        first : row and column of the first sample; None is the centre of a factor x factor block, as for averages
        """
        ...

    def mirrored(self, shape: tuple[int, int], rows: bool, columns: bool) -> Camera:
        """Camera of the (H, W) map whose rows (upside down) or columns (left to right) come in the opposite order."""
        ...

    def to_dict(self) -> dict[str, Any]:
        """Model and parameters, as JSON can hold them; `crevasse.cameras.from_dict` is the inverse."""
        ...
