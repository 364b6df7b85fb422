"""One surface: neighbouring pixels share their corners, except where a jump separates them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array, Camera
from crevasse.lattice import label_islands, pairs
from crevasse.mesh.diagonals import second_is_shorter, turn
from crevasse.mesh.meeting import NONE, Slots, leaders, share, slots_of
from crevasse.mesh.mesh import Index, Mesh, VertexBlock, image_coordinates, split_quads, to_camera_frame

Mask = NDArray[np.bool_]
SLOTS = np.arange(4, dtype=np.uint8)[:, None, None]
BLOCK = 1 << 16
"""Pixels per block."""
RING = ((0, 0, 3), (1, 0, 1), (1, 1, 0), (0, 1, 2))
"""Corners of a pixel, anticlockwise as seen by the viewer: row and column of the point, and the pixel's slot."""


class Patches(Protocol):
    """A surface that yields the corners and normals of its pixels in blocks of rows."""

    @property
    def mask(self) -> Mask: ...

    @property
    def camera(self) -> Camera: ...

    def corner_rows(self, rows: slice) -> Array:
        """(2h, 2W) depths of corners."""
        ...

    def normal_rows(self, rows: slice) -> Array:
        """(h, W, 3) unit normals, OpenGL frame."""
        ...


def join_pairs(mask: Mask, cuts: tuple[Mask, Mask] | None) -> tuple[Mask, Mask]:
    """Pairs of neighbours, right and down, that the surface joins: all but those that are cut."""
    right, down = pairs(mask)
    return (right, down) if cuts is None else (right & ~cuts[0], down & ~cuts[1])


@dataclass(frozen=True, eq=False)
class Welded:
    """A mesh with shared corners, made row by row.

    Attributes
    ----------
    patches : the surface
    mask : (H, W) array of bool, the pixels that become faces
    links : pairs of pixels that share corners, right (H, W-1) and down (H-1, W)
    trimmed : pixels of the surface that were left out
    """

    patches: Patches
    mask: Mask
    links: tuple[Mask, Mask]
    trimmed: int = 0
    face_corners: int = 4

    @cached_property
    def _starts(self) -> NDArray[np.int64]:
        """Number of the first vertex of each row of lattice points, and their total."""
        counts = np.zeros(self.mask.shape[0] + 2, np.int64)
        for first, last in self.bands(self.mask.shape[0] + 1):
            leader = leaders(self.mask, self.links, first, last)
            counts[first + 1 : last + 1] = np.count_nonzero(leader == SLOTS, axis=(0, 2))
        return np.cumsum(counts)

    @property
    def vertex_count(self) -> int:
        return int(self._starts[-1])

    @property
    def plain(self) -> Mask:
        """Pixels that are one face each."""
        return self.mask

    @property
    def face_count(self) -> int:
        return int(np.count_nonzero(self.plain))

    @property
    def components(self) -> int:
        """Number of connected parts."""
        return int(label_islands(self.mask, (~self.links[0], ~self.links[1])).max(initial=0))

    def vertex_blocks(self) -> Iterator[VertexBlock]:
        """The vertices by rows of lattice points."""
        for first, last in self.bands(self.mask.shape[0] + 1):
            leader, depth = self._points(first, last)
            rows, columns, slots = np.nonzero(np.moveaxis(leader == SLOTS, 0, -1))
            v, u = rows + first - 0.5, columns - 0.5
            normals = self._shading(first, last)[slots, rows, columns]
            vertices = self.patches.camera.points(v, u, depth[slots, rows, columns])
            yield VertexBlock(vertices, to_camera_frame(normals), image_coordinates(v, u, self.mask.shape))

    def face_blocks(self) -> Iterator[Index]:
        """The quadrilaterals by rows of pixels; the shorter diagonal of each begins at its first corner."""
        for first, last in self.bands(self.mask.shape[0]):
            quads = self._numbers(first, last)[self.plain[first:last]]
            yield turn(quads, second_is_shorter(self.corner_points(first, last)[self.plain[first:last]]))

    def polygon_blocks(self) -> Iterator[Array]:
        """Positions of the quadrilaterals' corners."""
        for first, last in self.bands(self.mask.shape[0]):
            corners = self.corner_points(first, last)[self.plain[first:last]]
            yield turn(corners, second_is_shorter(corners))

    def to_mesh(self) -> Mesh:
        """The whole mesh in memory."""
        blocks = list(self.vertex_blocks())
        quads = np.concatenate([np.empty((0, 4), np.int32), *self.face_blocks()])
        vertices, normals, texture = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
        return Mesh(vertices, split_quads(quads), quads, normals, texture, self.trimmed)

    def corner_points(self, first: int, last: int) -> Array:
        """Positions (h, W, 4, 3) of the shared corners of rows of pixels."""
        _, depth = self._points(first, last + 1)
        height, width = last - first, self.mask.shape[1]
        rows, columns = np.arange(first, last)[:, None] - 0.5, np.arange(width) - 0.5
        points = np.empty((height, width, 4, 3))
        for k, (row, column, slot) in enumerate(RING):
            shared = depth[slot, row : row + height, column : column + width]
            points[..., k, :] = self.patches.camera.points(rows + row, columns + column, shared)
        return points

    def _numbers(self, first: int, last: int) -> NDArray[np.int32]:
        """Vertex numbers (h, W, 4) of the corners of rows of pixels."""
        leader = leaders(self.mask, self.links, first, last + 1)
        own = np.moveaxis(leader == SLOTS, 0, -1)
        number = np.full((*own.shape[:2], NONE + 1), -1, np.int32)
        number[..., :4][own] = self._starts[first] + np.arange(np.count_nonzero(own))
        by_slot = np.take_along_axis(np.moveaxis(number, -1, 0), leader.astype(np.intp), axis=0)
        height, width = last - first, self.mask.shape[1]
        return np.stack([by_slot[slot, r : r + height, c : c + width] for r, c, slot in RING], axis=-1)

    def _points(self, first: int, last: int) -> tuple[Slots, Array]:
        """Leaders and shared depths (4, L, W + 1) of rows of lattice points."""
        leader = leaders(self.mask, self.links, first, last)
        top, bottom = max(first - 1, 0), min(last, self.mask.shape[0])
        padded = np.zeros((2 * (last - first), 2 * (self.mask.shape[1] + 1)))
        known = self.patches.corner_rows(slice(top, bottom))
        at = 2 * (top - first) + 1
        inside = known[max(-at, 0) : len(padded) - at]
        padded[max(at, 0) : max(at, 0) + len(inside), 1:-1] = inside
        return leader, share(slots_of(padded), leader)

    def _shading(self, first: int, last: int) -> Array:
        """Unit normals (4, L, W + 1, 3) that, averaged over the corners of a pixel, come close to its own.

        The mean over the pixels of a corner blurs the map; one step of Van Cittert's deconvolution undoes most of it.
        """
        top, bottom = max(first - 1, 0), min(last + 1, self.mask.shape[0] + 1)
        leader = leaders(self.mask, self.links, top, bottom)
        own = np.zeros((bottom - top + 1, self.mask.shape[1] + 2, 3))
        rows = slice(max(top - 1, 0), min(bottom, self.mask.shape[0]))
        own[rows.start - top + 1 : rows.stop - top + 1, 1:-1] = self.patches.normal_rows(rows)
        blurred = _unit(share(_around(own), leader))
        height, width = bottom - top - 1, self.mask.shape[1]
        mean = sum(blurred[slot, r : r + height, c : c + width] for r, c, slot in RING)
        missing = np.zeros_like(own)
        missing[1:-1, 1:-1] = own[1:-1, 1:-1] - np.asarray(mean) / 4
        sharp = _unit(blurred + share(_around(missing), leader))
        return sharp[:, first - top : last - top]

    def bands(self, count: int) -> Iterator[tuple[int, int]]:
        """First and last row of each block."""
        step = max(BLOCK // self.mask.shape[1], 1)
        return ((first, min(first + step, count)) for first in range(0, count, step))


def _around(pixels: Array) -> Array:
    """Values (4, L, W + 1, 3) of the pixels around the points of a padded image (L + 1, W + 2, 3)."""
    return np.stack([pixels[:-1, :-1], pixels[:-1, 1:], pixels[1:, :-1], pixels[1:, 1:]])


def _unit(vectors: Array) -> Array:
    lengths = np.sqrt(np.einsum("...k,...k", vectors, vectors))[..., None]
    return vectors / np.where(lengths > 0, lengths, 1.0)
