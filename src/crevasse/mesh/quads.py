"""The paper's mesh: each pixel is a quadrilateral with its own four corners."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array, Camera
from crevasse.mesh.mesh import (
    Index,
    Mesh,
    image_coordinates,
    number_pixels,
    quads_between,
    split_quads,
    to_camera_frame,
)
from crevasse.mesh.welded import Patches, Welded


def separate_quads(patches: Patches) -> Welded:
    """The mesh of separate quadrilaterals; no two share a corner."""
    height, width = patches.mask.shape
    links = np.zeros((height, width - 1), bool), np.zeros((height - 1, width), bool)
    return Welded(patches, patches.mask, links)


def bridged_quads(corners: Array, mask: NDArray[np.bool_], normals: Array, camera: Camera) -> Mesh:
    """The mesh of quadrilaterals, with faces that bridge neighbouring pixels across their auxiliary edges.

    Parameters
    ----------
    corners : (2H, 2W) array of depths
    normals : (H, W, 3) array, OpenGL frame
    """
    number = number_pixels(mask.repeat(2, axis=0).repeat(2, axis=1))
    rows, columns = np.nonzero(number >= 0)
    v, u = rows // 2 + rows % 2 - 0.5, columns // 2 + columns % 2 - 0.5
    vertices = camera.points(v, u, corners[rows, columns])
    shading = to_camera_frame(normals[rows // 2, columns // 2])
    own = quads_between(number[0::2, 0::2], number[1::2, 0::2], number[1::2, 1::2], number[0::2, 1::2])
    quads = np.concatenate([own, _bridges(number)])
    return Mesh(vertices, split_quads(quads), quads, shading, image_coordinates(v, u, mask.shape))


def _bridges(number: Index) -> Index:
    """Faces over auxiliary edges: between neighbours right and down, and where four pixels meet."""
    beside = quads_between(number[0::2, 1:-1:2], number[1::2, 1:-1:2], number[1::2, 2::2], number[0::2, 2::2])
    below = quads_between(number[1:-1:2, 0::2], number[2::2, 0::2], number[2::2, 1::2], number[1:-1:2, 1::2])
    meeting = quads_between(number[1:-1:2, 1:-1:2], number[2::2, 1:-1:2], number[2::2, 2::2], number[1:-1:2, 2::2])
    return np.concatenate([beside, below, meeting])
