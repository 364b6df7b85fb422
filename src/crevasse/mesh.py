"""Meshes built on the quadrilaterals, or with one vertex a pixel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array, Camera

Index = NDArray[np.int64]


@dataclass(frozen=True)
class Mesh:
    """Vertices in the camera frame (x right, y down, z forward); faces wind so that they face the viewer.

    Attributes
    ----------
    vertices : (N, 3) array
    faces : (M, 3) array of vertex numbers
    quads : (Q, 4) array of vertex numbers, empty where the mesh has triangles only; `faces` covers them too
    normals : (N, 3) array, a unit normal per vertex
    texture : (N, 2) array, where each vertex lies in the image: (u, v) with v upwards
    """

    vertices: Array
    faces: Index
    quads: Index
    normals: Array
    texture: Array


def quadrilateral_mesh(
    corners: Array, mask: NDArray[np.bool_], normals: Array, camera: Camera, torn: bool = True
) -> Mesh:
    """The mesh on the quadrilaterals: each pixel is a face with its own four corners.

    Parameters
    ----------
    corners : (2H, 2W) array of depths
    mask : (H, W) array of bool
    normals : (H, W, 3) array, OpenGL frame
    torn : False adds the faces that bridge neighbouring pixels across their auxiliary edges
    """
    number = _number(mask.repeat(2, axis=0).repeat(2, axis=1))
    rows, columns = np.nonzero(number >= 0)
    v, u = rows // 2 + rows % 2 - 0.5, columns // 2 + columns % 2 - 0.5
    vertices = camera.points(v, u, corners[rows, columns])
    shading = to_camera_frame(normals[rows // 2, columns // 2])
    quads = _faces(number[0::2, 0::2], number[1::2, 0::2], number[1::2, 1::2], number[0::2, 1::2])
    if not torn:
        quads = np.concatenate([quads, _bridges(number)])
    return Mesh(vertices, _triangles(quads), quads, shading, _texture(v, u, mask.shape))


def pixel_mesh(
    depth: Array,
    mask: NDArray[np.bool_],
    normals: Array,
    camera: Camera,
    cuts: tuple[NDArray[np.bool_], NDArray[np.bool_]] | None = None,
) -> Mesh:
    """The classic mesh with one vertex a pixel.

    Parameters
    ----------
    cuts : pairs of pixels, right (H, W-1) and down (H-1, W), that no face may connect
    """
    number = _number(mask)
    rows, columns = np.nonzero(number >= 0)
    vertices = camera.points(rows, columns, depth[rows, columns])
    corner = (number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:])
    if cuts is not None:
        right, down = cuts
        whole = ~(right[:-1] | right[1:] | down[:, :-1] | down[:, 1:])
        corner = (np.where(whole, corner[0], -1), *corner[1:])
    quads = _faces(*corner)
    shading = to_camera_frame(normals[rows, columns])
    return Mesh(vertices, _triangles(quads), quads, shading, _texture(rows, columns, mask.shape))


def to_camera_frame(normals: Array) -> Array:
    """Normals of the OpenGL frame in the frame of the points (y down, z forward)."""
    flipped: Array = normals * np.array([1.0, -1.0, -1.0])
    return flipped


def _number(mask: NDArray[np.bool_]) -> Index:
    number = np.full(mask.shape, -1, np.int64)
    number[mask] = np.arange(np.count_nonzero(mask))
    return number


def _faces(*corners: Index) -> Index:
    quads = np.stack(corners, axis=-1).reshape(-1, 4)
    return quads[(quads >= 0).all(axis=1)]


def _bridges(number: Index) -> Index:
    """Faces over auxiliary edges: between neighbours right and down, and where four pixels meet."""
    beside = _faces(number[0::2, 1:-1:2], number[1::2, 1:-1:2], number[1::2, 2::2], number[0::2, 2::2])
    below = _faces(number[1:-1:2, 0::2], number[2::2, 0::2], number[2::2, 1::2], number[1:-1:2, 1::2])
    meeting = _faces(number[1:-1:2, 1:-1:2], number[2::2, 1:-1:2], number[2::2, 2::2], number[1:-1:2, 2::2])
    return np.concatenate([beside, below, meeting])


def _triangles(quads: Index) -> Index:
    return quads[:, [0, 1, 2, 0, 2, 3]].reshape(-1, 3)


def _texture(v: NDArray[Any], u: NDArray[Any], shape: tuple[int, ...]) -> Array:
    return np.stack([(u + 0.5) / shape[1], 1.0 - (v + 0.5) / shape[0]], axis=-1)
