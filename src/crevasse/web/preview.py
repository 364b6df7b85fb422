"""Maps and surfaces in the size that the page draws them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array, Camera, Orthographic, Perspective
from crevasse.result import Surface
from crevasse.web.surface_messages import OrthographicCamera, PerspectiveCamera

Viewer = Orthographic | Perspective
CAMERAS: dict[str, type[OrthographicCamera] | type[PerspectiveCamera]] = {
    message.kind: message for message in (OrthographicCamera, PerspectiveCamera)
}
"""The messages that describe cameras, by the name of the model."""
OUTSIDE = np.float32(-1e30)
"""Height that the page takes as "no surface here": a number, because shaders may treat NaN as they like."""


@dataclass(frozen=True)
class Sampling:
    """Every `step`-th pixel of an (H, W) map, the middle one of each block."""

    shape: tuple[int, int]
    step: int

    @classmethod
    def within(cls, shape: tuple[int, int], side: int) -> Sampling:
        """The finest sampling whose longer side is at most `side`, and at least 1."""
        return cls(shape, max(1, -(-max(shape) // max(side, 1))))

    def of(self, image: NDArray[Any]) -> NDArray[Any]:
        """The sampled image; blocks that the border cuts are sampled at the border."""
        rows, columns = (self._places(side) for side in self.shape)
        return image[rows[:, None], columns]

    def camera(self, camera: Viewer) -> Viewer:
        """The camera of the sampled map; its heights are `step` times smaller."""
        return camera.scaled(self.step, self.step // 2)

    def _places(self, side: int) -> NDArray[np.int64]:
        return np.minimum(np.arange(0, side, self.step) + self.step // 2, side - 1)


def camera_header(camera: Camera) -> OrthographicCamera | PerspectiveCamera:
    """What the page needs to place points."""
    parameters = camera.to_dict()
    return CAMERAS[parameters.pop("model")](**parameters)


def map_arrays(normals: Array, mask: NDArray[np.bool_], camera: Camera) -> dict[str, NDArray[Any]]:
    """The map as a picture (alpha is the mask) and its slopes per column and per row, all of them sampled."""
    vectors = np.nan_to_num(normals)
    length = np.sqrt(np.square(vectors).sum(axis=-1, keepdims=True))
    vectors = np.divide(vectors, length, out=np.zeros_like(vectors), where=length > 0)
    colours = np.clip(vectors * 127.5 + 127.5, 0, 255).round()
    picture = np.dstack([colours * mask[..., None], mask * 255.0]).astype(np.uint8)
    steepness = np.stack(camera.slopes(vectors, mask).steepness(), axis=-1)
    return {"picture": picture, "slopes": np.where(mask[..., None], steepness, 0.0).astype(np.float32)}


def level_of(heights: Array, anchor: Array | None) -> float:
    """The height that is taken off before drawing, so that surfaces of the same map lie on each other.

    Parameters
    ----------
    heights : sampled heights, NaN outside
    anchor : sampled heights to lie on (the truth), NaN where unknown; None: 0
    """
    distance = heights if anchor is None else heights - anchor
    known = distance[np.isfinite(distance)]
    return float(np.median(known)) if known.size else 0.0


def surface_array(heights: Array, level: float) -> NDArray[np.float32]:
    """Sampled heights as the page draws them."""
    with np.errstate(invalid="ignore"):
        return np.where(np.isfinite(heights), heights - level, OUTSIDE).astype(np.float32)


def free_slopes(surface: Surface, sampling: Sampling) -> NDArray[np.float32] | None:
    """Slopes per column and per row of pixels with free corners, as far as a plane has them; sampled, (H, W, 2).

    None where the corners lie on the planes of the normals, whose slopes the page has.
    """
    if surface.corners is None:
        return None
    heights = sampling.of(surface.heights)
    curvature = surface.camera.curvature
    slopes = np.zeros((*heights.shape, 2))
    for row, column in product((0, 1), (0, 1)):
        offset = sampling.of(surface.corners[row::2, column::2]) - heights
        # The inverse of `PinholePlanes.bend`.
        rise = -np.expm1(-curvature * offset) / curvature if curvature else offset
        slopes[..., 0] += rise * (column - 0.5)
        slopes[..., 1] += rise * (row - 0.5)
    return np.where(sampling.of(surface.mask)[..., None], slopes, 0.0).astype(np.float32)


def slopes_of_depth(heights: Array) -> tuple[Array, Array]:
    """Slopes of a surface that comes without normals: of the two differences at a pixel, the smaller one."""
    right, down = (_smaller_difference(heights, axis) for axis in (1, 0))
    return right, down


def _smaller_difference(heights: Array, axis: int) -> Array:
    step = np.diff(heights, axis=axis)
    gap = np.full(np.take(heights, [0], axis).shape, np.nan)
    before, after = np.concatenate([gap, step], axis), np.concatenate([step, gap], axis)
    distance = [np.where(np.isfinite(side), np.abs(side), np.inf) for side in (before, after)]
    return np.nan_to_num(np.where(distance[0] <= distance[1], before, after))
