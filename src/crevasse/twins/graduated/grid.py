"""Pairs of neighbouring pixels as (2, H, W) arrays.

Entry [0, y, x] belongs to pixel (y, x) and the one to its right, entry [1, y, x] to pixel (y, x) and the one below.
The last column of [0] and the last row of [1] have no pair; they hold zeros.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def neighbour(image: NDArray[Any]) -> NDArray[Any]:
    """Values of each pair's second pixel, (2, H, W); 0 beyond the border.

    Parameters
    ----------
    image : (H, W) array, or (2, H, W) with one image per direction
    """
    here = np.broadcast_to(image, (2, *image.shape[-2:]))
    there = np.zeros_like(here)
    there[0, :, :-1] = here[0, :, 1:]
    there[1, :-1] = here[1, 1:]
    return there


def split(pairs: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """The pairs to the right, (H, W-1), and those below, (H-1, W)."""
    return pairs[0, :, :-1], pairs[1, :-1]
