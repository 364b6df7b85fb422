"""Validate camera parameters."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import Any

import numpy as np


def hold_floats(camera: Any) -> None:
    """Convert a new camera's parameters to floats: NumPy has no integers as large as Python's."""
    for field in fields(camera):
        object.__setattr__(camera, field.name, float(getattr(camera, field.name)))


def require_finite(name: str, value: Any) -> None:
    """Refuse anything that is not a finite number."""
    real = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    try:
        finite = real and math.isfinite(value)
    except OverflowError:
        finite = False
    if not finite:
        raise ValueError(f"{name} is {value!r:.80}; it must be a finite number")


def require_positive(name: str, value: Any) -> None:
    """Refuse anything that is not a finite positive number."""
    require_finite(name, value)
    if value <= 0:
        raise ValueError(f"{name} is {value!r}; it must be positive")


def require_within(name: str, value: float, limits: tuple[float, float], meaning: str) -> None:
    """Refuse numbers that no real setup has and with which results would lose digits or overflow."""
    if not limits[0] <= value <= limits[1]:
        raise ValueError(f"{name} is {value:g}; {meaning}, from {limits[0]:g} to {limits[1]:g}")
