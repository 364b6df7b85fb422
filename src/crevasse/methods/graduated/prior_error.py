"""How rough depth errs: what is independent between samples, how far apart these are, and what varies smoothly.

All three are read from a robust variogram of the depth relative to a surface of the right shape: the mean square of
differences of two pixels, by their distance.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array
from crevasse.methods.graduated.noise import GAUSSIAN

LAGS = (1, 2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64, 91, 128, 181, 256)
"""Distances in pixels at which differences are compared."""
SPACINGS = (1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0)
"""Possible distances between independent samples, in pixels."""
LENGTHS = (32.0, 64.0, 128.0, 256.0, 512.0)
"""Possible distances over which a smooth error varies, in pixels..."""
LONGER = 4.0
"""...and how many times the distance between samples they are at least."""
BESIDE = 64.0
"""Distance in pixels at which parts of a surface lie beside each other."""
MATTERS, SHARE = 0.5, 0.5
"""Pixels, and share of the independent error, from which a smooth error at that distance matters."""
FEWEST = 64
"""Pairs of pixels that a distance needs."""
MOST = 1 << 18
"""Pixels that are looked at; of more, bands of rows are taken..."""
BANDS = 4
"""...so many of them."""
OUTLIER = 4.0
"""Robust standard deviations from the median of its part from which a depth is left out."""
LEAST = 0.05
"""Least standard deviation of any depth, in pixels: what pixels of a surface differ by anyway."""


class PriorError(NamedTuple):
    """Errors of rough depth, in pixels of height."""

    sigma: float
    """Standard deviation of what is independent between samples."""
    spacing: float
    """Pixels between independent samples."""
    smooth: float
    """Standard deviation of what varies smoothly."""
    length: float
    """Pixels over which that varies."""

    @property
    def share(self) -> float:
        """Independent samples per pixel."""
        return 1 / self.spacing**2

    @property
    def is_smooth(self) -> bool:
        """Whether what varies smoothly matters for parts that lie beside each other."""
        return self.beside > max(MATTERS, SHARE * self.sigma)

    @property
    def beside(self) -> float:
        """Standard deviation of what varies smoothly between parts that lie beside each other."""
        return self.smooth * float(np.sqrt(1 - matern(np.array(BESIDE), self.length)))

    def seen_at(self, stride: int) -> PriorError:
        """The same in pixels of a map of which every `stride`-th row and column is taken."""
        return self._replace(spacing=max(self.spacing / stride, 1.0), length=self.length / stride)

    @property
    def whole(self) -> PriorError:
        """Independent errors that tell as little about the place of a part as both together."""
        sigma = float(np.hypot(self.sigma, self.smooth))
        spacing = np.hypot(self.sigma * self.spacing, self.smooth * self.length) / sigma
        return PriorError(sigma, float(spacing), 0.0, self.length)


def measure_error(gaps: Array, known: NDArray[np.bool_], labels: NDArray[np.int32]) -> PriorError:
    """The errors of rough depth, by its heights above a surface.

    Parameters
    ----------
    gaps, known : (H, W), these heights, and where they are known
    labels : parts of the surface; pixels of different parts are not compared
    """
    gaps, known, labels = _some_bands(gaps, known, labels)
    values = gaps[known]
    if len(values) < FEWEST:
        spread = _spread(values) if len(values) else 1.0
        return PriorError(max(spread, 1.0), 1.0, 0.0, LENGTHS[0])
    lags, squares = _variogram(gaps, known & _usual(gaps, known, labels), labels)
    if not len(lags):
        return PriorError(max(_spread(values), LEAST), 1.0, 0.0, LENGTHS[0])
    best, found = np.inf, (0.0, 1.0, 0.0, LENGTHS[0])
    weights = 1 / np.maximum(squares, max(float(squares.max()) * 1e-6, LEAST**2))
    for spacing in SPACINGS:
        rising = np.minimum(lags / spacing, 1.0)
        for length in (length for length in LENGTHS if length >= LONGER * spacing):
            slow = 1 - matern(lags, length)
            parts = _non_negative(np.stack([rising, slow], axis=1) * weights[:, None], squares * weights)
            left = float(np.square((rising * parts[0] + slow * parts[1] - squares) * weights).sum())
            if left < best * (1 - 1e-3):
                best, found = left, (parts[0], spacing, parts[1], length)
    return PriorError(max(float(np.sqrt(found[0])), LEAST), found[1], float(np.sqrt(found[2])), found[3])


def matern(distance: Array, length: float) -> Array:
    """Correlation of a smooth error at a distance (Matern, 3/2)."""
    scaled = np.sqrt(3.0) * np.asarray(distance) / length
    return np.asarray((1 + scaled) * np.exp(-scaled))


def _some_bands(
    gaps: Array, known: NDArray[np.bool_], labels: NDArray[np.int32]
) -> tuple[Array, NDArray[np.bool_], NDArray[np.int32]]:
    """Bands of rows of a large map, with labels of their own, so that none is compared with another."""
    height, width = known.shape
    tall = MOST // BANDS // width
    if known.size <= MOST or tall < 1:
        return gaps, known, labels
    begins = np.linspace(0, height - tall, BANDS).astype(int)
    rows = (begins[:, None] + np.arange(tall)).ravel()
    bands = np.repeat(np.arange(BANDS, dtype=np.int32), tall)[:, None]
    apart = labels[rows] + bands * (int(labels.max()) + 1)
    return gaps[rows], known[rows], apart.astype(np.int32)


def _variogram(gaps: Array, known: NDArray[np.bool_], labels: NDArray[np.int32]) -> tuple[Array, Array]:
    """Distances, and half the mean square of the differences at each."""
    lags, squares = [], []
    for lag in LAGS:
        found = []
        for axis in (0, 1):
            if lag >= known.shape[axis]:
                continue
            first, second = (
                tuple(slice(None) if along != axis else part for along in (0, 1))
                for part in (slice(None, -lag), slice(lag, None))
            )
            both = known[first] & known[second] & (labels[first] == labels[second])
            found.append((gaps[second] - gaps[first])[both])
        differences = np.concatenate(found) if found else np.empty(0)
        if len(differences) < FEWEST:
            continue
        lags.append(lag)
        squares.append(np.square(differences).mean() / 2)
    return np.array(lags, float), np.array(squares)


def _usual(gaps: Array, known: NDArray[np.bool_], labels: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Depths that are no outliers of their part."""
    owners, values = labels[known], gaps[known]
    order = np.lexsort((values, owners))
    ends = np.flatnonzero(np.diff(owners[order])) + 1
    flags = np.zeros(len(values), bool)
    for part in np.split(order, ends):
        middle = values[part[len(part) // 2]]
        flags[part] = np.abs(values[part] - middle) <= OUTLIER * max(_spread(values[part]), LEAST)
    usual = np.zeros(known.shape, bool)
    usual[known] = flags
    return usual


def _spread(values: Array) -> float:
    """Robust standard deviation around the median."""
    return float(np.median(np.abs(values - np.median(values)))) / GAUSSIAN


def _non_negative(matrix: Array, side: Array) -> Array:
    """Least squares of two unknowns that are not negative."""
    from scipy.optimize import nnls

    return np.asarray(nnls(matrix, side)[0])


def thinning(shape: tuple[int, ...]) -> int:
    """Rows and columns between rough heights that are looked at."""
    return max(1, int(np.ceil(np.sqrt(shape[0] * shape[1] / MOST))))
