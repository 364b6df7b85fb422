"""Every n-th pixel of a window of a map, for drawing maps that are larger than what is drawn."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]
Viewer = TypeVar("Viewer", bound=Any)


@dataclass(frozen=True)
class Sampling:
    """Every `step`-th pixel of a window of a map, the middle one of each block.

    Attributes
    ----------
    shape : rows and columns of the window
    origin : its first row and column
    """

    shape: tuple[int, int]
    step: int
    origin: tuple[int, int] = (0, 0)

    @classmethod
    def within(cls, shape: tuple[int, int], side: int) -> Sampling:
        """The finest sampling whose longer side is at most `side`, and at least 1."""
        return cls(shape, max(1, -(-max(shape) // max(side, 1))))

    @classmethod
    def around(cls, mask: Mask, most: int) -> Sampling:
        """The finest sampling of the mask's window that has at most about `most` of its pixels."""
        rows, columns = (np.flatnonzero(mask.any(axis=axis)) for axis in (1, 0))
        if not len(rows):
            return cls((1, 1), 1)
        shape = (int(rows[-1] - rows[0]) + 1, int(columns[-1] - columns[0]) + 1)
        step = math.ceil(math.sqrt(np.count_nonzero(mask) / max(most, 1)))
        return cls(shape, max(1, step), (int(rows[0]), int(columns[0])))

    def of(self, image: NDArray[Any]) -> NDArray[Any]:
        """The sampled image; blocks that the border cuts are sampled at the border."""
        rows, columns = self.places
        return image[rows[:, None], columns]

    def cuts_of(self, cuts: tuple[Mask, Mask]) -> tuple[Mask, Mask]:
        """Cuts between sampled pixels: any cut on the way from one to the next."""
        rows, columns = self.places
        right = _any_between(cuts[0][rows], columns, axis=1)
        return right, _any_between(cuts[1][:, columns], rows, axis=0)

    def camera(self, camera: Viewer) -> Viewer:
        """The camera of the sampled map; its heights are `step` times smaller."""
        return cast(Viewer, camera.cropped(*self.origin).scaled(self.step, self.step // 2))

    @property
    def places(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Rows and columns of the sampled pixels in the whole map."""
        half = self.step // 2
        rows, columns = (
            start + np.minimum(np.arange(0, side, self.step) + half, side - 1)
            for start, side in zip(self.origin, self.shape, strict=True)
        )
        return rows, columns


def _any_between(cuts: Mask, places: NDArray[np.intp], axis: int) -> Mask:
    """Whether there is a cut between each place and the next along an axis."""
    if len(places) < 2:
        return cuts.take([], axis)
    inner = cuts.take(np.arange(places[0], places[-1]), axis)
    return np.logical_or.reduceat(inner, places[:-1] - places[0], axis=axis)
