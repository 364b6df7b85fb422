"""Heights with their slopes, and what follows from them: depth, corners, jumps, cuts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array, Camera, corner_heights
from crevasse.lattice import jumps_across, pairs, row_blocks

BLOCK = 1 << 16
"""Pixels per block of rows."""
DEEPEST = 1e200
"""Depth beyond which points of a mesh, and lengths in it, overflow."""


class Jumps(NamedTuple):
    """Depth differences across auxiliary edges, in depth units, NaN where there is no edge.

    Positive where the depth grows to the right or downwards: there the left or upper pixel is in front.
    """

    right: Array
    """(2H, W-1): between corner columns 2j+1 and 2j+2."""
    down: Array
    """(H-1, 2W): between corner rows 2i+1 and 2i+2."""

    def __repr__(self) -> str:
        right, down = (f"{part.shape[0]} x {part.shape[1]}" for part in self)
        return f"Jumps(right {right}, down {down})"


class Cuts(NamedTuple):
    """Pairs of neighbouring pixels that a jump separates."""

    right: NDArray[np.bool_]
    """(H, W-1)"""
    down: NDArray[np.bool_]
    """(H-1, W)"""


@dataclass(frozen=True, eq=False)
class Surface:
    """Heights in pixel units with slopes and camera, from which results are made.

    `corners` is None where a pixel's corners lie on the exact plane of its normal.
    """

    heights: Array
    mask: NDArray[np.bool_]
    steepness: tuple[NDArray[np.float32], NDArray[np.float32]]
    camera: Camera
    corners: Array | None = None

    @cached_property
    def depth(self) -> Array:
        # The status of the run reports an overflow.
        with np.errstate(over="ignore", invalid="ignore"):
            return np.where(self.mask, self.camera.to_depth(np.where(self.mask, self.heights, 0.0)), np.nan)

    @cached_property
    def corner_depth(self) -> Array:
        """(2H, 2W), NaN outside."""
        return self.corner_rows(slice(0, len(self.mask)))

    def corner_rows(self, rows: slice) -> Array:
        """Depths (2h, 2W) of the corners of some rows of pixels, NaN outside."""
        mask = self.mask[rows]
        if self.corners is not None:
            corners = self.corners[2 * rows.start : 2 * rows.stop]
        else:
            right, down = (slope[rows] for slope in self.steepness)
            corners = corner_heights(self.camera.cropped(rows.start, 0).planes, right, down)
            corners += self.heights[rows].repeat(2, axis=0).repeat(2, axis=1)
        inside = mask.repeat(2, axis=0).repeat(2, axis=1)
        with np.errstate(over="ignore", invalid="ignore"):
            return np.where(inside, self.camera.to_depth(np.where(inside, corners, 0.0)), np.nan)

    @property
    def finite(self) -> bool:
        """Whether every pixel and corner has a finite depth.

        Depth grows with height, so checking the extremes suffices; NaN propagates. The corners are
        bounded by the steepest pixel.
        """
        with np.errstate(all="ignore"):
            low, high = float(self.heights.min()), float(self.heights.max())
            steepest = sum(float(np.abs(slope).max()) for slope in self.steepness) / 2
            if self.corners is None:
                ways = np.array([-steepest, steepest])
                reach = self.camera.planes.at(ways, np.zeros(2), 0.0, 1.0)
                ends = np.array([low, high, low + reach[0], high + reach[1]])
            else:
                ends = np.array([low, high, self.corners.min(), self.corners.max(), steepest])
            depth = self.camera.to_depth(ends)
            return bool(np.isfinite(self.camera.to_heights(depth)).all() and np.abs(depth).max() < DEEPEST)

    @cached_property
    def jumps(self) -> Jumps:
        height, width = self.mask.shape
        jumps = Jumps(np.empty((2 * height, width - 1)), np.empty((height - 1, 2 * width)))
        # By rows, for all corners together take as much memory as the jumps.
        for rows in row_blocks(self.mask.shape, BLOCK):
            right, down = jumps_across(self.corner_rows(slice(rows.start, min(rows.stop + 1, height))))
            jumps.right[2 * rows.start : 2 * rows.stop] = right[: 2 * (rows.stop - rows.start)]
            jumps.down[rows.start : rows.stop] = down
        return jumps

    def scaled(self, factor: float) -> Surface:
        """The surface with every length multiplied by `factor`."""
        if self.camera.gauge == "offset":
            return replace(self, camera=self.camera.scaled(factor))
        shift = self.camera.to_heights(np.array(factor)) - self.camera.to_heights(np.array(1.0))
        corners = None if self.corners is None else self.corners + shift
        return replace(self, heights=self.heights + shift, corners=corners)

    def shifted(self, heights: Array) -> Surface:
        """The surface with each pixel moved along its ray by so many pixels, away from the viewer."""
        corners = None if self.corners is None else self.corners + heights.repeat(2, axis=0).repeat(2, axis=1)
        return replace(self, heights=self.heights + heights, corners=corners)

    @property
    def normals(self) -> Array:
        """Unit normals (H, W, 3) as the slopes have them, OpenGL frame, 0 outside."""
        return self.normal_rows(slice(0, len(self.mask)))

    def normal_rows(self, rows: slice) -> Array:
        """Unit normals (h, W, 3) of some rows, OpenGL frame, 0 outside."""
        right, down = (slope[rows] for slope in self.steepness)
        return self.camera.cropped(rows.start, 0).normals(right, down) * self.mask[rows][..., None]


def cut_pairs(mask: NDArray[np.bool_], jumps: tuple[Array, Array], threshold: float) -> Cuts:
    """Pairs whose two auxiliary edges both jump by more than `threshold`, in the same direction.

    Parameters
    ----------
    jumps : differences across auxiliary edges, right (2H, W-1) and down (H-1, 2W)
    """
    inside = pairs(mask)
    right, down = jumps
    first = np.where(inside[0][..., None], np.stack([right[0::2], right[1::2]], axis=-1), 0.0)
    second = np.where(inside[1][..., None], np.stack([down[:, 0::2], down[:, 1::2]], axis=-1), 0.0)
    return Cuts(*((np.min(np.abs(e), axis=-1) > threshold) & (np.prod(e, axis=-1) > 0) for e in (first, second)))
