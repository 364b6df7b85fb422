"""Errors of a depth map against the truth, after the gauge is fixed."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crevasse.cameras import Array, Camera


def align(depth: ArrayLike, truth: ArrayLike, camera: Camera, islands: NDArray[np.int32] | None = None) -> Array:
    """`depth` moved to `truth` within the gauge: a median scale (perspective) or shift (orthographic).

    Parameters
    ----------
    depth, truth : (H, W) arrays, NaN outside
    islands : (H, W) array of int; given, each island is moved by its own median
    """
    made, right = np.asarray(depth, float), np.asarray(truth, float)
    if made.shape != right.shape:
        raise ValueError(f"depth has shape {made.shape} but truth is {right.shape}; they must agree")
    known = np.isfinite(made) & np.isfinite(right)
    if not known.any():
        raise ValueError("depth and truth have no finite pixel in common")
    parts = known.astype(np.int32) if islands is None else np.where(known, islands, 0)
    aligned = np.full(made.shape, np.nan)
    for part in np.unique(parts[parts > 0]):
        here = parts == part
        if camera.curvature > 0:
            aligned[here] = made[here] * np.median(right[here] / made[here])
        else:
            aligned[here] = made[here] + np.median(right[here] - made[here])
    return aligned


def made(depth: ArrayLike, truth: ArrayLike, camera: Camera) -> float:
    """Mean absolute depth error after the gauge is fixed.

    >>> from crevasse import Orthographic
    >>> made(np.array([[1.0, 2.0, 3.0]]), np.array([[5.0, 6.0, 8.0]]), Orthographic())
    0.3333333333333333
    """
    return float(np.nanmean(np.abs(align(depth, truth, camera) - np.asarray(truth, float))))


def made_aligned(depth: ArrayLike, truth: ArrayLike, camera: Camera, islands: NDArray[np.int32]) -> float:
    """Mean absolute depth error when each island is aligned by itself: what normals can be held to."""
    return float(np.nanmean(np.abs(align(depth, truth, camera, islands) - np.asarray(truth, float))))
