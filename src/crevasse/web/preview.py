"""Maps in the size that the page draws them, and surfaces of depth maps that come without normals."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array, Camera
from crevasse.pictures.sampling import Sampling
from crevasse.pictures.viewed import octahedral
from crevasse.web.surface_messages import OrthographicCamera, PerspectiveCamera

CAMERAS: dict[str, type[OrthographicCamera] | type[PerspectiveCamera]] = {
    message.kind: message for message in (OrthographicCamera, PerspectiveCamera)
}
"""The messages that describe cameras, by the name of the model."""


def camera_header(camera: Camera) -> OrthographicCamera | PerspectiveCamera:
    """What the page needs to place points."""
    parameters = camera.to_dict()
    return CAMERAS[parameters.pop("model")](**parameters)


def map_arrays(normals: Array, mask: NDArray[np.bool_], sampling: Sampling) -> dict[str, NDArray[Any]]:
    """The sampled map as a picture (alpha is the mask) and its normals, folded onto a square."""
    vectors, inside = np.nan_to_num(sampling.of(normals)), sampling.of(mask)
    length = np.sqrt(np.square(vectors).sum(axis=-1, keepdims=True))
    vectors = np.divide(vectors, length, out=np.zeros_like(vectors), where=length > 0) * inside[..., None]
    colours = np.clip(vectors * 127.5 + 127.5, 0, 255).round()
    picture = np.dstack([colours * inside[..., None], inside * 255.0]).astype(np.uint8)
    return {"picture": picture, "normals": octahedral(vectors)}


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
