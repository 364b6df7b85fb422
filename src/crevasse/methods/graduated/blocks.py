"""Sums over blocks of 2 x 2 pixels."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array


def sum_blocks(image: NDArray[Any]) -> Array:
    """Sums over blocks of 2 x 2 pixels; pixels missing at an odd border count as 0."""
    height, width = image.shape
    sums = np.zeros(((height + 1) // 2, (width + 1) // 2))
    for y in (0, 1):
        for x in (0, 1):
            part = image[y::2, x::2]
            sums[: part.shape[0], : part.shape[1]] += part
    return sums
