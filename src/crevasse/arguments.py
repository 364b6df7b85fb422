"""Check the arguments of a run besides the normals and the mask."""

from __future__ import annotations

import os
from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crevasse.cameras import Camera, Orthographic, Perspective


def check_camera(camera: Any) -> Camera:
    """Refuse anything that is not a camera; None is orthographic."""
    if camera is None:
        return Orthographic()
    if isinstance(camera, np.ndarray | list | tuple):
        return Perspective.from_matrix(camera)
    if isinstance(camera, Camera) and not isinstance(camera, type):
        return camera
    raise ValueError(f"camera is {camera!r:.80}; give Orthographic(), Perspective(...) or None")


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


USERS = {"weights": "Poisson"}
"""Methods for arguments that the default does not accept."""


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
            f"such as {USERS.get(name, 'Graduated')}"
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
        # Whole numbers may be larger than floats.
        whole = isinstance(threads, int | str) or count == float(threads)
    except (TypeError, ValueError, OverflowError):
        whole = False
    if not whole or count < 1:
        raise ValueError(f"threads is {threads!r:.80}; it must be a whole number, at least 1")
    return min(count, 256)
