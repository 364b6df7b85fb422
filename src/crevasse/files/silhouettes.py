"""Trace the silhouette of a map: outward directions and normals along the edge of its mask."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crevasse.files.evidence import EDGE_PIXELS, Array, Mask, Viewer, rays_at
from crevasse.files.frames import Frame
from crevasse.mesh import to_camera_frame

BLUR, CLEAR = 2, 0.04
"""Pixels over which the mask is blurred to see where its edge faces, and the slope from which that is clear."""


@dataclass(frozen=True)
class Silhouette:
    """Outward directions and normals along the mask's edge.

    Attributes
    ----------
    outward : (N, 2) array, unit vectors right and up, away from the mask
    normals : (N, 3) array, the normals there
    rays : (N, 3) array, unit vectors from the viewer to there, in the frame of points
    """

    outward: Array
    normals: Array
    rays: Array

    def cosines(self, frame: Frame) -> Array:
        """Cosines between the normals, read in a frame, and the direction to the viewer: 0 is grazing."""
        return np.asarray(-(to_camera_frame(frame.apply(self.normals)) * self.rays).sum(axis=-1))


def trace_silhouette(vectors: Array, mask: Mask, camera: Viewer) -> Silhouette:
    """The mask's edge, except at the image border and where a part is too thin to have a direction."""
    rows, columns = np.nonzero(_edge(mask))
    step = len(rows) // EDGE_PIXELS + 1
    rows, columns = rows[::step], columns[::step]
    uphill = _uphill(mask, rows, columns)
    steep = np.hypot(uphill[:, 0], uphill[:, 1])
    clear = steep > CLEAR
    rows, columns = rows[clear], columns[clear]
    outward = uphill[clear] * [-1.0, 1.0] / steep[clear][:, None]
    return Silhouette(outward, vectors[rows, columns], rays_at(camera, rows, columns))


def _edge(mask: Mask) -> Mask:
    """Pixels of the mask with a neighbour outside it, away from the image border."""
    inner = mask.copy()
    inner[1:] &= mask[:-1]
    inner[:-1] &= mask[1:]
    inner[:, 1:] &= mask[:, :-1]
    inner[:, :-1] &= mask[:, 1:]
    edge = np.zeros_like(mask)
    edge[3:-3, 3:-3] = (mask & ~inner)[3:-3, 3:-3]
    return edge


def _uphill(mask: Mask, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> Array:
    """How the blurred mask grows to the right and downwards at these pixels, (N, 2)."""
    reach = 4 * BLUR + 1
    at = np.arange(-reach, reach + 1)
    bell = np.exp(-np.square(at / BLUR) / 2) * (np.abs(at) < reach)
    bell /= bell.sum()
    slope = (np.roll(bell, 1) - np.roll(bell, -1)) / 2
    padded = np.pad(mask, reach, mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, (len(at), len(at)))
    found = np.empty((len(rows), 2))
    for first in range(0, len(rows), 4096):
        some = slice(first, first + 4096)
        around = windows[rows[some], columns[some]].astype(np.float64)
        found[some, 0] = np.einsum("nij,i,j->n", around, bell, slope, optimize=True)
        found[some, 1] = np.einsum("nij,i,j->n", around, slope, bell, optimize=True)
    return found
