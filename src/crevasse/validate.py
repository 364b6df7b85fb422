"""Validate normals and masks, and set up the slopes of the pixels that can be integrated."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crevasse.cameras import Camera, Slopes
from crevasse.lattice import row_blocks
from crevasse.memory import integrating_bytes, shortage
from crevasse.notices import Notice, Setting

MOST_BACK_FACING = 0.5
"""Share of back-facing pixels from which the whole map is considered wrong."""


class Valid(NamedTuple):
    """Checked input: slopes in a window, and warnings for the caller."""

    slopes: Slopes
    """On the window."""
    mask: NDArray[np.bool_]
    """(H, W): the pixels that can be integrated."""
    window: tuple[slice, slice]
    """The rows and columns that the mask spans."""
    warnings: tuple[str, ...]


def check_normals(normals: ArrayLike) -> NDArray[np.floating[Any]]:
    """Refuse arrays that cannot be a normal map."""
    try:
        array = np.asarray(normals)
    except ValueError as error:
        raise ValueError(f"normals cannot be read as an array: {error}") from None
    if array.ndim != 3 or array.shape[-1] != 3:
        raise ValueError(f"normals has shape {array.shape}; give an (H, W, 3) array")
    if array.shape[0] == 0 or array.shape[1] == 0:
        raise ValueError(f"normals has shape {array.shape}; it needs at least one row and one column")
    if array.dtype.kind in "iu":
        raise ValueError(
            f"normals has type {array.dtype}: these look like encoded colours; decode them first, for "
            "instance array / 255 * 2 - 1 for 8 bits (crevasse.read_normals does this for files)"
        )
    if array.dtype.kind != "f":
        raise ValueError(f"normals has type {array.dtype}; give real floating-point numbers")
    return array


def check_mask(mask: ArrayLike | None, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Refuse a mask that does not fit normals of this shape; None includes every pixel."""
    if mask is None:
        return np.ones(shape[:2], bool)
    array = np.asarray(mask)
    if array.shape != shape[:2]:
        raise ValueError(f"mask has shape {array.shape} but normals is {shape}; the first two must agree")
    if array.dtype.kind not in "biuf":
        raise ValueError(f"mask has type {array.dtype}; give booleans")
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise ValueError("mask has values that are not finite; give booleans")
    return array.astype(bool)


def check_memory(shape: tuple[int, ...], bytes_per_pixel: int, max_memory: int | None) -> None:
    """Refuse a map (or the part of it that a mask spans) that needs more memory than there is."""
    height, width = shape[:2]
    short = shortage(
        integrating_bytes((height, width), bytes_per_pixel), max_memory, f"integrating {width} x {height} pixels"
    )
    if short is not None:
        raise MemoryError(short)


def check_input(
    normals: ArrayLike,
    mask: ArrayLike | None,
    camera: Camera,
    bytes_per_pixel: int = 0,
    max_memory: int | None = None,
) -> Valid:
    """Slopes and mask of the pixels that can be integrated."""
    array = check_normals(normals)
    if mask is None:
        check_memory(array.shape, bytes_per_pixel, max_memory)
    inside = check_mask(mask, array.shape)
    if not inside.any():
        raise ValueError("mask is False everywhere; at least one pixel must be inside")
    window = bounding_window(inside)
    check_memory(inside[window].shape, bytes_per_pixel, max_memory)
    slopes, usable, back = _slopes_by_rows(array[window], inside[window], camera.cropped(*(s.start for s in window)))
    total = int(np.count_nonzero(usable))
    if total == 0:
        raise ValueError("normals is zero or not finite everywhere inside the mask; nothing can be integrated")
    if back > MOST_BACK_FACING * total:
        raise ValueError(
            f"normals faces away from the viewer at {back} of {total} pixels; z must point towards the "
            "viewer (OpenGL frame): negate z, or check the camera's focal length and centre"
        )
    warnings: list[str] = []
    dropped = int(np.count_nonzero(inside)) - total
    if dropped and mask is not None:
        warnings.append(f"{dropped} pixels inside the mask have no normal (zero or not finite); they were left out.")
    if back:
        warnings.append(_describe_back_facing(back, camera))
    inside[window] = usable
    if dropped:
        rows, columns = bounding_window(usable)
        slopes = Slopes(*(np.ascontiguousarray(image[rows, columns]) for image in slopes))
        window = bounding_window(inside)
    return Valid(slopes, inside, window, tuple(warnings))


def _describe_back_facing(count: int, camera: Camera) -> str:
    """A warning about pixels that face away; a perspective map read without its camera has them, too."""
    found = f"{count} pixels face away from the camera, which no visible surface does; they were treated as edge-on."
    if camera.curvature:
        return found
    return Notice(found, Setting("camera"), do="{} if the map was seen in perspective")


ROWS = 1 << 16
"""Pixels checked per block: enough to be fast, few enough to stay in the cache."""


def _slopes_by_rows(
    normals: NDArray[np.floating[Any]], mask: NDArray[np.bool_], camera: Camera
) -> tuple[Slopes, NDArray[np.bool_], int]:
    """Slopes of the unit normals, the pixels that have one, and how many of them face away."""
    height, width = mask.shape
    slopes = Slopes(*(np.zeros((height, width)) for _ in range(3)))
    usable = np.zeros((height, width), bool)
    back = 0
    for rows in row_blocks(mask.shape, ROWS):
        if not mask[rows].any():
            continue
        vectors, usable[rows] = _unit(normals[rows], mask[rows])
        with np.errstate(all="ignore"):
            part = camera.cropped(rows.start, 0).slopes(vectors, usable[rows])
        if not all(np.isfinite(image).all() for image in part):
            raise ValueError(f"camera is {camera}, with which slopes overflow; check its focal lengths and centre")
        for whole, image in zip(slopes, part, strict=True):
            whole[rows] = image
        back += int(np.count_nonzero(usable[rows] & (part.cosine <= 0)))
    return slopes, usable, back


def _unit(
    normals: NDArray[np.floating[Any]], mask: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Unit normals, 0 where there is none, and where there is one."""
    count = int(np.count_nonzero(mask))
    if 2 * count < mask.size:
        vectors, usable = np.zeros(normals.shape), np.zeros(mask.shape, bool)
        vectors[mask], usable[mask] = _unit(normals[mask], np.ones(count, bool))
        return vectors, usable
    largest = np.abs(normals).max(axis=-1).astype(np.float64)
    usable = mask & (largest > 0) & np.isfinite(largest)
    # Scaled before squaring, so that huge and tiny vectors neither overflow nor vanish.
    scale = np.where(usable, largest, 1.0)
    vectors = np.where(usable[..., None], normals, 0.0) / scale[..., None]
    length = np.sqrt(np.einsum("...k,...k", vectors, vectors))
    vectors /= np.where(usable, length, 1.0)[..., None]
    return vectors, usable


def bounding_window(mask: NDArray[np.bool_]) -> tuple[slice, slice]:
    """The rows and columns that the mask spans."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return slice(int(rows[0]), int(rows[-1]) + 1), slice(int(columns[0]), int(columns[-1]) + 1)
