"""Brush strokes on a map: what a user knows about its jumps, drawn into images."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

TOOLS = ("exclude", "force", "forbid")
BESIDE, OVERLAP = 1.6, 0.75
"""A forced cut marks pixels this far to each side of the line, and runs this far over the ends of its segments."""
MOST_STROKES = 2000
MOST_POINTS = 20000


@dataclass(frozen=True)
class Stroke:
    """A line through points (row, column), drawn with one of the `TOOLS`, `radius` pixels wide to each side.

    A forced jump lies along the line itself, whatever the radius.
    """

    tool: str
    radius: float
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, eq=False)
class Painting:
    """The effect of strokes on a map.

    Attributes
    ----------
    excluded : (H, W) array of bool, pixels that are taken out of the mask
    hints : (H, W) array of int8, as `integrate` takes them: 2 and 3 beside a line that is cut, -1 where a jump is
        forbidden
    strokes : what was painted, as JSON holds it
    """

    excluded: NDArray[np.bool_]
    hints: NDArray[np.int8]
    strokes: tuple[dict[str, Any], ...] = ()


def read_strokes(message: Any) -> tuple[Stroke, ...]:
    """Strokes as JSON holds them; refuses what the page would not write."""
    if not isinstance(message, list) or len(message) > MOST_STROKES:
        raise ValueError(f"strokes must be a list of at most {MOST_STROKES}")
    strokes = []
    for entry in message:
        if not isinstance(entry, dict):
            raise ValueError(f"a stroke is {entry!r:.40}; it must have a tool, a radius and points")
        tool, radius, points = entry.get("tool"), _number(entry.get("radius", 0)), entry.get("points", [])
        if tool not in TOOLS:
            raise ValueError(f"tool is {tool!r}; give one of {', '.join(TOOLS)}")
        if not 0 < radius <= 1000:
            raise ValueError(f"radius is {radius!r}; it must be above 0 and at most 1000")
        if not isinstance(points, list) or not 0 < len(points) <= MOST_POINTS:
            raise ValueError(f"a stroke must have a list of 1 to {MOST_POINTS} points")
        places = _places(points)
        if places is None:
            raise ValueError("the points of a stroke must be pairs of finite numbers (row, column)")
        strokes.append(Stroke(tool, radius, tuple((float(row), float(column)) for row, column in places)))
    return tuple(strokes)


def _number(value: Any) -> float:
    """A number, NaN where there is none."""
    return float(value) if isinstance(value, int | float) and abs(value) < 1e15 else float("nan")


def _places(points: list[Any]) -> NDArray[np.float64] | None:
    """Pairs of finite numbers as an (N, 2) array; None where they are something else."""
    try:
        places = np.asarray(points, float)
    except (ValueError, TypeError, OverflowError):
        return None
    fits = places.shape == (len(points), 2) and bool((np.abs(places) < 1e9).all())
    return places if fits else None


def paint(strokes: Sequence[Stroke], shape: tuple[int, int]) -> Painting:
    """Strokes drawn in their order: a later one paints over an earlier one."""
    excluded, hints = np.zeros(shape, bool), np.zeros(shape, np.int8)
    for stroke in strokes:
        for first, second in zip(stroke.points, stroke.points[1:] or stroke.points, strict=False):
            segment = _segment(first, second, BESIDE if stroke.tool == "force" else stroke.radius, shape)
            if stroke.tool == "exclude":
                excluded[segment.window] |= segment.under
            elif stroke.tool == "forbid":
                hints[segment.window][segment.under] = -1
            elif first != second:
                beside = segment.under & (segment.beyond <= OVERLAP)
                hints[segment.window][beside] = np.where(segment.side >= 0, 2, 3)[beside]
    return Painting(excluded, hints, tuple(map(asdict, strokes)))


class _Segment(NamedTuple):
    """A segment and the pixels of the window around it.

    For each pixel: whether it lies within a radius, on which side of the line, and how far beyond its ends.
    """

    window: tuple[slice, slice]
    under: NDArray[np.bool_]
    side: NDArray[np.float64]
    beyond: NDArray[np.float64]


def _segment(
    first: tuple[float, float], second: tuple[float, float], radius: float, shape: tuple[int, int]
) -> _Segment:
    low = [max(0, int(np.floor(min(a, b) - radius))) for a, b in zip(first, second, strict=True)]
    high = [min(side, int(np.ceil(max(a, b) + radius)) + 1) for a, b, side in zip(first, second, shape, strict=True)]
    window = (slice(low[0], max(low[0], high[0])), slice(low[1], max(low[1], high[1])))
    rows, columns = np.ogrid[window]
    down, right = second[0] - first[0], second[1] - first[1]
    length = float(np.hypot(down, right))
    if length == 0:
        nothing, distance = np.zeros((1, 1)), np.hypot(rows - first[0], columns - first[1])
        return _Segment(window, distance <= radius, nothing, nothing)
    along = ((rows - first[0]) * down + (columns - first[1]) * right) / length
    side = ((rows - first[0]) * right - (columns - first[1]) * down) / length
    beyond = np.maximum(np.maximum(-along, along - length), 0.0)
    return _Segment(window, np.square(side) + np.square(beyond) <= radius * radius, side, beyond)
