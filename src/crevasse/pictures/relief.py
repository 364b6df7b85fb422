"""A shaded relief of a depth map that looks like a photograph of the surface."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array
from crevasse.pictures.colours import PAPER, to_screen
from crevasse.pictures.drawable import LIMIT, Drawable, Mask, Picture, heights_of, window_of

Light = NDArray[np.floating]

TOWARDS_LIGHT = (-0.48, 0.52, 0.707)
"""Upper left, in front: x right, y up, z towards the viewer."""
FAR = np.float32(1e9)


def preview(drawable: Drawable, limit: int = LIMIT) -> Picture:
    """A shaded relief: light from the upper left, soft shadows, corners dark where little sky is seen.

    Parameters
    ----------
    drawable : an `Integration`, or any depth map with its camera (`Given`)
    limit : longest side of the picture

    Examples
    --------
    >>> import numpy as np, crevasse
    >>> result = crevasse.integrate(np.zeros((4, 5, 3)) + [0.0, 0.0, 1.0])
    >>> crevasse.pictures.preview(result).shape
    (4, 5, 3)
    """
    heights, mask = heights_of(drawable, limit)
    return paint(heights, mask)


def paint(heights: Array, mask: Mask) -> Picture:
    """The relief of heights in pixels, on paper."""
    window = window_of(mask, max(mask.shape))
    inside = mask[window]
    picture = np.broadcast_to(PAPER, (*mask.shape, 3)).copy()
    picture[window] = np.where(inside[..., None], _relief(heights[window], inside, max(mask.shape)), PAPER)
    return picture


def _relief(heights: Array, mask: Mask, side: int) -> Picture:
    right, down = slopes_of(heights, mask)
    sky, sun = openness(heights, mask, right, down, side), shadow(heights, mask, side)
    return to_screen(clay(right, down, sky, sun))


def clay(right: Light, down: Light, sky: Light | float = 1.0, sun: Light | float = 1.0) -> Light:
    """Linear colour of matt clay with these slopes, (H, W, 3).

    Parameters
    ----------
    sky, sun : how much of the sky and of the light each point sees, 0 to 1
    """
    x, y, z = TOWARDS_LIGHT
    length = np.sqrt(1 + right**2 + down**2)
    facing = np.maximum((right * x - down * y + z) / length, 0) * sun
    ambient = (0.62 + 0.38 / length) * sky
    half = np.maximum((right * x - down * y + z + 1) / (length * math.sqrt(2 + 2 * z)), 0)
    gleam = 0.10 * half**40 * sun
    warm, cool = np.array([0.72, 0.63, 0.54], np.float32), np.array([0.17, 0.175, 0.19], np.float32)
    lit: Light = facing[..., None] * warm + ambient[..., None] * cool + gleam[..., None]
    return lit


def slopes_of(heights: Array, mask: Mask) -> tuple[Light, Light]:
    """Slopes per column and per row; at a jump they follow the side on which the surface goes on."""
    return _slope(heights, mask), _slope(heights.T, mask.T).T


def _slope(heights: Array, mask: Mask) -> Light:
    inside = mask[:, 1:] & mask[:, :-1]
    step = np.diff(np.where(mask, heights, 0.0), axis=1).astype(np.float32)
    weight = np.where(inside, 1 / (4 + step**2), 0).astype(np.float32)
    total, sum_ = (np.zeros(mask.shape, np.float32) for _ in range(2))
    for side in (np.s_[:, 1:], np.s_[:, :-1]):
        total[side] += weight
        sum_[side] += weight * step
    slope: Light = sum_ / np.maximum(total, np.float32(1e-12))
    return slope


def shadow(heights: Array, mask: Mask, side: int) -> Light:
    """How much of the light each point sees, 0 to 1: a march towards the light over the heights.

    Parameters
    ----------
    side : longer side of the whole picture, of which shadows reach a share
    """
    x, y, z = TOWARDS_LIGHT
    flat = math.hypot(x, y)
    reach = max(3, round(0.1 * side))
    padded, own = _padded(heights, mask, reach)
    hidden = np.zeros(mask.shape, np.float32)
    for distance in np.unique(np.geomspace(1.5, reach, 28).round(1)):
        row, column = round(-y / flat * distance), round(x / flat * distance)
        run = math.hypot(row, column)
        rise = own - np.float32(run * z / flat) - _seen(padded, reach, row, column, mask.shape)
        np.maximum(hidden, (rise - np.float32(0.7)) / np.float32(1 + 0.25 * run), out=hidden)
    return (1 - 0.85 * np.clip(hidden, 0, 1)).astype(np.float32)


def openness(heights: Array, mask: Mask, right: Light, down: Light, side: int) -> Light:
    """How much of the sky each point sees, 0 to 1, from the horizon in eight directions; see `shadow`."""
    reach = max(3, round(0.035 * side))
    padded, own = _padded(heights, mask, reach)
    seen = np.zeros(mask.shape, np.float32)
    for angle in np.arange(8) * (math.pi / 4):
        horizon = np.zeros(mask.shape, np.float32)
        for distance in np.unique(np.geomspace(1, reach, 5).round()):
            row, column = round(math.sin(angle) * distance), round(math.cos(angle) * distance)
            run = np.float32(math.hypot(row, column))
            # Above the tangent plane only, so that a smooth slope does not darken itself.
            rise = own - _seen(padded, reach, row, column, mask.shape) + right * column + down * row
            fade = np.float32(1 - 0.6 * distance / reach)
            np.maximum(horizon, rise / np.sqrt(rise**2 + run**2) * fade, out=horizon)
        seen += 1 - horizon
    open_: Light = (seen / 8) ** np.float32(1.6)
    return open_


def _padded(heights: Array, mask: Mask, reach: int) -> tuple[Light, Light]:
    own = np.where(mask, heights, FAR).astype(np.float32)
    return np.pad(own, reach, constant_values=FAR), own


def _seen(padded: Light, reach: int, row: int, column: int, shape: tuple[int, ...]) -> Light:
    return padded[reach + row : reach + row + shape[0], reach + column : reach + column + shape[1]]
