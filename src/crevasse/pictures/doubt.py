"""How sure the depth is, in colour."""

from __future__ import annotations

import numpy as np

from crevasse.cameras import Array
from crevasse.pictures import canvas
from crevasse.pictures.colours import GROUND, HEAT, colour, scale_to
from crevasse.pictures.drawable import LIMIT, Drawable, Picture, footprint, step_to_fit, unit_of
from crevasse.pictures.maps import PALE

UNPLACED = np.array([86, 150, 190], np.uint8)
"""Colour of pixels whose distance nothing determines."""
DECADES = 3.0
"""Decades that the colour scale covers."""


def sigma(drawable: Drawable, deviations: Array, unit: str | None = None, limit: int = LIMIT) -> Picture:
    """Standard deviations of depth on a dark ground, on a logarithmic scale; islands are blue.

    Parameters
    ----------
    deviations : (H, W), infinite on islands, NaN outside
    """
    step = step_to_fit(deviations.shape, limit)
    shown = deviations[::step, ::step]
    known = shown[np.isfinite(shown)]
    least = 1e-6 * footprint(drawable)
    high = np.log10(max(float(np.percentile(known, 99.5)) if known.size else 1.0, least))
    limits = high - DECADES, high
    with np.errstate(divide="ignore", invalid="ignore"):
        scaled = scale_to(np.log10(np.where(np.isfinite(shown), np.maximum(shown, least), np.nan)), limits)
    picture = colour(scaled, HEAT, GROUND)
    picture[np.isposinf(shown)] = UNPLACED
    powers = range(int(np.ceil(limits[0])), int(np.floor(limits[1])) + 1)
    ticks = [(float(scale_to(np.array(float(p)), limits)), canvas.number(10.0**p)) for p in powers]
    return canvas.add_bar(picture, HEAT, ticks, f"sigma, {unit_of(drawable, unit)}", GROUND, PALE)
