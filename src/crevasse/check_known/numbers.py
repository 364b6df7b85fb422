"""Check arrays of numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crevasse.cameras import Array

Mask = NDArray[np.bool_]
Window = tuple[slice, slice]
LARGEST = 1e30
"""Depths and distances beyond this are no measurements."""


def check_numbers(name: str, values: ArrayLike) -> Array:
    """Refuse what is not an array of real numbers."""
    try:
        found = np.asarray(values)
    except ValueError as error:
        raise ValueError(f"{name} cannot be read as an array: {error}") from None
    if found.dtype.kind not in "biuf":
        raise ValueError(f"{name} has type {found.dtype}; give real numbers")
    return found.astype(np.float64)
