"""Noise of a normal map, told from its curl before anything is solved."""

from __future__ import annotations

import numpy as np

from crevasse.cameras import GRAZING, Array
from crevasse.methods.problem import Problem

ENOUGH = 256
"""Blocks a region must have for an estimate of its own; smaller ones take that of the whole map."""
GAUSSIAN = 0.6745
"""Median of the absolute value of a standard normal variable."""


def estimate_noise(problem: Problem, right: Array, down: Array) -> Array:
    """Standard deviation of the slopes' noise per region, (regions + 1,), entry 0 unused.

    Around a block of 2 x 2 pixels the steps of a surface cancel; what is left is noise, scaled by how steep the
    pixels are.
    """
    cosine = np.maximum(problem.slopes.cosine, GRAZING)
    steep = np.where(problem.mask, cosine**-4, 0.0)
    beside, below = (right[:, 1:] + right[:, :-1]) / 2, (down[1:] + down[:-1]) / 2
    curl = np.abs((beside[:-1] - beside[1:]) + (below[:, 1:] - below[:, :-1]))
    curl /= np.sqrt((steep[:-1, :-1] + steep[:-1, 1:] + steep[1:, :-1] + steep[1:, 1:]) / 2 + 1e-300)
    mask = problem.mask
    inside = mask[:-1, :-1] & mask[:-1, 1:] & mask[1:, :-1] & mask[1:, 1:]
    return _medians(curl, inside, problem) / GAUSSIAN


def _medians(curl: Array, inside: np.ndarray, problem: Problem) -> Array:
    values = curl[inside]
    overall = float(np.median(values)) if len(values) else 0.0
    medians = np.full(problem.regions + 1, overall)
    if problem.regions == 1:
        return medians
    labels = problem.labels[:-1, :-1][inside]
    order = np.lexsort((values, labels))
    edges = np.searchsorted(labels[order], np.arange(1, problem.regions + 2))
    for region in range(1, problem.regions + 1):
        part = values[order[edges[region - 1] : edges[region]]]
        if len(part) >= ENOUGH:
            medians[region] = np.median(part)
    return medians
