"""Hints: jumps that the user forces or forbids, painted as one number per pixel.

1 forces a jump between the pixel and all its neighbours; 2 and 3 are the two sides of a line along which the surface
is cut; -1 forbids jumps between pixels so marked; 0 leaves it to the method. The kernels apply them: a forced pair
has no weight, a forbidden jump keeps the full weight of its pair.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from crevasse.methods.graduated.blocks import sum_blocks

FORCED, FIRST_SIDE, SECOND_SIDE, FORBIDDEN = 1, 2, 3, -1

Hints = NDArray[np.int8]


def restrict_hints(hints: Hints) -> Hints:
    """Hints at half the resolution.

    A wide pixel that contains both sides of a line is cut off from all its neighbours; forcing takes precedence over
    forbidding.
    """
    found = {value: sum_blocks(hints == value) > 0 for value in (FORCED, FIRST_SIDE, SECOND_SIDE, FORBIDDEN)}
    cut_off = found[FORCED] | (found[FIRST_SIDE] & found[SECOND_SIDE])
    either = [cut_off, found[FIRST_SIDE], found[SECOND_SIDE], found[FORBIDDEN]]
    return np.select(either, (FORCED, FIRST_SIDE, SECOND_SIDE, FORBIDDEN), 0).astype(np.int8)
