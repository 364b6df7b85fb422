"""A closed solid for 3D printing: the bridged surface, walls around it, a flat base behind it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Camera
from crevasse.mesh.mesh import Mesh

Array = NDArray[np.float64]
Index = NDArray[np.int64]
BASE = 0.05
"""Thickness of the base at its thinnest, as a share of the surface's larger side."""
BLOCK = 1 << 16
"""Pairs of vertices that are compared at a time."""


def solid_mesh(corners: Array, mask: NDArray[np.bool_], camera: Camera, base: float = BASE) -> Mesh:
    """A watertight mesh: neighbouring pixels share their corners, jumps become steep faces.

    Parameters
    ----------
    corners : (2H, 2W) array of depths, NaN outside
    base : thickness under the farthest point, as a share of the larger side of the surface

    Raises
    ------
    ValueError
        Where the depths differ so much that neighbouring points coincide in the 32-bit numbers of mesh files.
    """
    depth = share_corners(corners)
    filled = fill_diagonals(mask)
    depth = _complete(depth, filled)
    number = np.full(depth.shape, -1, np.int64)
    used = _touched(filled)
    number[used] = np.arange(np.count_nonzero(used))
    rows, columns = np.nonzero(used)
    front = camera.points(rows - 0.5, columns - 0.5, depth[rows, columns])
    back = _base_plate(front, camera, base)
    quads = np.stack([number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]], axis=-1)[filled]
    edges = boundary_edges(quads)
    count = len(front)
    walls = np.column_stack([edges[:, 1], edges[:, 0], edges[:, 0] + count, edges[:, 1] + count])
    quads = np.concatenate([quads, quads[:, ::-1] + count, walls])
    vertices = np.concatenate([front, back])
    _require_distinct(vertices, quads)
    texture = np.stack([columns / mask.shape[1], 1.0 - rows / mask.shape[0]], axis=-1)
    return Mesh(
        vertices,
        quads[:, [0, 1, 2, 0, 2, 3]].reshape(-1, 3),
        quads,
        np.repeat([[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]], count, axis=0),
        np.concatenate([texture, texture]),
    )


def share_corners(corners: Array) -> Array:
    """(H+1, W+1) depths at shared corners: the mean over the pixels that meet there, NaN where none does."""
    height, width = corners.shape[0] // 2, corners.shape[1] // 2
    total, count = np.zeros((height + 1, width + 1)), np.zeros((height + 1, width + 1))
    for row in (0, 1):
        for column in (0, 1):
            values = corners[row::2, column::2]
            known = np.isfinite(values)
            place = np.s_[row : row + height, column : column + width]
            total[place] += np.where(known, values, 0.0)
            count[place] += known
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def fill_diagonals(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The mask with pixels added until no two pixels touch only at a corner, where a solid would fall apart."""
    filled = mask.copy()
    while True:
        a, b, c, d = filled[:-1, :-1], filled[:-1, 1:], filled[1:, :-1], filled[1:, 1:]
        falling, rising = a & d & ~b & ~c, b & c & ~a & ~d
        if not (falling.any() or rising.any()):
            return filled
        filled[:-1, 1:] |= falling
        filled[:-1, :-1] |= rising


def boundary_edges(quads: Index) -> Index:
    """Directed edges (E, 2) that belong to only one face: the border."""
    edges = np.stack([quads, np.roll(quads, -1, axis=1)], axis=-1).reshape(-1, 2)
    span = int(edges.max(initial=0)) + 1
    forward, backward = edges[:, 0] * span + edges[:, 1], edges[:, 1] * span + edges[:, 0]
    return edges[~np.isin(forward, backward)]


def _touched(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(H+1, W+1): the corners of the mask's pixels."""
    padded = np.pad(mask, 1)
    return padded[:-1, :-1] | padded[1:, :-1] | padded[:-1, 1:] | padded[1:, 1:]


def _complete(depth: Array, filled: NDArray[np.bool_]) -> Array:
    """Depths for the corners of added pixels that no pixel had: the mean of the known corners around them."""
    wanted = _touched(filled) & ~np.isfinite(depth)
    while wanted.any():
        padded = np.pad(depth, 1, constant_values=np.nan)
        around = np.stack([padded[1:-1, :-2], padded[1:-1, 2:], padded[:-2, 1:-1], padded[2:, 1:-1]])
        known = np.isfinite(around)
        mean = np.where(known, around, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
        ready = wanted & known.any(axis=0)
        depth = np.where(ready, mean, depth)
        wanted &= ~ready
    return depth


def _base_plate(front: Array, camera: Camera, base: float) -> Array:
    """The vertices of the base: behind the front ones, along their rays, in one plane."""
    extent = float(np.ptp(front[:, :2], axis=0).max())
    plate = float(front[:, 2].max()) + base * extent
    back = front.copy()
    if camera.curvature > 0:
        back *= (plate / front[:, 2])[:, None]
    back[:, 2] = plate
    return back


def _require_distinct(vertices: Array, quads: Index) -> None:
    """Refuse a solid with edges too short, relative to its size, for the 32-bit numbers of mesh files."""
    finest = float(np.ptp(vertices, axis=0).max()) * np.finfo(np.float32).eps
    count = len(vertices) // 2
    pairs = [(quads[:, k], quads[:, (k + 1) % 4]) for k in range(4)]
    pairs.append((np.arange(count), np.arange(count, 2 * count)))
    if any(_closest(vertices, first, second) < finest for first, second in pairs):
        near, far = vertices[:count, 2].min(), vertices[:count, 2].max()
        raise ValueError(
            f"the depth reaches from {near:.3g} to {far:.3g}, too far for a closed solid: neighbouring points "
            "coincide in the 32-bit numbers of mesh files; check the focal length, or write an open mesh"
        )


def _closest(vertices: Array, first: Index, second: Index) -> float:
    """The smallest distance, along its longest axis, between pairs of vertices; in blocks, to save memory."""
    starts = range(0, len(first), BLOCK)
    apart = (vertices[first[k : k + BLOCK]] - vertices[second[k : k + BLOCK]] for k in starts)
    return min((float(np.abs(each).max(axis=1).min()) for each in apart), default=np.inf)
