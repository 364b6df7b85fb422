"""Every refusal of bad input, in one place."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crevasse.cameras import Orthographic, Perspective

MOST_BACK_FACING = 0.5
"""Share of back-facing pixels from which the map, not the pixels, is taken to be wrong."""


class Valid(NamedTuple):
    """Checked input: unit normals (0 outside), the mask, and what the caller should be told."""

    normals: NDArray[np.float64]
    mask: NDArray[np.bool_]
    warnings: list[str]


def check_normals(normals: ArrayLike) -> NDArray[np.floating[Any]]:
    """Refuse what cannot be a normal map."""
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
    """Refuse a mask that does not fit normals of this shape; None is everything."""
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


def check_camera(camera: Any) -> Orthographic | Perspective:
    """Refuse what is not a camera; None is orthographic."""
    if camera is None:
        return Orthographic()
    if isinstance(camera, Orthographic | Perspective):
        return camera
    if isinstance(camera, np.ndarray | list | tuple):
        raise ValueError("camera is a matrix; pass crevasse.Perspective.from_matrix(K)")
    raise ValueError(f"camera is {camera!r:.80}; give Orthographic(), Perspective(...) or None")


def check_input(normals: ArrayLike, mask: ArrayLike | None, camera: Orthographic | Perspective) -> Valid:
    """Unit normals and the mask of the pixels that can be integrated."""
    array = check_normals(normals)
    inside = check_mask(mask, array.shape)
    if not inside.any():
        raise ValueError("mask is False everywhere; at least one pixel must be inside")
    vectors = np.array(array, np.float64)
    finite = np.isfinite(vectors).all(axis=-1)
    vectors[~finite] = 0.0
    largest = np.abs(vectors).max(axis=-1)
    usable = inside & (largest > 0)
    if not usable.any():
        raise ValueError("normals is zero or not finite everywhere inside the mask; nothing can be integrated")
    # Scaled before squaring, so that huge and tiny vectors neither overflow nor vanish.
    vectors /= np.where(largest > 0, largest, 1.0)[..., None]
    vectors /= np.sqrt(np.square(vectors).sum(axis=-1, keepdims=True)) + (largest == 0)[..., None]
    vectors[~usable] = 0.0

    warnings = []
    dropped = int(np.count_nonzero(inside & ~usable))
    if dropped and mask is not None:
        warnings.append(f"{dropped} pixels inside the mask have no normal (zero or not finite); they were left out.")
    back = usable & (camera.slopes(vectors, usable).cosine <= 0)
    count = int(np.count_nonzero(back))
    if count:
        total = int(np.count_nonzero(usable))
        if count > MOST_BACK_FACING * total:
            raise ValueError(
                f"normals faces away from the viewer at {count} of {total} pixels; z must point towards the "
                "viewer (OpenGL frame): negate z, or check the camera's focal length and centre"
            )
        warnings.append(f"{count} pixels face away from the viewer; they were taken as grazing.")
    return Valid(vectors, usable, warnings)


def check_method(method: Any) -> Any:
    """Refuse what is not a method object."""
    if isinstance(method, type):
        raise ValueError(f"method is the class {method.__name__}; pass an object, {method.__name__}()")
    if isinstance(method, str):
        raise ValueError(f"method is the text {method!r}; pass an object such as crevasse.Graduated()")
    if not hasattr(method, "run"):
        raise ValueError(f"method is {method!r:.80}; pass an object such as crevasse.Graduated()")
    return method


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
