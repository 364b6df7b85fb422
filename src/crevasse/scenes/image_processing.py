"""Degrade a normal map as image software does: JPEG files, median filters and resizing."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy import ndimage

from crevasse.cameras.checks import require_finite
from crevasse.scenes.scene import Scene, set_normals

QUALITIES = (1, 100)
"""Qualities of JPEG files."""
WINDOWS = (1, 101)
"""Pixels to a side of a median filter's window, which takes time by their square."""
FULL, HALF = 0, 2
"""How Pillow names chroma subsampling: 4:4:4 and 4:2:0."""


def compress_normals(scene: Scene, quality: int, half_chroma: bool = False) -> Scene:
    """Normals as a JPEG image stores them.

    Parameters
    ----------
    quality : of the file, from 1 to 100
    half_chroma : store colour at half the resolution (4:2:0), as most programs do unless told otherwise
    """
    _require_whole("quality", quality, QUALITIES)
    seen = np.where(scene.mask[..., None], scene.normals, [0.0, 0.0, 1.0])
    image = Image.fromarray(np.rint((seen + 1) * 127.5).astype(np.uint8))
    stored = io.BytesIO()
    image.save(stored, "JPEG", quality=int(quality), subsampling=HALF if half_chroma else FULL)
    decoded = np.asarray(Image.open(stored), float) / 127.5 - 1
    return set_normals(scene, decoded, f"Normals of a JPEG file of quality {quality}.")


def median_normals(scene: Scene, side: int = 3) -> Scene:
    """Normals whose components are medians over windows of this many pixels to a side, as after despeckling."""
    _require_whole("side", side, WINDOWS)
    parts = [ndimage.median_filter(part, int(side)) for part in np.moveaxis(scene.normals, 2, 0)]
    return set_normals(scene, np.stack(parts, 2), f"Medians of {side} x {side} normals.")


def halve_size(scene: Scene) -> Scene:
    """The map at half its size: means of 2 x 2 pixels, without those that are not wholly inside the mask."""
    if min(scene.mask.shape) < 2:
        raise ValueError(f"the map has {scene.mask.shape} pixels; halving needs at least 2 x 2")
    mask = np.asarray(_blocks(scene.mask).all(axis=(1, 3)))
    depth = np.where(mask, _blocks(np.nan_to_num(scene.depth)).mean(axis=(1, 3)), np.nan)
    smaller = replace(scene, mask=mask, depth=depth, camera=scene.camera.scaled(2))
    return set_normals(smaller, _blocks(scene.normals).mean(axis=(1, 3)), "Half the size.")


def _blocks(image: NDArray[Any]) -> NDArray[Any]:
    height, width = (side // 2 for side in image.shape[:2])
    return image[: 2 * height, : 2 * width].reshape(height, 2, width, 2, *image.shape[2:])


def double_size(scene: Scene) -> Scene:
    """The map at twice its size: normals interpolated linearly, mask and depth repeated."""
    parts = np.moveaxis(scene.normals, 2, 0)
    vectors = np.stack([ndimage.zoom(part, 2, order=1, grid_mode=True, mode="nearest") for part in parts], 2)
    mask = scene.mask.repeat(2, axis=0).repeat(2, axis=1)
    depth = scene.depth.repeat(2, axis=0).repeat(2, axis=1)
    larger = replace(scene, mask=mask, depth=depth, camera=scene.camera.scaled(0.5))
    return set_normals(larger, vectors, "Twice the size.")


def _require_whole(name: str, value: float, limits: tuple[int, int]) -> None:
    require_finite(name, value)
    if value != int(value) or not limits[0] <= value <= limits[1]:
        raise ValueError(f"{name} is {value!r}; give a whole number from {limits[0]} to {limits[1]}")
