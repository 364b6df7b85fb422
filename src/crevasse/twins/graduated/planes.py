"""The plane of each pixel: its slopes, and how far they can be trusted.

n~ is the cosine between the normal and the viewing ray, up to the length of the ray (`cameras.Slopes.cosine`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from crevasse.cameras import GRAZING, Array, Slopes

NOISE_FLOOR = 0.002
"""Least standard deviation of a normal's noise."""
NOISY = 0.01
"""Noise from which on cosines are smoothed before variances are computed from them."""
WINDOW = 2
"""Pixels to each side of the smoothing window."""
TRUST = 2.0
"""Multiple of the variance expected from noise that a window may have and still count as level."""


class Planes(NamedTuple):
    """What the method knows of each pixel, all (H, W)."""

    right: Array
    """Slope per column, p = n_x / max(n~, 0.03)."""
    down: Array
    """Slope per row, q = -n_y / max(n~, 0.03)."""
    variance: Array
    """Half the variance of the slopes; 0 outside the mask."""


def make_planes(slopes: Slopes, mask: NDArray[np.bool_], noise: Array) -> Planes:
    """Slopes with the cosine clamped, and variance = s0^2 / (2 n~^4) with s0 = max(0.002, noise).

    A slope is tan(angle), so an error s of the angle is an error s / n~^2 of the slope. The variance of a pair is
    the mean of its pixels' variances: each contributes half of its own.

    Parameters
    ----------
    noise : (H, W) array, standard deviation of the normals per pixel (that of its region)
    """
    cosine = np.maximum(slopes.cosine, GRAZING)
    steady = np.where(noise < NOISY, cosine, smooth_cosine(cosine, mask, noise))
    variance = 0.5 * np.maximum(noise, NOISE_FLOOR) ** 2 / steady**4
    return Planes(slopes.across / cosine, slopes.along / cosine, np.where(mask, variance, 0.0))


def smooth_cosine(cosine: Array, mask: NDArray[np.bool_], noise: Array) -> Array:
    """Pull each cosine to the mean of its window as far as noise explains the spread there (Lee's filter).

    Weights computed from a pixel's own noisy cosine would favour the pixels that noise has made flatter, and so
    flatten the surface. Noise s of the normals gives cosines the variance s^2 (1 - mean^2 + s^2).
    """
    count = window_sum(mask.astype(float))
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = window_sum(np.where(mask, cosine, 0.0)) / count
        variance = window_sum(np.where(mask, cosine**2, 0.0)) / count - mean**2
    expected = noise**2 * (np.maximum(1 - mean**2, 0.0) + noise**2)
    share = np.minimum(1.0, TRUST * expected / (variance + 1e-12))
    return np.where(mask, cosine + share * (mean - cosine), cosine)


def window_sum(image: Array) -> Array:
    """Sum over the window around each pixel; beyond the border is 0."""
    side = 2 * WINDOW + 1
    return np.asarray(sliding_window_view(np.pad(image, WINDOW), (side, side)).sum(axis=(2, 3)))
