"""Open jumps along a single edge inside the surface.

Both ends of such an edge are shared, so its two sides would be the same edge. Each side gets two vertices of its own
between the ends, and its pixel becomes a fan of quadrilaterals around its centre.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array
from crevasse.lattice import pairs
from crevasse.mesh.diagonals import least_stretch, second_is_better, turn
from crevasse.mesh.meeting import leaders
from crevasse.mesh.mesh import Index, VertexBlock, image_coordinates, to_camera_frame
from crevasse.mesh.welded import RING, Mask, Welded

CENTRE = 4
"""Place of a pixel's centre among its vertices: four corners, the centre, two on each side."""
WAY = np.array([[2, 1], [1, 2]]) / 3
"""Where the vertices of a side lie between its ends."""


class Fans(NamedTuple):
    """Pixels that become fans, with all vertices that each may have.

    Attributes
    ----------
    pixels : (H, W) array of bool
    open_sides : (K, 4) array of bool, sides from each corner of `RING` to the next
    points : (K, 13, 3) array of positions
    places : (K, 13, 2) array, rows and columns of the points
    normals : (K, 3) array, OpenGL frame
    numbers : (K, 13) array of vertex numbers, -1 where a vertex is not used
    """

    pixels: Mask
    open_sides: Mask
    points: Array
    places: Array
    normals: Array
    numbers: NDArray[np.int32]

    @property
    def used(self) -> Mask:
        """Which centres and vertices of sides are used, (K, 9)."""
        return np.column_stack([np.ones(len(self.open_sides), bool), self.open_sides.repeat(2, axis=1)])

    def quads(self) -> Iterator[tuple[Mask, Index]]:
        """Fans by the sides that are open: which they are, and their quadrilaterals (Q, 4) of places in 0..12."""
        for sides in np.unique(self.open_sides, axis=0):
            yield (self.open_sides == sides).all(axis=1), _fan(sides.tolist())

    def polygons(self) -> Iterator[tuple[Index, Array]]:
        """Vertex numbers (M, 4) and corners (M, 4, 3) of the quadrilaterals, cut from their first corner."""
        for chosen, quads in self.quads():
            corners = self.points[chosen][:, quads].reshape(-1, 4, 3)
            # Along the shorter diagonal, three points of a side could become a triangle.
            turned = second_is_better(corners)
            yield turn(self.numbers[chosen][:, quads].reshape(-1, 4), turned), turn(corners, turned)

    def stretch(self) -> Array:
        """Length over width of the slimmest triangle of each fan, (K,)."""
        found = np.zeros(len(self.points))
        for chosen, quads in self.quads():
            corners = self.points[chosen][:, quads]
            found[chosen] = least_stretch(corners.reshape(-1, 4, 3)).reshape(corners.shape[:2]).max(axis=1)
        return found


@dataclass(frozen=True, eq=False)
class Slit(Welded):
    """A welded mesh that is open at jumps along single edges, too."""

    @cached_property
    def plain(self) -> Mask:
        return self.mask & ~self.fans.pixels

    @cached_property
    def fans(self) -> Fans:
        """The pixels beside single edges, in order of rows."""
        sides = _open_sides(self.mask.shape, lone_pairs(self))
        pixels: Mask = np.asarray(sides.any(axis=-1))
        parts = [self._corners_of(pixels, first, last) for first, last in self.bands(len(pixels))]
        shared, own, numbers, normals = (np.concatenate(part) for part in zip(*parts, strict=True))
        rows, columns = np.nonzero(pixels)
        corners = np.array([[row - 0.5, column - 0.5] for row, column, _ in RING])
        corners = np.stack([rows, columns], axis=-1)[:, None] + corners
        places = np.concatenate([corners, *_between(corners)], axis=1)
        depth = np.concatenate([own[..., None], *_between(own[..., None])], axis=1)[..., 0]
        points = self.patches.camera.points(places[..., 0], places[..., 1], depth)
        points[:, :CENTRE] = shared
        fans = Fans(pixels, sides[pixels], points, places, normals, np.full((len(rows), 13), -1, np.int32))
        fans.numbers[:, :CENTRE] = numbers
        fans.numbers[:, CENTRE:][fans.used] = super().vertex_count + np.arange(np.count_nonzero(fans.used))
        return fans

    @property
    def vertex_count(self) -> int:
        return super().vertex_count + int(np.count_nonzero(self.fans.used))

    @property
    def face_count(self) -> int:
        return super().face_count + int((2 + self.fans.open_sides.sum(axis=1)).sum())

    def vertex_blocks(self) -> Iterator[VertexBlock]:
        """Shared corners, then those of fans."""
        yield from super().vertex_blocks()
        fans = self.fans
        which, _ = np.nonzero(fans.used)
        v, u = np.moveaxis(fans.places[:, CENTRE:][fans.used], -1, 0)
        points, normals = fans.points[:, CENTRE:][fans.used], to_camera_frame(fans.normals[which])
        yield VertexBlock(points, normals, image_coordinates(v, u, self.mask.shape))

    def face_blocks(self) -> Iterator[Index]:
        """Pixels, then fans."""
        yield from super().face_blocks()
        yield from (numbers for numbers, _ in self.fans.polygons())

    def polygon_blocks(self) -> Iterator[Array]:
        """Positions of the corners of both."""
        yield from super().polygon_blocks()
        yield from (corners for _, corners in self.fans.polygons())

    def _corners_of(self, pixels: Mask, first: int, last: int) -> tuple[Array, Array, Index, Array]:
        """Shared corners, own depths of corners, numbers of shared corners and normals of pixels in some rows."""
        some = pixels[first:last]
        if not some.any():
            return np.empty((0, 4, 3)), np.empty((0, 4)), np.empty((0, 4), np.int32), np.empty((0, 3))
        depth = self.patches.corner_rows(slice(first, last))
        own = np.stack([depth[row::2, column::2][some] for row, column, _ in RING], axis=-1)
        normals = self.patches.normal_rows(slice(first, last))[some]
        return self.corner_points(first, last)[some], own, self._numbers(first, last)[some], normals


def has_slits(mesh: Welded) -> bool:
    """Whether a jump along a single edge lies inside the surface."""
    return any(pair.any() for pair in lone_pairs(mesh))


def lone_pairs(mesh: Welded) -> tuple[Mask, Mask]:
    """Pairs of pixels, right and down, that a jump separates although both ends of their edge are shared."""
    height = len(mesh.mask)
    right, down = (inside & ~links for inside, links in zip(pairs(mesh.mask), mesh.links, strict=True))
    for first, last in mesh.bands(height + 1):
        leader = leaders(mesh.mask, mesh.links, first, last)
        stop, skip = min(last, height), max(1 - first, 0)
        right[first:stop] &= (leader[2] == leader[3])[: stop - first, 1:-1]
        right[first + skip - 1 : last - 1] &= (leader[0] == leader[1])[skip:, 1:-1]
        inner = leader[:, skip : stop - first]
        joined = (inner[1] == inner[3])[:, :-1] & (inner[0] == inner[2])[:, 1:]
        down[first + skip - 1 : stop - 1] &= joined
    return right, down


def _open_sides(shape: tuple[int, ...], lone: tuple[Mask, Mask]) -> Mask:
    """Sides (H, W, 4) of pixels at these pairs: left, bottom, right, top."""
    sides = np.zeros((*shape, 4), bool)
    sides[:, 1:, 0] = sides[:, :-1, 2] = lone[0]
    sides[:-1, :, 1] = sides[1:, :, 3] = lone[1]
    return sides


def _between(corners: Array) -> list[Array]:
    """The mean of values (K, 4, D) at the corners, and values at the two vertices of each side."""
    ahead = np.roll(corners, -1, axis=1)
    inner = WAY[:, :1] * corners[:, :, None] + WAY[:, 1:] * ahead[:, :, None]
    return [corners.mean(axis=1, keepdims=True), inner.reshape(len(corners), 8, -1)]


def _fan(sides: list[bool]) -> Index:
    """Quadrilaterals around the centre of a pixel with these sides open."""
    ring: list[int] = []
    for side in range(4):
        ring += [side, *compress((5 + 2 * side, 6 + 2 * side), (sides[side],) * 2)]
    ring.append(0)
    return np.array([[CENTRE, *ring[k : k + 3]] for k in range(0, len(ring) - 1, 2)])
