"""Decode samples to unit normals: encodings, two channels, slopes, background pixels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crevasse.files.arrays import to_doubles
from crevasse.files.centre import CENTRES, from_bytes
from crevasse.files.errors import BadInput
from crevasse.files.pixels import Pixels

SHORTEST, LONGEST = 0.5, 1.5
"""Lengths of decoded colours outside of which a pixel is background: grey is 0, black and white are 1.73."""
LENGTH_TOLERANCE = 0.25
"""Deviation from unit length above which a pixel cannot encode a normal."""
MOST_VIOLATIONS = 0.5
"""Share of such pixels above which the file is not a normal map."""
LOSSY = {"jpeg": "JPEG", "webp": "WebP"}
"""Formats with lossy compression."""
BLOCK = 1 << 15
"""Pixels per block."""

Array = NDArray[np.float64]
__all__ = ["CENTRES", "Decoded", "decode", "from_srgb", "rebuild_z"]


@dataclass(frozen=True)
class Decoded:
    """Vectors in the frame of the file.

    Attributes
    ----------
    vectors : (H, W, 3) array, unit length, 0 where there is no normal
    mask : (H, W) array of bool, the pixels that hold a normal
    lengths : (H, W) array, lengths before normalisation (of decoded colours; 1 for plain values)
    encoding : how the file stores a normal
    notes : remarks for the caller
    """

    vectors: Array
    mask: NDArray[np.bool_]
    lengths: Array
    encoding: str
    notes: tuple[str, ...]


def decode(pixels: Pixels, slopes: bool, name: str, srgb: bool = False, centre: str = "auto") -> Decoded:
    """Unit vectors of a file's samples.

    Parameters
    ----------
    slopes : whether the samples are (p, q), the rise towards the viewer per pixel to the right and upwards
    name : the file, for messages
    srgb : whether integer colours went through the sRGB curve
    centre : the 8-bit value that means 0, one of `CENTRES`
    """
    values, notes = pixels.values, []
    if values.shape[2] not in (2, 3):
        raise BadInput(
            f"{name} has {values.shape[2]} channel{'s' * (values.shape[2] > 1)}; a normal map has three (x, y, z) or "
            "two (x, y)"
        )
    if values.dtype.kind == "b":
        raise BadInput(f"{name} holds only booleans; it looks like a mask, not like normals")
    if slopes:
        vectors, encoding = _from_slopes(values, name), "slopes"
        unit = False
    elif values.dtype.kind in "iu":
        vectors, encoding = _from_integers(values, name, centre)
        if srgb:
            vectors, encoding = from_srgb(values), encoding + ", sRGB curve undone"
        unit = True
    else:
        vectors, unit = _from_floats(values)
        encoding = "floats, (n + 1) / 2" if unit else "floats"
        if unit:
            notes.append("The floats are colours, (n + 1) / 2; they were decoded to normals.")
    if values.shape[2] == 2 and not slopes:
        vectors = rebuild_z(vectors)
        encoding += ", z rebuilt from x and y"
    elif unit and _blue_is_empty(vectors):
        vectors = rebuild_z(vectors[..., :2])
        encoding += ", z rebuilt from x and y"
        notes.append("The blue channel is empty; z was rebuilt from red and green.")
    if pixels.kind in LOSSY:
        notes.append(f"{LOSSY[pixels.kind]} compression blurs normals; use PNG, TIFF or EXR if you can.")
    return _normalised(vectors, unit, encoding, tuple(notes))


def _normalised(vectors: Array, unit: bool, encoding: str, notes: tuple[str, ...]) -> Decoded:
    """Normalise vectors in place, in blocks of rows that fit into the cache."""
    lengths, mask = np.empty(vectors.shape[:2]), np.empty(vectors.shape[:2], bool)
    step = max(BLOCK // vectors.shape[1], 1)
    for top in range(0, len(vectors), step):
        rows = slice(top, top + step)
        part, length = _scaled(vectors[rows])
        inside = (length > SHORTEST) & (length < LONGEST) if unit else length > 0
        divisor = np.where(length > 0, length, 1.0)
        # Component by component: loops over three numbers are slow.
        for k in range(3):
            vectors[rows, :, k] = part[..., k] / divisor * inside
        lengths[rows], mask[rows] = length, inside
    return Decoded(vectors, mask, lengths if unit else mask.astype(float), encoding, notes)


def _scaled(vectors: Array) -> tuple[Array, Array]:
    """Vectors scaled so that lengths neither overflow nor underflow, 0 where not finite, and these lengths."""
    x, y, z = (np.abs(vectors[..., k]) for k in range(3))
    largest = np.maximum(np.maximum(x, y), z)
    finite = np.isfinite(largest)
    if not finite.all():
        return _scaled(np.where(finite[..., None], vectors, 0.0))
    scale = np.where(largest > 0, largest, 1.0)
    squares = (np.square(side / scale) for side in (x, y, z))
    return vectors, scale * np.sqrt(sum(squares)) * (largest > 0)


def _from_integers(values: NDArray[np.integer], name: str, centre: str) -> tuple[Array, str]:
    """(n + 1) / 2 over the whole range of 8 or 16 bits; 8-bit maps have one of two centres."""
    low, high = int(values.min()), int(values.max())
    if low < 0 or high > 65535:
        raise BadInput(f"{name} holds integers from {low} to {high}; 0 to 255 or 0 to 65535 encode a normal")
    bits = 8 if values.dtype.itemsize == 1 or (values.dtype.kind == "i" and high < 256) else 16
    if bits == 8:
        return from_bytes(values, centre)
    vectors: Array = values / 65535
    vectors *= 2.0
    vectors -= 1.0
    return vectors, "16-bit (n + 1) / 2"


def from_srgb(values: NDArray[np.integer]) -> Array:
    """Vectors of integer colours that went through the sRGB curve."""
    colours = values / (255.0 if values.dtype.itemsize == 1 else 65535.0)
    linear = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
    return np.asarray(linear * 2.0 - 1.0)


def _from_floats(values: NDArray[np.floating]) -> tuple[Array, bool]:
    """Plain values, unless they must be colours: no value is negative, and decoding gives unit length."""
    plain = to_doubles(values)
    known = plain[np.isfinite(plain).all(axis=-1) & (plain != 0).any(axis=-1)]
    if len(known) and values.shape[2] == 3 and known.min() >= 0 and known.max() <= 1.001:
        off = np.abs(np.sqrt(np.square(known).sum(axis=-1)) - 1)
        decoded = np.abs(np.sqrt(np.square(2 * known - 1).sum(axis=-1)) - 1)
        if np.median(decoded) < 0.05 and np.median(decoded) < np.median(off):
            return np.where((plain != 0).any(axis=-1)[..., None], 2 * plain - 1, 0.0), True
    return plain, False


def _from_slopes(values: NDArray[np.generic], name: str) -> Array:
    if values.dtype.kind != "f":
        raise BadInput(f"{name} holds integers; slopes (p, q) need a float file (TIFF, EXR, NPY or MAT)")
    p, q = to_doubles(values[..., 0]), to_doubles(values[..., 1])
    return np.stack([-p, -q, np.ones_like(p)], axis=-1)


def rebuild_z(xy: Array) -> Array:
    """Unit vectors with these x and y that face the viewer; vectors longer than 1 become grazing."""
    square = np.square(xy[..., :2]).sum(axis=-1)
    z = np.sqrt(np.clip(1.0 - square, 0.0, None))
    shrink = 1.0 / np.sqrt(np.maximum(square, 1.0))
    return np.concatenate([xy[..., :2] * shrink[..., None], z[..., None]], axis=-1)


def _blue_is_empty(vectors: Array) -> bool:
    """Whether the third channel is constant although the first two, with it, are no unit vectors."""
    blue = vectors[..., 2]
    if blue.size < 4 or blue.min() != blue.max():
        return False
    lengths = np.sqrt(np.square(vectors).sum(axis=-1))
    inside = np.square(vectors[..., :2]).sum(axis=-1) <= 1.02
    varied = float(np.ptp(vectors[..., :2].reshape(-1, 2), axis=0).max()) > 0.02
    return varied and bool(inside.mean() > 0.98) and float(np.mean(np.abs(lengths - 1) > 0.05)) > 0.5
