"""Steep runs that lie along one contour."""

from __future__ import annotations

import numpy as np

from crevasse.methods.steep import Indices, Runs

REACH = 3
"""Pixels: runs in squares of this size that touch each other follow each other."""


def label_contours(runs: Runs, width: int) -> Indices:
    """The number of each run's contour, from 0, (N,): runs that go the same way and follow each other.

    Parameters
    ----------
    width : of the map
    """
    rows, columns = np.divmod(runs.pixel(1), width)
    across = width // REACH + 3
    squares = (rows // REACH) * across + columns // REACH + 1
    # The two lowest bits tell which way a run goes: only runs that go the same way can follow each other.
    squares, square = np.unique(4 * squares + 2 * runs.down + (runs.steep > 0), return_inverse=True)
    first, second = [], []
    for step in (1, across - 1, across, across + 1):
        there = np.minimum(np.searchsorted(squares, squares + 4 * step), len(squares) - 1)
        meet = squares[there] == squares + 4 * step
        first.append(np.flatnonzero(meet))
        second.append(there[meet])
    return join(len(squares), np.concatenate(first), np.concatenate(second))[square]


def join(count: int, first: Indices, second: Indices) -> Indices:
    """Numbers, from 0, of what is joined among so many things, (count,), if each first is joined to its second.

    >>> join(5, np.array([0, 3]), np.array([4, 1])).tolist()
    [0, 1, 2, 1, 0]
    """
    label = np.arange(count)
    while True:
        least = np.minimum(label[first], label[second])
        lower = label.copy()
        np.minimum.at(lower, label[first], least)
        np.minimum.at(lower, label[second], least)
        lower = lower[lower]
        if np.array_equal(lower, label):
            return np.unique(label, return_inverse=True)[1].astype(np.int64)
        label = lower
