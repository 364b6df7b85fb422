"""Resample the misfit between a surface and its normals: the wild bootstrap of a regression.

What the normals of a map are off by is not known, but what no surface could fit is: the gaps that are left between
neighbouring pixels. Each sample gives them new signs and solves again. The signs are common to blocks of pixels,
because neighbours err alike.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from crevasse.cameras import Array
from crevasse.uncertainty.final_system import FinalSystem
from crevasse.uncertainty.probing import Fluxes

BLOCK = 16
"""Pixels to a side of the blocks that share a sign."""


def residual_fluxes(system: FinalSystem, samples: int, seed: int) -> Iterator[Fluxes]:
    """Fluxes of the gaps of a surface with random signs."""
    random = np.random.default_rng(seed)
    for _ in range(samples):
        yield Fluxes(
            *(
                weight * gap * _block_signs(gap.shape, random)
                for weight, gap in ((system.right, system.gap_right), (system.down, system.gap_down))
            )
        )


def _block_signs(shape: tuple[int, int], random: np.random.Generator) -> Array:
    """Random signs, the same over squares of `BLOCK` pixels that begin at a random place."""
    first = random.integers(0, BLOCK, 2)
    rows, columns = ((np.arange(size) + begin) // BLOCK for size, begin in zip(shape, first, strict=True))
    signs = random.choice([-1.0, 1.0], (shape[0] // BLOCK + 2, shape[1] // BLOCK + 2))
    return np.asarray(signs[rows[:, None], columns])
