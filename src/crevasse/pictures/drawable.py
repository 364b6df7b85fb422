"""The interface that drawable surfaces offer, so that pictures do not depend on results."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array, Camera

Picture = NDArray[np.uint8]
"""(H, W, 3), sRGB."""
Mask = NDArray[np.bool_]

LIMIT = 1536
"""Longest side in pixels that a picture is drawn at; larger maps are reduced first."""


class Drawable(Protocol):
    """A surface that can be drawn: an `Integration`, or the truth as `Given`."""

    @property
    def depth(self) -> Array: ...
    @property
    def mask(self) -> Mask: ...
    @property
    def camera(self) -> Camera: ...


class DrawableResult(Drawable, Protocol):
    """A surface whose jumps are known."""

    @property
    def normals(self) -> Array: ...
    @property
    def corners(self) -> Array: ...
    @property
    def jumps(self) -> tuple[Array, Array]: ...
    @property
    def islands(self) -> NDArray[np.int32]: ...


class Given:
    """A depth map with its camera, drawn like a result."""

    def __init__(self, depth: Array, camera: Camera) -> None:
        self.depth, self.camera = np.asarray(depth, float), camera
        self.mask = np.isfinite(self.depth)


class Cropped:
    """The part of a surface around its mask, with a small margin."""

    def __init__(self, drawable: DrawableResult) -> None:
        rows, columns = window = window_of(drawable.mask, max(drawable.mask.shape))
        self.window = window
        self.depth, self.mask, self.normals = drawable.depth[window], drawable.mask[window], drawable.normals[window]
        self.islands: NDArray[np.int32] = drawable.islands[window]
        self.unit = getattr(drawable, "unit", None)
        self.camera = drawable.camera.cropped(rows.start, columns.start)
        twice = [slice(2 * side.start, 2 * side.stop) for side in window]
        self.corners = drawable.corners[twice[0], twice[1]]
        right, down = drawable.jumps
        self.jumps = (
            right[twice[0], columns.start : columns.stop - 1],
            down[rows.start : rows.stop - 1, twice[1]],
        )


def step_to_fit(shape: tuple[int, ...], limit: int) -> int:
    """Sampling step at which no side is longer than `limit`."""
    return max(1, -(-max(shape[:2]) // limit))


def window_of(mask: Mask, limit: int = LIMIT) -> tuple[slice, slice]:
    """The part of a picture around the mask, with a small margin, when the picture is reduced to fit `limit`."""
    step = step_to_fit(mask.shape, limit)
    mask = mask[::step, ::step]
    sides = (np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0)))
    air = 2 + max(mask.shape) // 100
    rows, columns = (
        slice(max(0, int(found[0]) - air), min(length, int(found[-1]) + 1 + air))
        for found, length in zip(sides, mask.shape, strict=True)
    )
    return rows, columns


def heights_of(drawable: Drawable, limit: int = LIMIT, cropped: bool = False) -> tuple[Array, Mask]:
    """Heights in units of the picture's pixels (NaN outside) and the mask, reduced to fit `limit`.

    Parameters
    ----------
    cropped : whether to crop to the mask
    """
    window = window_of(drawable.mask, max(drawable.mask.shape)) if cropped else np.s_[:, :]
    step = step_to_fit(drawable.mask[window].shape, limit)
    mask = drawable.mask[window][::step, ::step]
    depth = np.where(mask, drawable.depth[window][::step, ::step], 1.0)
    return np.where(mask, drawable.camera.to_heights(depth) / step, np.nan), mask


def footprint(drawable: Drawable) -> float:
    """Side of a pixel on the surface, in depth units, at the median depth."""
    if drawable.camera.curvature > 0:
        return float(np.nanmedian(drawable.depth)) * drawable.camera.curvature
    return float(drawable.camera.to_depth(np.ones(1))[0])


def unit_of(drawable: Drawable, unit: str | None) -> str:
    """The unit to write beside numbers: as given, or what the camera alone can tell."""
    given = unit or getattr(drawable, "unit", None)
    if given is not None:
        return str(given)
    if drawable.camera.curvature > 0:
        return "up to scale"
    return "px" if footprint(drawable) == 1.0 else "units"
