"""Errors of a depth map against the truth, after the gauge is fixed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crevasse.cameras import Array, Camera

Mask = NDArray[np.bool_]


def align(depth: ArrayLike, truth: ArrayLike, camera: Camera, islands: NDArray[np.int32] | None = None) -> Array:
    """Align `depth` to `truth` within the gauge: by a median scale (perspective) or shift (orthographic).

    Parameters
    ----------
    depth, truth : (H, W) arrays, NaN outside
    islands : (H, W) array of int; if given, each island is aligned by its own median
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
        if camera.gauge == "scale":
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
    """Mean absolute depth error with each island aligned separately: the part of the error that normals determine."""
    return float(np.nanmean(np.abs(align(depth, truth, camera, islands) - np.asarray(truth, float))))


def footprint(truth: ArrayLike, camera: Camera) -> float:
    """Side of a pixel on the true surface at its median depth, in depth units; divide errors by it to get pixels."""
    depth = np.asarray(truth, float)
    return camera.footprint(float(np.nanmedian(depth)))


def rmse(depth: ArrayLike, truth: ArrayLike, camera: Camera) -> float:
    """Root of the mean squared depth error after the gauge is fixed; large errors count more than in `made`."""
    return float(np.sqrt(np.nanmean(np.square(align(depth, truth, camera) - np.asarray(truth, float)))))


def median_error(depth: ArrayLike, truth: ArrayLike, camera: Camera) -> float:
    """Median absolute depth error after the gauge is fixed; a few misplaced parts do not change it."""
    return float(np.nanmedian(np.abs(align(depth, truth, camera) - np.asarray(truth, float))))


def surface_normals(depth: ArrayLike, camera: Camera) -> Array:
    """Unit normals (H-1, W-1, 3) of the surface between four neighbouring pixels, in the frame of points.

    NaN where one of the four is not known.
    """
    values = np.asarray(depth, float)
    rows, columns = np.indices(values.shape)
    points = camera.points(rows, columns, values)
    falling = points[1:, 1:] - points[:-1, :-1]
    rising = points[:-1, 1:] - points[1:, :-1]
    normals = np.cross(falling, rising)
    with np.errstate(invalid="ignore", divide="ignore"):
        unit: Array = normals / np.sqrt(np.square(normals).sum(axis=-1, keepdims=True))
    return unit


def angular_error(depth: ArrayLike, truth: ArrayLike, camera: Camera) -> float:
    """Mean angle in degrees between the normals of the surface and of the true one."""
    found, right = surface_normals(depth, camera), surface_normals(truth, camera)
    cosine = np.clip((found * right).sum(axis=-1), -1.0, 1.0)
    return float(np.nanmean(np.degrees(np.arccos(cosine))))


def normal_angle(depth: ArrayLike, normals: Array, camera: Camera, cuts: tuple[Mask, Mask]) -> float:
    """Mean angle in degrees between the normals of the surface and those it was made from, away from its own jumps.

    Parameters
    ----------
    normals : (H, W, 3) array, OpenGL frame
    cuts : pairs of pixels that jump, right (H, W-1) and down (H-1, W); what lies between them has no normal
    """
    angles = normal_angles(depth, normals, camera, cuts)
    known = angles[np.isfinite(angles)]
    return float(known.mean()) if known.size else float("nan")


def normal_angles(depth: ArrayLike, normals: Array, camera: Camera, cuts: tuple[Mask, Mask]) -> Array:
    """The angles whose mean is `normal_angle`, (H-1, W-1), one between four pixels; NaN where there is none."""
    right, down = cuts
    given = np.asarray(normals, float) * [1.0, -1.0, -1.0]
    around = given[1:, 1:] + given[:-1, :-1] + given[:-1, 1:] + given[1:, :-1]
    whole = ~(right[1:] | right[:-1] | down[:, 1:] | down[:, :-1])
    with np.errstate(invalid="ignore", divide="ignore"):
        cosine = (surface_normals(depth, camera) * around).sum(axis=-1) / np.sqrt(np.square(around).sum(axis=-1))
    return np.where(whole, np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0))), np.nan)


def jump_share(mask: Mask, cuts: tuple[Mask, Mask]) -> float:
    """Share of the pairs of neighbours in the mask that jumps separate."""
    pairs = int(np.count_nonzero(mask[:, 1:] & mask[:, :-1])) + int(np.count_nonzero(mask[1:] & mask[:-1]))
    return sum(int(np.count_nonzero(part)) for part in cuts) / max(pairs, 1)


class JumpScores(NamedTuple):
    """Precision and recall of jumps."""

    precision: float
    recall: float


def true_jumps(truth: ArrayLike, normals: Array, camera: Camera, least: float = 0.5) -> tuple[Mask, Mask]:
    """Pairs of pixels, right (H, W-1) and down (H-1, W), between which the true depth jumps.

    Parameters
    ----------
    normals : (H, W, 3) array, OpenGL frame; a step that the slopes explain is not a jump
    least : size of the smallest jump, in pixels
    """
    depth = np.asarray(truth, float)
    mask = np.isfinite(depth)
    heights = np.where(mask, camera.to_heights(np.where(mask, depth, 1.0)), np.nan)
    slopes = camera.slopes(np.where(mask[..., None], normals, 0.0), mask).steepness()
    found = []
    for axis, slope in ((1, slopes[0]), (0, slopes[1])):
        first = np.take(slope, range(slope.shape[axis] - 1), axis=axis)
        second = np.take(slope, range(1, slope.shape[axis]), axis=axis)
        step = np.diff(heights, axis=axis)
        low, high = np.minimum(first, second), np.maximum(first, second)
        with np.errstate(invalid="ignore"):
            found.append((step < low - least) | (step > high + least))
    return found[0], found[1]


def jump_scores(found: tuple[Mask, Mask], right: tuple[Mask, Mask], reach: int = 1) -> JumpScores:
    """Precision and recall of jumps; one that is off by up to `reach` pixels counts as found.

    Parameters
    ----------
    found, right : pairs of pixels that jump, right (H, W-1) and down (H-1, W)
    """
    ours, true = _on_pixels(found), _on_pixels(right)
    near_ours, near_true = _spread(ours, reach), _spread(true, reach)
    precision = float(near_true[ours].mean()) if ours.any() else 1.0
    recall = float(near_ours[true].mean()) if true.any() else 1.0
    return JumpScores(precision, recall)


def _on_pixels(jumps: tuple[Mask, Mask]) -> Mask:
    """The pixels on either side of jumps."""
    right, down = jumps
    pixels = np.zeros((right.shape[0], down.shape[1]), bool)
    pixels[:, :-1] |= right
    pixels[:, 1:] |= right
    pixels[:-1] |= down
    pixels[1:] |= down
    return pixels


def _spread(pixels: Mask, reach: int) -> Mask:
    """Pixels within `reach` of those given, also diagonally."""
    padded = np.pad(pixels, reach)
    windows = np.lib.stride_tricks.sliding_window_view(padded, (2 * reach + 1, 2 * reach + 1))
    return np.asarray(windows.any(axis=(2, 3)))
