"""Detect which value of an 8-bit map means 0.

Two encoders are common: round((n + 1) * 127.5), whose zero lies between two values, and round(n * 127 + 128), whose
zero is 128. The lengths of decoded vectors distinguish them where the surface is tilted. Where it is flat both write
128 (or 127, if they truncate instead of rounding); if one of these values is far more frequent in a map than its
neighbours, that value means 0.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
CENTRES = ("auto", "127.5", "128")
"""Choices for the zero of 8-bit maps."""
SAMPLE = 200_000
"""Number of pixels sampled for the decision."""
TILTED, FEWEST = 0.15, 300
"""Tilt (sine) of the pixels whose lengths are judged, and how many there must be."""
CLEARER = 0.35
"""An encoding is accepted if its mean error in vector length is below this share of the other's."""
LARGEST_ERROR = 0.004
"""Error in vector length above which neither encoding explains the map."""
SPIKE, SHARE = 4.0, 0.02
"""How much more often than its neighbours, and in which share of the pixels, the value of a flat surface occurs."""


def from_bytes(values: NDArray[np.integer], centre: str = "auto") -> tuple[Array, str]:
    """Vectors of 8-bit colours, and how they were decoded.

    Parameters
    ----------
    values : (H, W, C) array, 0 to 255
    centre : one of `CENTRES`
    """
    if centre not in CENTRES:
        raise ValueError(f"centre is {centre!r}; give one of {', '.join(CENTRES)}")
    some = _sample(values)
    whole = centre == "128" or (centre == "auto" and _has_whole_centre(some))
    table = decode_table(whole)
    flat = [flat_value(some[:, k]) for k in range(min(some.shape[1], 2))] if centre == "auto" and not whole else []
    vectors: Array = table[values]
    for channel, zero in enumerate(flat):
        if zero is not None:
            vectors[..., channel][values[..., channel] == zero] = 0.0
    if whole:
        return vectors, "8-bit, 128 is zero"
    zeros = sorted({zero for zero in flat if zero is not None})
    return vectors, "8-bit (n + 1) / 2" + (f", flat is {' and '.join(map(str, zeros))}" if zeros else "")


def decode_table(whole: bool) -> Array:
    """Components that the 256 values encode: zero at 128 if `whole`, else at 127.5."""
    levels = np.arange(256.0)
    return np.maximum((levels - 128) / 127, -1.0) if whole else levels / 255 * 2 - 1


def _sample(values: NDArray[np.integer]) -> NDArray[np.integer]:
    """Some of the pixels that hold a colour."""
    pixels = values.reshape(-1, values.shape[2])
    pixels = pixels[:: len(pixels) // SAMPLE + 1]
    coloured = (pixels != pixels[:, :1]).any(axis=1) if pixels.shape[1] == 3 else np.ones(len(pixels), bool)
    return np.asarray(pixels[coloured])


def _has_whole_centre(pixels: NDArray[np.integer]) -> bool:
    """Whether the lengths of tilted vectors are 1 with the zero at 128, and are not with the zero at 127.5."""
    if pixels.shape[1] != 3:
        return False
    errors = []
    tilted = np.square(decode_table(False)[pixels[:, :2]]).sum(axis=1) > TILTED**2
    inside = tilted & (pixels > 0).all(axis=1) & (pixels < 255).all(axis=1)
    if np.count_nonzero(inside) < FEWEST:
        return False
    for whole in (False, True):
        lengths = np.sqrt(np.square(decode_table(whole)[pixels[inside]]).sum(axis=1))
        errors.append(abs(float(np.median(lengths)) - 1))
    return errors[1] < CLEARER * errors[0] and errors[1] < LARGEST_ERROR


def flat_value(channel: NDArray[np.integer]) -> int | None:
    """The value of a flat surface in a channel, if there is one: 127 or 128, far more frequent than those around."""
    counts = np.bincount(np.clip(channel, 0, 255).astype(np.intp), minlength=256)
    for zero, other in ((128, 127), (127, 128)):
        around = max(counts[zero - 3], counts[zero + 3], counts[zero - 2 if other > zero else zero + 2])
        if counts[zero] > max(SPIKE * max(around, counts[other]), SHARE * len(channel)):
            return zero
    return None
