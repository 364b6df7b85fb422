"""Pairs of neighbouring pixels: the step that their planes predict, and its variance.

Pixels are rigid planes, and neighbours share two corners. For a pair (a, b), b right of or below a, let c_a and c_b
be the heights of a shared corner above the two centres. Where the surface is continuous, z_b - z_a = c_a - c_b at
both corners. The mean of c_a - c_b over the corners is the pair's target t, half their difference its twist o:

    t = mean(c_a - c_b),   R = z_b - z_a - t,   jumps at the two corners: D+- = R +- o.

To first order t = (l_a + l_b) / 2 and o = (m_b - m_a) / 2, with l the slope along the pair and m across it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array
from crevasse.twins.graduated.grid import neighbour
from crevasse.twins.graduated.planes import Planes

CURVATURE_ERROR = 0.05
"""Pixels of error per unit of change of slope: planes do not see how the surface bends between them."""
MOST_RISE = 0.9
"""Rise towards a corner, in focal lengths, at which the pinhole's offset is clamped to stay finite."""

Mask = NDArray[np.bool_]


class Pairs(NamedTuple):
    """What stays the same about each pair while heights change, all (2, H, W)."""

    exists: Mask
    """Both pixels are in the mask and no hint separates them."""
    held: Mask
    """A hint forbids a jump: the pair keeps its weight whatever its gap."""
    target: Array
    twist: Array
    variance: Array


def corner_offsets(planes: Planes, curvature: float) -> Array:
    """Heights of a plane's corners above its centre, (2, 2, H, W): [upper or lower, left or right].

    With r = +-p/2 +- q/2 the rise to first order, an orthographic plane's corner lies r above its centre. For a
    pinhole camera heights are f log(depth), and the plane's corner lies -f log(1 - r / f) above its centre.

    Parameters
    ----------
    curvature : 1 / f with the focal length f in pixels; 0 for an orthographic camera
    """
    side = np.array([-0.5, 0.5])[:, None, None]
    rise = side[:, None] * planes.down + side[None, :] * planes.right
    if curvature == 0.0:
        return np.asarray(rise)
    return np.asarray(-np.log1p(-np.minimum(rise * curvature, MOST_RISE)) / curvature)


def make_pairs(planes: Planes, corners: Array, hints: NDArray[np.int8] | None = None) -> Pairs:
    """Targets, twists and variances v = v_a + v_b + 0.05^2 ((p_b - p_a)^2 + (q_b - q_a)^2) of all pairs.

    Parameters
    ----------
    corners : (2, 2, H, W) array, heights of each plane's corners above its centre (`corner_offsets`)
    """
    (upper_left, upper_right), (lower_left, lower_right) = corners
    one = np.stack([upper_right, lower_left]) - neighbour(upper_left)
    other = lower_right - neighbour(np.stack([lower_left, upper_right]))
    bend = sum((neighbour(slope) - slope) ** 2 for slope in (planes.right, planes.down))
    variance = planes.variance + neighbour(planes.variance) + CURVATURE_ERROR**2 * bend
    inside = planes.variance > 0
    exists = inside & neighbour(inside)
    forced, forbidden = read_hints(hints) if hints is not None else (np.False_, np.False_)
    exists &= ~forced
    return Pairs(exists, exists & forbidden, (one + other) / 2, (one - other) / 2, np.asarray(variance))


def read_hints(hints: NDArray[np.int8]) -> tuple[Mask, Mask]:
    """Pairs that hints separate, and pairs that they join.

    1 separates a pixel from all its neighbours, 2 and 3 are the two sides of a line, -1 joins those that share it.
    """
    a, b = hints, neighbour(hints)
    forced = (a == 1) | (b == 1) | ((a == 2) & (b == 3)) | ((a == 3) & (b == 2))
    return forced, (a < 0) & (b < 0)
