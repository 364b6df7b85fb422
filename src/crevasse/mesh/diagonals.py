"""Cut quadrilaterals into triangles: along which diagonal, and how slim the triangles are."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array

Mask = NDArray[np.bool_]


@np.errstate(over="ignore")
def second_is_shorter(corners: Array) -> Mask:
    """Whether the diagonal between the second and the fourth corner is the shorter one, (M,)."""
    first = np.square(corners[:, 2] - corners[:, 0]).sum(axis=-1)
    second = np.square(corners[:, 3] - corners[:, 1]).sum(axis=-1)
    return np.asarray(second < first)


def second_is_better(corners: Array) -> Mask:
    """Whether the diagonal between the second and the fourth corner gives less slim triangles, (M,)."""
    return np.asarray(_slimmer(np.roll(corners, -1, axis=1)) < _slimmer(corners))


def turn(corners: NDArray[Any], turned: Mask) -> NDArray[Any]:
    """Corners (M, 4, ...), rotated by one place where `turned`, so that the diagonal begins at the first."""
    chosen = turned.reshape(-1, *(1,) * (corners.ndim - 1))
    return np.where(chosen, np.roll(corners, -1, axis=1), corners)


def stretch(corners: Array) -> Array:
    """Length over width of the slimmer of a quadrilateral's triangles, cut along its shorter diagonal, (M,)."""
    return _slimmer(turn(corners, second_is_shorter(corners)))


def least_stretch(corners: Array) -> Array:
    """The same, cut along the diagonal that gives the less slim triangles."""
    return np.minimum(_slimmer(corners), _slimmer(np.roll(corners, -1, axis=1)))


def _slimmer(corners: Array) -> Array:
    """Slimness of the slimmer of the triangles (0, 1, 2) and (0, 2, 3)."""
    return np.maximum(slimness(corners[:, [0, 1, 2]]), slimness(corners[:, [0, 2, 3]]))


@np.errstate(over="ignore", invalid="ignore")
def slimness(triangles: Array) -> Array:
    """Longest side over the height above it, of triangles (M, 3, 3)."""
    sides = triangles - np.roll(triangles, 1, axis=1)
    longest = np.square(sides).sum(axis=-1).max(axis=-1)
    area = np.sqrt(np.square(np.cross(sides[:, 0], sides[:, 1])).sum(axis=-1))
    return np.asarray(longest / np.maximum(area, 1e-300))
