"""A finished surface, and what it was made with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crevasse.files.strokes import Painting
from crevasse.lattice import label_regions
from crevasse.pictures import Film
from crevasse.result import Integration
from crevasse.status import Status
from crevasse.web.notice_messages import Island
from crevasse.web.surface_messages import FinishedHeader, SurfaceHeader

MOST_ISLANDS = 24
"""Islands that the page lists."""


@dataclass(frozen=True, eq=False)
class FinishedRun:
    """A surface that the page may look at, compare and download."""

    result: Integration
    settings: dict[str, Any]
    painting: Painting
    stopped_at: int | None
    header: SurfaceHeader | FinishedHeader
    film: Film | None = None
    moves: tuple[tuple[int, float], ...] = ()
    """Islands that were moved, and by how many pixels in all."""


def guessed_islands(result: Integration, moves: dict[int, float] | None = None) -> tuple[Island, ...]:
    """The largest islands whose distance is a guess: all but the largest one of each region."""
    regions, _ = label_regions(result.mask)
    found: list[Island] = []
    settled: set[int] = set()
    sizes = np.bincount(result.islands.ravel())
    # Labels are sorted by size.
    for label, box in enumerate(_boxes(result.islands), 1):
        inside = result.islands[box] == label
        row, column = (int(where[len(where) // 2]) for where in np.nonzero(inside))
        region = int(regions[box][inside][0])
        if region in settled and len(found) < MOST_ISLANDS:
            place = box[0].start + row, box[1].start + column
            moved = (moves or {}).get(label, 0.0)
            found.append(Island(label=label, pixels=int(sizes[label]), row=place[0], column=place[1], moved=moved))
        settled.add(region)
    return tuple(found)


def _boxes(labels: NDArray[np.int32]) -> list[tuple[slice, slice]]:
    from scipy.ndimage import find_objects

    return [box for box in find_objects(labels) if box is not None]


def usable(result: Integration) -> Integration:
    """Refuse a result without a surface."""
    if result.status is Status.NOT_FINITE:
        raise ValueError(str(result.status))
    return result
