"""Known heights of single pixels, relative to a surface."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array

COUPLING = 4.0
"""c: energy of one squared standard deviation; opening a contact that nothing speaks for or against costs 1."""
OUTLIER = 9.0
"""Squared standard deviations at which half of the most a depth can cost is reached."""
HARD = 1e6
"""The same for fixed depths, which are never wrong."""
COVERED = 0.3
"""Share of a footprint that must be known."""


class Samples(NamedTuple):
    """Known heights relative to a surface; all (N,)."""

    pixels: NDArray[np.int64]
    gap: Array
    """How far the known height is behind the surface."""
    sigma: Array
    share: Array
    outlier: Array
    """Squared standard deviations at which half of the most is reached."""

    @property
    def squares(self) -> Array:
        """Squared gaps in standard deviations."""
        return np.asarray(np.square(self.gap / self.sigma))

    @property
    def cost(self) -> Array:
        """What each adds to the energy."""
        squares = self.squares
        return np.asarray(COUPLING * self.share * squares / (1 + squares / self.outlier))

    @property
    def weights(self) -> Array:
        """Weights of reweighted least squares, without c."""
        return np.asarray(self.share / np.square(self.sigma) / np.square(1 + self.squares / self.outlier))

    def at(self, chosen: NDArray[np.bool_]) -> Samples:
        """Those that are chosen."""
        return Samples._make(values[chosen] for values in self)

    def moved(self, shift: Array | float) -> Samples:
        """The same once the surface has moved."""
        return self._replace(gap=self.gap - shift)


def footprint_means(
    gaps: Array, known: NDArray[np.bool_], near_cuts: NDArray[np.bool_], spacing: float
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Means over the footprints of coarse depth, and where enough of a footprint is known and no jump crosses it."""
    from scipy.ndimage import uniform_filter

    inside = known & ~near_cuts
    size = 2 * int(spacing / 2) + 1
    count = uniform_filter(known.astype(np.float32), size, mode="constant")
    mean = uniform_filter(np.where(known, gaps, 0.0).astype(np.float32), size, mode="constant")
    mean /= np.maximum(count, np.float32(1e-6))
    return mean, inside & (count > COVERED)


def robust_offset(samples: Samples) -> float:
    """The shift that explains most of the gaps."""
    if not len(samples.gap):
        return 0.0
    tried = np.unique(np.quantile(samples.gap, np.linspace(0.02, 0.98, 25)))
    costs = [samples.moved(shift).cost.sum() for shift in tried]
    shift = float(tried[int(np.argmin(costs))])
    for _ in range(8):
        left = samples.moved(shift)
        weights = left.weights
        shift += float((weights * left.gap).sum() / max(weights.sum(), 1e-300))
    return shift
