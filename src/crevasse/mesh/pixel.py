"""The classic mesh with one vertex per pixel."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array, Camera
from crevasse.mesh.mesh import (
    Mesh,
    image_coordinates,
    number_pixels,
    quads_between,
    split_quads,
    to_camera_frame,
)


def pixel_mesh(
    depth: Array,
    mask: NDArray[np.bool_],
    normals: Array,
    camera: Camera,
    cuts: tuple[NDArray[np.bool_], NDArray[np.bool_]] | None = None,
) -> Mesh:
    """The mesh with a vertex at each pixel's centre and a face between four of them.

    Parameters
    ----------
    cuts : pairs of pixels, right (H, W-1) and down (H-1, W), that no face may connect
    """
    number = number_pixels(mask)
    rows, columns = np.nonzero(number >= 0)
    vertices = camera.points(rows, columns, depth[rows, columns])
    corner = (number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:])
    if cuts is not None:
        right, down = cuts
        whole = ~(right[:-1] | right[1:] | down[:, :-1] | down[:, 1:])
        corner = (np.where(whole, corner[0], -1), *corner[1:])
    quads = quads_between(*corner)
    shading = to_camera_frame(normals[rows, columns])
    return Mesh(vertices, split_quads(quads), quads, shading, image_coordinates(rows, columns, mask.shape))
