"""Check tables of points and distances."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array, Camera
from crevasse.check_known.numbers import LARGEST, Mask, Window, check_numbers
from crevasse.knowledge import Places, Ruler

MOST_ROWS = 1_000_000
"""Points and distances: more are a depth map."""
SAME = 1e-6
"""Relative difference up to which two depths of one pixel are the same."""


def check_points(points: Any, mask: Mask, window: Window, camera: Camera) -> Places | None:
    """Refuse points that do not fit the map."""
    if points is None:
        return None
    table = _table("points", points, (3, 4), "row, column, depth[, sigma]")
    rows, columns = _pixels("points", table[:, :2], mask)
    depth = table[:, 2]
    sigma = table[:, 3] if table.shape[1] == 4 else np.full(len(depth), np.nan)
    if not np.isfinite(depth).all() or (np.abs(depth) > LARGEST).any():
        raise ValueError(f"points has a depth that is not finite in row {_first(~(np.abs(depth) <= LARGEST))}")
    if table.shape[1] == 4 and not np.all(np.isfinite(sigma) & (sigma > 0)):
        raise ValueError(f"points has a sigma that is not positive in row {_first(~(sigma > 0))}")
    if camera.gauge == "scale" and (depth <= 0).any():
        raise ValueError(
            f"points has a depth that is not positive in row {_first(depth <= 0)}; depth grows from the camera"
        )
    pixels = _flat(rows, columns, window)
    _refuse_contradictions(pixels, depth, sigma, rows, columns)
    once = np.unique(pixels, return_index=True)[1]
    return Places(pixels[once], depth[once], sigma[once])


def _refuse_contradictions(
    pixels: NDArray[np.int64], depth: Array, sigma: Array, rows: NDArray[np.int64], columns: NDArray[np.int64]
) -> None:
    order = np.lexsort((depth, pixels))
    same = np.diff(pixels[order]) == 0
    spread = np.nan_to_num(6 * np.maximum(sigma[order][1:], sigma[order][:-1]))
    apart = np.diff(depth[order]) > np.maximum(SAME * np.abs(depth[order][1:]), spread)
    if (same & apart).any():
        first = order[int(np.argmax(same & apart))]
        second = order[int(np.argmax(same & apart)) + 1]
        raise ValueError(
            f"points contradict each other at row {rows[first]}, column {columns[first]}: depth {depth[first]:g} and"
            f" {depth[second]:g}; leave one out"
        )


def check_distances(distances: Any, mask: Mask, window: Window) -> Ruler | None:
    """Refuse distances that do not fit the map."""
    if distances is None:
        return None
    table = _table("distances", distances, (5,), "row, column, row, column, distance")
    ends = [_pixels("distances", table[:, 2 * end : 2 * end + 2], mask) for end in (0, 1)]
    length = table[:, 4]
    if not np.all(np.isfinite(length) & (length > 0) & (length <= LARGEST)):
        raise ValueError(f"distances has a distance that is not positive in row {_first(~(length > 0))}")
    same = (ends[0][0] == ends[1][0]) & (ends[0][1] == ends[1][1])
    if same.any():
        raise ValueError(f"distances has the same pixel at both ends in row {_first(same)}")
    first, second = (_flat(*end, window) for end in ends)
    return Ruler(first, second, np.array([np.stack(end, axis=1) for end in ends]), length)


def _table(name: str, values: Any, widths: tuple[int, ...], columns: str) -> Array:
    found = check_numbers(name, values)
    if found.ndim != 2 or found.shape[1] not in widths or not len(found):
        raise ValueError(f"{name} has shape {found.shape}; give a table with at least one row of {columns}")
    if len(found) > MOST_ROWS:
        raise ValueError(f"{name} has {len(found):,} rows; give at most {MOST_ROWS:,}, or a depth map as prior=")
    return found


def _pixels(name: str, places: Array, mask: Mask) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows and columns, rounded to pixels; refuses those without a surface."""
    strange = np.asarray(~np.isfinite(places).all(axis=1))
    if strange.any():
        raise ValueError(f"{name} has a row or column that is not finite in row {_first(strange)}")
    limit = np.array(mask.shape) - 0.5
    outside = np.asarray(((places < -0.5) | (places >= limit)).any(axis=1))
    rounded = np.rint(np.where(outside[:, None], 0, places)).astype(np.int64)
    rows, columns = np.minimum(rounded, np.array(mask.shape) - 1).T
    outside |= ~mask[rows, columns]
    if outside.any():
        at = places[int(np.argmax(outside))]
        raise ValueError(
            f"{name} has row {at[0]:g}, column {at[1]:g} (number {_first(outside)}), where there is no surface: the"
            f" map has {mask.shape[0]} rows and {mask.shape[1]} columns; give pixels inside the mask, counted from 0"
        )
    return rows, columns


def _flat(rows: NDArray[np.int64], columns: NDArray[np.int64], window: Window) -> NDArray[np.int64]:
    """Flat indices in the window."""
    width = window[1].stop - window[1].start
    return np.asarray((rows - window[0].start) * width + columns - window[1].start)


def _first(flags: NDArray[np.bool_]) -> int:
    """The number of the first row that is flagged, from 1."""
    return int(np.argmax(flags)) + 1
