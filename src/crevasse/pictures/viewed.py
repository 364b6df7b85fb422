"""A surface as the viewer in a browser draws it: heights of shared corners, and which neighbours share them.

The viewer numbers the corners as `mesh.Welded` does: by rows of lattice points, columns, and the slots of a point.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crevasse.cameras import Array, corner_heights
from crevasse.lattice import jumps_across, row_blocks
from crevasse.mesh.meeting import leaders, share, slots_of
from crevasse.mesh.welded import SLOTS, join_pairs
from crevasse.pictures.sampling import Mask, Sampling
from crevasse.surface import Surface, cut_pairs

MOST = 2_000_000
"""Pixels up to which every pixel of a surface is drawn; larger surfaces are sampled."""
STEEPEST = 2.0
"""Largest height of a corner above or below its pixel's centre that is drawn, in pixels: a pixel at a contour may be
so steep that its corners would stand out as spikes."""
JUMP = 1.0
"""Gap between the corners of neighbours, in sampled pixels, from which an unfinished surface is drawn torn."""
INSIDE, JOINED_RIGHT, JOINED_DOWN = 1, 2, 4
"""Bits of a pixel's link byte."""
OUTSIDE = np.float32(-1e30)
"""Height that the viewer takes as "no surface here": a number, because shaders may treat NaN as they like."""
BLOCK = 1 << 16
"""Pixels per block of rows."""


@dataclass(frozen=True, eq=False)
class Viewed:
    """A sampled surface.

    Attributes
    ----------
    heights : (h, w) heights of pixels, in pixels of the whole map, NaN outside
    corners : (2h, 2w) drawn heights of their corners
    mask : (h, w) array of bool
    links : pairs of pixels that the surface joins, right (h, w-1) and down (h-1, w)
    """

    heights: Array
    corners: Array
    mask: Mask
    links: tuple[Mask, Mask]

    def enlarged(self, factor: float) -> Viewed:
        """The surface of a sampled map, in pixels of the whole one."""
        return replace(self, heights=factor * self.heights, corners=factor * self.corners)

    def arrays(self, level: float) -> dict[str, NDArray[Any]]:
        """What is sent to the viewer, heights relative to `level`."""
        return {
            "heights": surface_array(self.heights, level),
            "points": surface_array(self._points(), level),
            "links": self._link_bytes(),
        }

    def _points(self) -> Array:
        """Heights of the shared corners, (V,)."""
        height, width = self.mask.shape
        parts = []
        for rows in row_blocks((height + 1, width), BLOCK):
            leader = leaders(self.mask, self.links, rows.start, rows.stop)
            top, bottom = max(rows.start - 1, 0), min(rows.stop, height)
            padded = np.zeros((2 * (rows.stop - rows.start), 2 * (width + 1)))
            known = self.corners[2 * top : 2 * bottom]
            first = 2 * (top - rows.start) + 1
            inner = known[max(-first, 0) : len(padded) - first]
            padded[max(first, 0) : max(first, 0) + len(inner), 1:-1] = inner
            shared = share(slots_of(padded), leader)
            parts.append(np.moveaxis(shared, 0, -1)[np.moveaxis(leader == SLOTS, 0, -1)])
        return np.concatenate(parts)

    def _link_bytes(self) -> NDArray[np.uint8]:
        found = self.mask * np.uint8(INSIDE)
        found[:, :-1] |= self.links[0] * np.uint8(JOINED_RIGHT)
        found[:-1] |= self.links[1] * np.uint8(JOINED_DOWN)
        return found


def view(surface: Surface, sampling: Sampling, cuts: tuple[Mask, Mask] | None = None) -> Viewed:
    """A surface at the sampled pixels.

    Parameters
    ----------
    cuts : pairs of pixels that a jump separates; None takes those whose drawn corners do not meet
    """
    mask, heights = sampling.of(surface.mask), sampling.of(surface.heights)
    offsets = sampling.step * _offsets(surface, sampling, heights)
    base = heights.repeat(2, axis=0).repeat(2, axis=1)
    if cuts is None:
        sampled: tuple[Mask, Mask] = cut_pairs(mask, jumps_across(base + offsets), JUMP * sampling.step)
    else:
        sampled = sampling.cuts_of(cuts)
    reach = STEEPEST * sampling.step
    corners = base + np.clip(offsets, -reach, reach)
    inside = mask.repeat(2, axis=0).repeat(2, axis=1)
    return Viewed(np.where(mask, heights, np.nan), np.where(inside, corners, 0.0), mask, join_pairs(mask, sampled))


def _offsets(surface: Surface, sampling: Sampling, heights: Array) -> Array:
    """Heights of corners above their pixels in sampled pixels, (2h, 2w); sampled pixels extend their planes."""
    if surface.corners is None:
        right, down = (sampling.of(slope) for slope in surface.steepness)
        return corner_heights(sampling.camera(surface.camera).planes, right, down)
    offsets = np.empty((2 * heights.shape[0], 2 * heights.shape[1]))
    for row, column in product((0, 1), (0, 1)):
        offsets[row::2, column::2] = sampling.of(surface.corners[row::2, column::2]) - heights
    return offsets


def level_of(heights: Array, anchor: Array | None) -> float:
    """The height that is taken off before drawing, so that surfaces of the same map lie on each other.

    Parameters
    ----------
    heights : sampled heights, NaN outside
    anchor : sampled heights to lie on (the truth), NaN where unknown; None: 0
    """
    distance = heights if anchor is None else heights - anchor
    known = distance[np.isfinite(distance)]
    return float(np.median(known)) if known.size else 0.0


def surface_array(heights: Array, level: float) -> NDArray[np.float32]:
    """Sampled heights as the viewer draws them."""
    with np.errstate(invalid="ignore", over="ignore"):
        return np.where(np.isfinite(heights), np.clip(heights - level, -1e28, 1e28), OUTSIDE).astype(np.float32)


def octahedral(normals: ArrayLike) -> NDArray[np.int16]:
    """Normals (h, w, 3) folded from the octahedron onto a square (h, w, 2), to a hundredth of a degree."""
    vectors = np.nan_to_num(np.asarray(normals, float))
    total = np.abs(vectors).sum(axis=-1, keepdims=True)
    flat = np.divide(vectors, total, out=np.zeros_like(vectors), where=total > 0)
    folded = (1.0 - np.abs(flat[..., 1::-1])) * np.where(flat[..., :2] < 0, -1.0, 1.0)
    square = np.where(flat[..., 2:] < 0, folded, flat[..., :2])
    return np.asarray(np.rint(square * 32767), np.int16)
