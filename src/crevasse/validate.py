"""Validate all input of the Python interface."""

from __future__ import annotations

import os
from dataclasses import fields, is_dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crevasse.cameras import Camera, Orthographic, Perspective, Slopes
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


def check_camera(camera: Any) -> Camera:
    """Refuse anything that is not a camera; None is orthographic."""
    if camera is None:
        return Orthographic()
    if isinstance(camera, np.ndarray | list | tuple):
        return Perspective.from_matrix(camera)
    if isinstance(camera, Camera) and not isinstance(camera, type):
        return camera
    raise ValueError(f"camera is {camera!r:.80}; give Orthographic(), Perspective(...) or None")


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


def check_hints(hints: ArrayLike | None, shape: tuple[int, ...]) -> NDArray[np.int8] | None:
    """Refuse hints that do not fit; None means no hints."""
    if hints is None:
        return None
    array = np.asarray(hints)
    if array.shape != shape:
        raise ValueError(f"hints has shape {array.shape} but normals is {(*shape, 3)}; the first two must agree")
    if array.dtype.kind not in "biu" or np.any((array < -1) | (array > 3)):
        raise ValueError(
            "hints must hold whole numbers: 1 forces jumps around a pixel, 2 and 3 are the sides of a line along "
            "which they are forced, -1 forbids them, 0 leaves it open"
        )
    return array.astype(np.int8)


def check_weights(weights: ArrayLike | None, mask: NDArray[np.bool_]) -> NDArray[np.float64] | None:
    """Refuse weights that do not fit, and scale the others by a power of two, the largest to 1 or just above.

    Only their ratios count. None means no weights.
    """
    if weights is None:
        return None
    array = np.asarray(weights)
    if array.shape != mask.shape:
        raise ValueError(
            f"weights has shape {array.shape} but normals is {(*mask.shape, 3)}; the first two must agree"
        )
    if array.dtype.kind not in "biuf":
        raise ValueError(f"weights has type {array.dtype}; give real numbers, 0 or larger")
    inside = array[mask].astype(np.float64)
    wrong = int(np.count_nonzero(~np.isfinite(inside) | (inside < 0)))
    if wrong:
        raise ValueError(
            f"weights is negative or not finite at {wrong} pixels of the mask; give 0 where nothing is known"
        )
    if not inside.any():
        raise ValueError("weights is 0 everywhere inside the mask; at least one normal must count")
    found = np.zeros(mask.shape)
    found[mask] = np.ldexp(inside, 1 - int(np.frexp(inside.max())[1]))
    return found


USERS = {"hints": "Graduated", "weights": "Poisson"}
"""A method for arguments that only some methods accept."""


def check_accepted(method: Any, given: dict[str, bool]) -> None:
    """Refuse arguments that the method cannot use."""
    accepts = getattr(method, "accepts", frozenset({"mask"}))
    for name in (name for name, used in given.items() if used and name not in accepts):
        title = type(method).__name__
        if name == "mask":
            raise ValueError(
                f"mask (or pixels without a normal) leaves gaps, and {title} works on a full rectangle; crop the "
                "map, or use a method that takes masks, such as Poisson"
            )
        raise ValueError(
            f"{name} is given, but {title} cannot use it; leave it out, or choose a method that can, "
            f"such as {USERS[name]}"
        )


def check_method(method: Any) -> Any:
    """Refuse anything that is not a method object."""
    if isinstance(method, type):
        raise ValueError(f"method is the class {method.__name__}; pass an object, {method.__name__}()")
    if not hasattr(method, "run") or not hasattr(method, "bytes_per_pixel"):
        raise ValueError(f"method is {method!r:.80}; pass an object such as crevasse.Graduated()")
    return _with_plain_settings(method) if is_dataclass(method) else method


def _with_plain_settings(method: Any) -> Any:
    """The method with Python numbers in place of NumPy's, and whole floats as integers where a setting is one."""
    plain: dict[str, Any] = {}
    for setting in fields(method):
        value = getattr(method, setting.name)
        number = value.item() if isinstance(value, np.generic) else value
        if setting.type in ("int", int) and isinstance(number, float):
            if not number.is_integer():
                raise ValueError(f"{setting.name} is {value!r}; it must be a whole number")
            number = int(number)
        if setting.init and number is not value:
            plain[setting.name] = number
    return replace(method, **plain) if plain else method


def check_threads(threads: Any) -> int:
    """The number of threads to use; None is one for each core this process may use."""
    if threads is None or threads == "":
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        count = int(threads)
    except (TypeError, ValueError):
        raise ValueError(f"threads is {threads!r}; it must be a whole number, at least 1") from None
    if count < 1 or count != float(threads):
        raise ValueError(f"threads is {threads!r}; it must be a whole number, at least 1")
    return min(count, 256)
