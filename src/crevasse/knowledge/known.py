"""What is known besides the normals, checked and on the pixels of a run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array, Camera

Indices = NDArray[np.int64]


class Places(NamedTuple):
    """Single pixels and their depths; all (N,)."""

    pixels: Indices
    """Flat indices."""
    depth: Array
    sigma: Array
    """NaN where it has to be estimated; 0 for depths that must come out."""


class Ruler(NamedTuple):
    """Distances between pairs of pixels; all (N,) but the ends."""

    first: Indices
    second: Indices
    ends: NDArray[np.int64]
    """(2, N, 2): rows and columns in the camera's map."""
    length: Array


@dataclass(frozen=True, eq=False)
class Known:
    """What is known besides the normals, on the pixels of a problem.

    Attributes
    ----------
    camera : of the whole map
    prior : (H, W) as it is given, NaN where it is not known; or None
    sigma : of the prior: (H, W), a number, or None
    unknown : what has to be estimated with the prior
    points, fixed : depths of single pixels, of which some points may be wrong
    ruler : distances in space
    """

    camera: Camera
    prior: Array | None = None
    sigma: Array | float | None = None
    unknown: str = "nothing"
    points: Places | None = None
    fixed: Places | None = None
    ruler: Ruler | None = None

    def carried(self, image: Callable[[NDArray[Any]], NDArray[Any]], pixel: Callable[[Indices], Indices]) -> Known:
        """The same on a map whose pixels lie elsewhere.

        Parameters
        ----------
        image : moves an image
        pixel : the new flat indices of pixels
        """
        points, fixed = (
            None if places is None else places._replace(pixels=pixel(places.pixels))
            for places in (self.points, self.fixed)
        )
        ruler = self.ruler
        return replace(
            self,
            prior=None if self.prior is None else image(self.prior),
            sigma=image(self.sigma) if isinstance(self.sigma, np.ndarray) else self.sigma,
            points=points,
            fixed=fixed,
            ruler=None if ruler is None else ruler._replace(first=pixel(ruler.first), second=pixel(ruler.second)),
        )

    @property
    def absolute(self) -> bool:
        """Whether depths themselves are given, not only up to a scale and shift."""
        return (self.prior is not None and self.unknown == "nothing") or bool(self.points) or bool(self.fixed)
