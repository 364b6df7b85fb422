"""Physical evidence for a map's frame: curl of the gradient field, normals that face the viewer."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Orthographic, Perspective
from crevasse.files.frames import Frame
from crevasse.mesh import to_camera_frame

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
Viewer = Orthographic | Perspective

LARGEST_SIDE = 320
SCALES = (1, 2, 4)
"""In which the curl is measured, each twice the one before."""
TILE = 12
STEEPEST = 2.0
"""Slopes above this are left out: near silhouettes differences say little."""
EDGE_PIXELS = 20_000
"""Number of pixels of the edge, or of the whole map, that are sampled."""
GRAZING = 0.03
"""Cosine by which a noisy normal at a silhouette may face away from the viewer."""
CREASE = 0.5
"""Blocks whose derivatives differ from their neighbours' by more than this share are creases or noise."""


def flips(facing: int) -> list[Frame]:
    """The eight ways to flip and swap x and y, with z as it is (1) or negated (-1)."""
    orders = [(*order, 2) for order in permutations((0, 1))]
    return [
        Frame(order, (*signs, facing))  # type: ignore[arg-type]
        for order, signs in product(orders, product((1, -1), repeat=2))
    ]


@dataclass(frozen=True)
class Curl:
    """How far each of the eight flips is from curl-free, at one scale.

    Attributes
    ----------
    tiles : (8, T) array, sums of the curl's size over tiles
    rise : (T,) array, sums of the size of all derivatives over the same tiles
    smooth : share of the blocks that bend smoothly
    """

    tiles: Array
    rise: Array
    smooth: float


def measure_facing(vectors: Array, mask: Mask, camera: Viewer, frames: list[Frame]) -> Array:
    """Share of the normals that face the viewer along the camera's rays, by frame."""
    rows, columns = np.nonzero(mask)
    step = len(rows) // EDGE_PIXELS + 1
    rows, columns = rows[::step], columns[::step]
    rays, normals = rays_at(camera, rows, columns), vectors[rows, columns]
    return np.array(
        [np.mean((to_camera_frame(frame.apply(normals)) * rays).sum(axis=-1) < GRAZING) for frame in frames]
    )


def rays_at(camera: Viewer, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> Array:
    """Unit vectors from the viewer through pixels, in the frame of points."""
    rays = camera.points(rows, columns, np.full(len(rows), 2.0)) - camera.points(rows, columns, np.ones(len(rows)))
    return np.asarray(rays / np.sqrt(np.square(rays).sum(axis=-1, keepdims=True)))


def measure_curl(vectors: Array, mask: Mask, camera: Viewer, frames: list[Frame]) -> list[Curl]:
    """Curl under each frame, at each scale that leaves enough pixels."""
    found = []
    size = max(1, -(-max(mask.shape) // LARGEST_SIDE))
    means, inside = average_cells(vectors, mask, size)
    for scale in SCALES:
        if scale > 1:
            means, inside = average_cells(means, inside, 2)
        lengths = np.sqrt(np.square(means).sum(axis=-1, keepdims=True))
        usable = inside & (lengths[..., 0] > 0)
        if np.count_nonzero(usable) < 64:
            break
        viewer = camera.scaled(scale * size)
        found.append(_curl(means / np.where(lengths > 0, lengths, 1.0), usable, viewer, frames))
    return found


def _curl(vectors: Array, mask: Mask, camera: Viewer, frames: list[Frame]) -> Curl:
    plain = Orthographic()
    derivatives, steep = _derivatives(frames[0].apply(vectors), mask, plain)
    usable = _whole_blocks(mask) & (steep < STEEPEST) & _coherent(derivatives, _whole_blocks(mask))
    size = np.sqrt(np.square(derivatives).sum(axis=0))
    sums = []
    for frame in frames:
        (down_p, right_q, _, _), _ = _derivatives(frame.apply(vectors), mask, camera)
        sums.append(_tile_sums(np.abs(down_p - right_q), usable))
    rise = _tile_sums(size, usable)
    lively = rise > 0
    smooth = int(np.count_nonzero(usable)) / max(int(np.count_nonzero(_whole_blocks(mask))), 1)
    return Curl(np.array(sums)[:, lively], rise[lively], smooth)


def _derivatives(normals: Array, mask: Mask, camera: Viewer) -> tuple[Array, Array]:
    """Slopes' derivatives (4, H-1, W-1) over blocks of four pixels, and the steepest slope of each block."""
    slopes = camera.slopes(normals, mask)
    cosine = np.maximum(slopes.cosine, 0.1)
    p, q = slopes.across / cosine, slopes.along / cosine
    values = np.stack([_down(p), _right(q), _right(p), _down(q)])
    steep = np.maximum(np.abs(p), np.abs(q))
    corners = steep[:-1, :-1], steep[1:, :-1], steep[:-1, 1:], steep[1:, 1:]
    return values, np.maximum.reduce(corners)


def _down(field: Array) -> Array:
    return (field[1:, :-1] + field[1:, 1:] - field[:-1, :-1] - field[:-1, 1:]) / 2


def _right(field: Array) -> Array:
    return (field[:-1, 1:] + field[1:, 1:] - field[:-1, :-1] - field[1:, :-1]) / 2


def _whole_blocks(mask: Mask) -> Mask:
    return mask[:-1, :-1] & mask[1:, :-1] & mask[:-1, 1:] & mask[1:, 1:]


def _coherent(derivatives: Array, blocks: Mask) -> Mask:
    """Blocks whose derivatives agree with their four neighbours': smooth surface, neither crease nor noise."""
    total, count = np.zeros_like(derivatives), np.zeros(blocks.shape)
    for axis, step in product((0, 1), (1, -1)):
        moved = np.roll(blocks, step, axis=axis)
        edge = [slice(None), slice(None)]
        edge[axis] = slice(0, 1) if step == 1 else slice(-1, None)
        moved[tuple(edge)] = False
        total += np.roll(derivatives, step, axis=axis + 1) * moved
        count += moved
    mean = total / np.maximum(count, 1)
    off = np.sqrt(np.square(derivatives - mean).sum(axis=0))
    return np.asarray((count >= 3) & (off < CREASE * np.sqrt(np.square(mean).sum(axis=0))))


def _tile_sums(values: Array, usable: Mask) -> Array:
    rows, columns = np.nonzero(usable)
    wide = usable.shape[1] // TILE + 1
    tile = rows // TILE * wide + columns // TILE
    sums = np.bincount(tile, values[rows, columns], minlength=(usable.shape[0] // TILE + 1) * wide)
    return np.asarray(sums, np.float64)


def average_cells(vectors: Array, mask: Mask, size: int) -> tuple[Array, Mask]:
    """Means over size x size cells, and which of them lie in the mask as a whole."""
    if size == 1:
        return vectors, mask
    rows, columns = mask.shape[0] // size, mask.shape[1] // size
    inside = mask[: rows * size, : columns * size].reshape(rows, size, columns, size).all(axis=(1, 3))
    # Add up whole rows first: sums over contiguous memory are fast, sums over three numbers are slow.
    tall = vectors[: rows * size, : columns * size].reshape(rows, size, columns * size * 3).mean(axis=1)
    return tall.reshape(rows, columns, size, 3).mean(axis=2), np.asarray(inside)
