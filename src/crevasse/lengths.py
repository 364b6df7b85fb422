"""Units of a result, and what a known length says of its scale."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from crevasse.cameras import Array, Camera
from crevasse.cameras.checks import require_finite, require_positive, require_within
from crevasse.notices import Notice, Setting

FACTORS = (1e-18, 1e18)
"""From atoms in kilometres to galaxies in metres; beyond, points of perspective cameras overflow."""


def check_factor(factor: float) -> None:
    """Refuse a factor of lengths that is no number, or absurd."""
    require_positive("factor", factor)
    require_within("factor", factor, FACTORS, "the new length of what was 1 long")


def factor_of_distance(camera: Camera, depth: Array, distance: float) -> float:
    """The factor by which the median depth becomes `distance` (perspective only)."""
    if camera.gauge == "offset":
        found = "a distance does not fix the scale of an orthographic camera"
        raise ValueError(Notice(found, Setting("pixel_size"), cure="measure a length"))
    require_positive("distance", distance)
    return distance / float(np.nanmedian(depth))


def factor_of_ruler(camera: Camera, depth: Array, ruler: Sequence[float]) -> float:
    """The factor by which a known length is right; `ruler` as `Integration.measured` takes it."""
    if len(ruler) != 5:
        raise ValueError(f"ruler has {len(ruler)} numbers; give row, column, row, column and the length")
    for number in ruler:
        require_finite("a number of ruler", number)
    require_positive("the length of ruler", ruler[4])
    height, width = depth.shape
    for row, column in (ruler[0:2], ruler[2:4]):
        if not (0 <= row < height and 0 <= column < width and np.isfinite(depth[int(row), int(column)])):
            raise ValueError(f"ruler ends at row {row:g}, column {column:g}, where there is no surface")
    rows, columns = np.array(ruler[0:4:2], int), np.array(ruler[1:4:2], int)
    first, second = camera.points(rows, columns, depth[rows, columns])
    length = float(np.sqrt(np.square(second - first).sum()))
    if length == 0:
        raise ValueError("ruler begins and ends at the same point; give two pixels")
    return float(ruler[4]) / length


def describe_unit(camera: Camera, gauge_known: bool, footprint: float) -> str:
    """The unit of a depth that has no name, in words."""
    if gauge_known:
        return "the unit of what was given"
    if camera.gauge == "scale":
        return "no unit (known up to scale)"
    return "px" if footprint == 1.0 else "units of pixel_size"
