"""Contours: steep runs that lie along one depth discontinuity."""

from __future__ import annotations

import numpy as np

from crevasse.lattice import join
from crevasse.methods.graduated.terms.steep_runs import Indices, SteepRuns

REACH = 3
"""Side in pixels of the squares by which runs are grouped: runs in touching squares follow each other."""


def label_contours(runs: SteepRuns, width: int) -> Indices:
    """The number of each run's contour, from 0, (N,): runs with the same direction that follow each other.

    Parameters
    ----------
    width : of the map
    """
    rows, columns = np.divmod(runs.pixel(1), width)
    across = width // REACH + 3
    squares = (rows // REACH) * across + columns // REACH + 1
    # The two lowest bits encode the direction: only runs with the same direction can follow each other.
    squares, square = np.unique(4 * squares + 2 * runs.down + (runs.steep > 0), return_inverse=True)
    first, second = [], []
    for step in (1, across - 1, across, across + 1):
        there = np.minimum(np.searchsorted(squares, squares + 4 * step), len(squares) - 1)
        meet = squares[there] == squares + 4 * step
        first.append(np.flatnonzero(meet))
        second.append(there[meet])
    return join(len(squares), np.concatenate(first), np.concatenate(second))[square]
