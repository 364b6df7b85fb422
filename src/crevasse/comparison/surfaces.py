"""The part of each result that a comparison keeps: the depth, for differences and for the sheet of pictures."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array, Camera
from crevasse.metrics import footprint, made
from crevasse.result import Integration

KEPT_BYTES_PER_PIXEL = 8
"""Memory that a kept surface takes."""


@dataclass(frozen=True, eq=False)
class Kept:
    """A surface that can be drawn and compared; the normals and the mask are shared by those of a map."""

    depth: Array
    mask: NDArray[np.bool_]
    normals: Array
    camera: Camera


def keep(result: Integration, normals: Array) -> Kept:
    """The part of a result that is kept."""
    return Kept(result.depth, result.mask, normals, result.camera)


def difference(surface: Kept, reference: Kept) -> float:
    """Mean absolute difference of two surfaces of one map in pixels, after the gauge is fixed."""
    return made(surface.depth, reference.depth, reference.camera) / footprint(reference.depth, reference.camera)
