"""Offsets of parts against rough depth whose error varies smoothly: generalised least squares on cells."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array
from crevasse.methods.graduated.prior_error import PriorError, matern

LEAST_SIDE = 13
"""Least side of a cell in pixels."""
MOST_CELLS = 400
"""Cells at most: time grows with the cube of their number."""
FEWEST = 4
"""Pixels that a cell needs."""
ROUGH = 0.1
"""Share of a smooth error that differs between cells side by side: what the model of its correlation misses."""
BROAD = 1e6
"""Standard deviation of an unknown offset, in pixels: any value is as likely."""


class Cells(NamedTuple):
    """Parts of islands within squares; all (N,)."""

    rows: Array
    columns: Array
    island: NDArray[np.int64]
    pixels: Array
    middle: NDArray[np.int64]
    """Index of the pixel, among those given, that stands for the cell."""


class Fit(NamedTuple):
    """Unknowns and their covariance."""

    values: Array
    covariance: Array

    def difference(self, first: int, second: int) -> tuple[float, float]:
        """How much the first of two unknowns exceeds the second, and its standard deviation."""
        c = self.covariance
        variance = c[first, first] + c[second, second] - 2 * c[first, second]
        return float(self.values[first] - self.values[second]), float(np.sqrt(max(variance, 0.0)))


def make_cells(islands: NDArray[np.int32], known: NDArray[np.bool_], gaps: Array) -> Cells:
    """The cells of all islands; each is represented by the pixel with its median gap."""
    rows, columns = np.nonzero(known)
    side = max(LEAST_SIDE, int(np.sqrt(len(rows) / MOST_CELLS)) + 1)
    island = islands[rows, columns].astype(np.int64)
    across = known.shape[1] // side + 1
    squares = (rows // side) * across + columns // side
    keys = island * (squares.max() + 1) + squares
    order = np.lexsort((gaps[rows, columns], keys))
    _, first, count = np.unique(keys[order], return_index=True, return_counts=True)
    enough = count >= FEWEST
    first, count = first[enough], count[enough]
    middle = order[first + count // 2]
    starts = np.repeat(first, count) + np.concatenate([np.arange(n) for n in count]) if len(count) else first
    groups = np.repeat(np.arange(len(count)), count)
    centres = [np.bincount(groups, axis[order[starts]]) / count for axis in (rows, columns)]
    return Cells(centres[0], centres[1], island[middle], count.astype(float), middle)


def fit(cells: Cells, design: Array, values: Array, error: PriorError, broad: Array | None = None) -> Fit:
    """Unknowns that explain the values of cells up to a smooth error and noise.

    Parameters
    ----------
    design : (N, K), how much each unknown contributes to each cell
    broad : (K,), standard deviations of the unknowns before anything is seen
    """
    from scipy.linalg import cho_factor, cho_solve

    apart = np.hypot(cells.rows[:, None] - cells.rows, cells.columns[:, None] - cells.columns)
    covariance = error.smooth**2 * matern(apart, error.length)
    samples = np.maximum(cells.pixels * error.share, 1.0)
    covariance[np.diag_indices_from(covariance)] += np.pi / 2 * error.sigma**2 / samples + np.square(
        ROUGH * error.smooth
    )
    factor = cho_factor(covariance, check_finite=False)
    whitened = cho_solve(factor, design, check_finite=False)
    least = 1 / np.square(np.full(design.shape[1], BROAD) if broad is None else broad)
    normal = design.T @ whitened + np.diag(least)
    inverse = np.linalg.inv(normal)
    return Fit(inverse @ (whitened.T @ values), inverse)
