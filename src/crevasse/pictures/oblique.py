"""Draw the relief from the side, where jumps show as gaps and wrong depths as a wrong shape."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array
from crevasse.pictures import canvas
from crevasse.pictures.colours import PAPER, to_screen
from crevasse.pictures.drawable import Drawable, Mask, Picture, heights_of
from crevasse.pictures.relief import Light, clay, openness, shadow, slopes_of

TURN = (40.0, 22.0)
"""Degrees to the left of and above the camera's own view."""
FINE = 2
"""The picture is drawn this many times larger, then shrunk, for smooth contours."""
STEEPEST = 1.5
"""Slope at which a pixel's plane is cut off, so that contours do not end in spikes."""


class Box(NamedTuple):
    """The part of space that a view shows: its sides in pixels of the map."""

    height: float
    width: float


def oblique(
    drawable: Drawable,
    turn: tuple[float, float] = TURN,
    size: int = 480,
    box: Box | None = None,
    lit: Picture | None = None,
) -> Picture:
    """The surface from the side, torn at its jumps.

    Parameters
    ----------
    turn : degrees around the vertical axis, then up
    size : longest side of the picture
    box : the part to show; None is all of this surface (`fit_box`). Give the same to pictures that are compared.

    Examples
    --------
    >>> import numpy as np, crevasse
    >>> result = crevasse.integrate(np.zeros((40, 50, 3)) + [0.0, 0.0, 1.0])
    >>> crevasse.pictures.oblique(result, size=64).shape[2]
    3
    """
    heights, mask = heights_of(drawable, FINE * size, cropped=True)
    return view(heights, mask, relit(heights, mask), turn, size, box or fit_box(heights, mask, turn))


def relit(heights: Array, mask: Mask) -> Picture:
    """Clay in the light of `preview`, without the paper around it."""
    right, down = slopes_of(heights, mask)
    side = max(mask.shape)
    return to_screen(clay(right, down, openness(heights, mask, right, down, side), shadow(heights, mask, side)))


def fit_box(heights: Array, mask: Mask, turn: tuple[float, float] = TURN) -> Box:
    """The box around nearly all of a surface."""
    across, up, _ = _turned(*_centred(heights, mask), turn)
    width, height = (np.abs(np.percentile(way, [0.2, 99.8])).max() for way in (across, up))
    # Symmetric about the centre of the mask, so that compared surfaces appear in the same place.
    return Box(max(2.1 * float(height), 1.0), max(2.1 * float(width), 1.0))


def view(heights: Array, mask: Mask, colours: Picture, turn: tuple[float, float], size: int, box: Box) -> Picture:
    """Draw each pixel's plane as points, far ones first, then shrink."""
    scale = FINE * size / max(box.height, box.width)
    samples = int(np.clip(np.ceil(1.3 * scale), 1, 8))
    x, y, z = _centred(heights, mask)
    # A pixel is small, so sorting pixels instead of points is enough.
    order = np.argsort(-_turned(x, y, z, turn)[2])
    right, down = (np.clip(slope[mask], -STEEPEST, STEEPEST)[order, None] for slope in slopes_of(heights, mask))
    inner = ((np.arange(samples) + 0.5) / samples - 0.5).astype(np.float32)
    v, u = (grid.ravel() for grid in np.meshgrid(inner, inner, indexing="ij"))
    points = x[order, None] + u, y[order, None] + v, z[order, None] + right * u + down * v
    across, up, _ = _turned(*points, turn)
    height, width = (max(1, round(scale * side / FINE)) * FINE for side in (box.height, box.width))
    rows = np.rint(up * scale + (height - 1) / 2).astype(np.int32)
    columns = np.rint(across * scale + (width - 1) / 2).astype(np.int32)
    inside = (rows >= 0) & (rows < height) & (columns >= 0) & (columns < width)
    owner = np.full((height, width), -1, np.int32)
    source = np.flatnonzero(mask).astype(np.int32)[order, None]
    owner[rows[inside], columns[inside]] = np.broadcast_to(source, rows.shape)[inside]
    owner = _close(owner)
    picture = np.where((owner >= 0)[..., None], colours.reshape(-1, 3)[owner], PAPER)
    return canvas.resize(picture, height // FINE, width // FINE)


def _centred(heights: Array, mask: Mask) -> tuple[Light, Light, Light]:
    """Right, down and away of each pixel in the mask, from the mask's centre at its median height."""
    rows, columns = np.nonzero(mask)
    x = columns - (columns.min() + columns.max()) / 2
    y = rows - (rows.min() + rows.max()) / 2
    z = heights[mask] - np.median(heights[mask])
    return x.astype(np.float32), y.astype(np.float32), z.astype(np.float32)


def _turned(x: Light, y: Light, z: Light, turn: tuple[float, float]) -> tuple[Light, Light, Light]:
    """Rotate points into a view that is turned around the vertical axis, then up."""
    yaw, pitch = np.radians(np.float32(turn[0])), np.radians(np.float32(turn[1]))
    x, z = x * np.cos(yaw) + z * np.sin(yaw), z * np.cos(yaw) - x * np.sin(yaw)
    y, z = y * np.cos(pitch) - z * np.sin(pitch), z * np.cos(pitch) + y * np.sin(pitch)
    return x, y, z


def _close(owner: NDArray[np.int32]) -> NDArray[np.int32]:
    """Fill pinholes: an empty point with drawn points on all sides takes the value of a neighbour."""
    from scipy import ndimage

    drawn = owner >= 0
    closed = ndimage.binary_closing(np.pad(drawn, 2), iterations=1)[2:-2, 2:-2] & ~drawn
    return np.where(closed, ndimage.maximum_filter(owner, size=3), owner)
