"""The error of a depth map in colour."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from crevasse.cameras import Array
from crevasse.metrics import align
from crevasse.pictures import canvas
from crevasse.pictures.colours import HEAT, colour, scale_to
from crevasse.pictures.drawable import (
    LIMIT,
    Drawable,
    Picture,
    step_to_fit,
    unit_of,
)


def error(
    drawable: Drawable,
    truth: ArrayLike,
    largest: float | None = None,
    unit: str | None = None,
    bar: bool = True,
    limit: int = LIMIT,
) -> Picture:
    """The absolute depth error after the gauge is fixed, dark where there is none.

    Parameters
    ----------
    truth : (H, W) array, NaN where it is not known
    largest : error at the top of the colour scale; None is the 98th percentile. Give the same to pictures that
        are compared.
    """
    off = errors_of(drawable, truth)
    most = largest if largest is not None else error_limit([off])
    step = step_to_fit(off.shape, limit)
    picture = colour(scale_to(off[::step, ::step], (0.0, most)), HEAT)
    if not bar:
        return picture
    return canvas.add_bar(picture, HEAT, error_ticks(most), error_title(drawable, unit))


def errors_of(drawable: Drawable, truth: ArrayLike) -> Array:
    """Absolute depth errors after the gauge is fixed, (H, W), NaN where either is not known."""
    return np.asarray(np.abs(align(drawable.depth, truth, drawable.camera) - np.asarray(truth, float)), float)


def error_limit(errors: list[Array]) -> float:
    """Top of a shared error scale: the 98th percentile of the median map."""
    tops = sorted(float(np.nanpercentile(each, 98)) for each in errors)
    return max(tops[len(tops) // 2], 1e-9)


def error_ticks(most: float) -> list[tuple[float, str]]:
    """Ticks of a bar of errors up to `most`: place from 0 to 1, and number."""
    return [(t / most, canvas.number(t)) for t in canvas.round_ticks(0.0, most, 4)]


def error_title(drawable: Drawable, unit: str | None) -> str:
    """Title of the error scale, with the given unit, or what is known of it."""
    if unit is None and drawable.camera.curvature > 0:
        return "error, in the truth's unit"
    return f"error, {unit_of(drawable, unit)}"
