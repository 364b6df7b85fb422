"""Colour maps, made in Oklab so that equal steps of a value are equal steps to the eye."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from crevasse.cameras import Array
from crevasse.pictures.drawable import Picture

GROUND = np.array([16, 18, 22], np.uint8)
"""Background of maps whose zero is dark."""
PAPER = np.array([244, 244, 242], np.uint8)
"""Background of pictures and sheets."""
INK = np.array([40, 42, 46], np.uint8)

# Okabe and Ito's palette, which stays distinguishable with every common form of colour blindness.
PALETTE = np.array(
    [
        [0, 114, 178],
        [230, 159, 0],
        [0, 158, 115],
        [204, 121, 167],
        [213, 94, 0],
        [86, 180, 233],
        [240, 228, 66],
    ],
    np.uint8,
)

_TO_CONES = np.array(
    [
        [1.0, 0.3963377774, 0.2158037573],
        [1.0, -0.1055613458, -0.0638541728],
        [1.0, -0.0894841775, -1.2914855480],
    ]
)
_TO_LINEAR = np.array(
    [
        [4.0767416621, -3.3077115913, 0.2309699292],
        [-1.2684380046, 2.6097574011, -0.3413193965],
        [-0.0041960863, -0.7034186147, 1.7076147010],
    ]
)


def to_screen(linear: ArrayLike) -> Picture:
    """Linear light from 0 to 1 as sRGB bytes."""
    light = np.clip(np.asarray(linear), 0.0, 1.0)
    curve = np.where(light <= 0.0031308, 12.92 * light, 1.055 * np.maximum(light, 1e-9) ** (1 / 2.4) - 0.055)
    screen: Picture = (curve * 255.0 + 0.5).astype(np.uint8)
    return screen


def oklab(lightness: ArrayLike, chroma: ArrayLike, hue: ArrayLike) -> Picture:
    """Colours of this Oklab lightness (0 to 1), chroma and hue (degrees), as sRGB bytes.

    Where a screen cannot show the chroma, it is reduced at the same lightness.
    """
    light, strength, angle = np.broadcast_arrays(*(np.asarray(each, float) for each in (lightness, chroma, hue)))
    angle = np.radians(angle)
    best = np.zeros((*light.shape, 3))
    for share in np.linspace(0.0, 1.0, 41):
        lab = np.stack([light, share * strength * np.cos(angle), share * strength * np.sin(angle)], axis=-1)
        linear = (lab @ _TO_CONES.T) ** 3 @ _TO_LINEAR.T
        fits = ((linear >= -1e-4) & (linear <= 1.0001)).all(axis=-1)
        best = np.where(fits[..., None], linear, best)
    return to_screen(best)


_ALONG = np.linspace(0.0, 1.0, 256)
_SEQUENTIAL_CHROMA = (0.055, 0.083, 0.085, 0.08, 0.092, 0.115, 0.125, 0.115, 0.085)
"""At equal distances along the map: a smooth curve below what screens can show, whose own limit has corners that
would be seen as rings."""


def _sequential(along: Array) -> Picture:
    places = np.linspace(0.0, 1.0, len(_SEQUENTIAL_CHROMA))
    chroma = np.interp(along, places, _SEQUENTIAL_CHROMA)
    bell = np.hanning(len(along) // 4)
    padded = np.pad(chroma, len(bell) // 2, mode="edge")
    smooth = np.convolve(padded, bell / bell.sum(), mode="same")[len(bell) // 2 :][: len(along)]
    return oklab(0.24 + 0.70 * along, smooth, 290 - 190 * along)


SEQUENTIAL = _sequential(_ALONG)
"""(256, 3): from dark violet through green to light yellow, in perceptually equal steps."""
HEAT = oklab(0.16 + 0.80 * _ALONG, 0.03 + 0.56 * _ALONG * (1 - _ALONG) + 0.05 * _ALONG, 5 + 95 * _ALONG**1.3)
"""(256, 3): from near black through red to pale yellow, for values that should be zero."""
_COLD = oklab(0.18 + 0.70 * _ALONG, 0.02 + 0.12 * np.sqrt(_ALONG), 245)
_WARM = oklab(0.18 + 0.70 * _ALONG, 0.02 + 0.13 * np.sqrt(_ALONG), 62)
SIGNED = np.concatenate([_COLD[::-1], _WARM])
"""(512, 3): light blue, dark, light orange; lightness shows the size, colour the sign."""


def colour(values: ArrayLike, table: Picture, outside: ArrayLike = PAPER) -> Picture:
    """Values from 0 to 1 through a table; NaN takes the colour `outside`."""
    given = np.asarray(values, float)
    known = np.isfinite(given)
    index = np.clip(np.where(known, given, 0.0), 0.0, 1.0) * (len(table) - 1) + 0.5
    return np.where(known[..., None], table[index.astype(np.intp)], np.asarray(outside, np.uint8))


def scale_to(values: Array, limits: tuple[float, float]) -> Array:
    """Values mapped so that the limits become 0 and 1."""
    low, high = limits
    return (values - low) / (high - low) if high > low else np.where(np.isfinite(values), 0.5, np.nan)
