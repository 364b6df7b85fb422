"""Noise of a normal map, told from its curl before anything is solved."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import GRAZING, Array, Slopes
from crevasse.methods.problem import Problem

ENOUGH = 256
"""Blocks a region must have for an estimate of its own; smaller ones take that of the whole map."""
CHUNK = 1 << 18
"""Pixels that are looked at together."""
GAUSSIAN = 0.6745
"""Median of the absolute value of a standard normal variable."""


def estimate_noise(problem: Problem) -> Array:
    """Standard deviation of the slopes' noise per region, (regions + 1,), entry 0 unused.

    Around a block of 2 x 2 pixels the steps of a surface cancel; what is left is noise, scaled by how steep the
    pixels are.
    """
    mask = problem.mask
    inside = mask[:-1, :-1] & mask[:-1, 1:] & mask[1:, :-1] & mask[1:, 1:]
    curls = np.empty(np.count_nonzero(inside))
    done, step = 0, max(CHUNK // mask.shape[1], 1)
    for top in range(0, mask.shape[0] - 1, step):
        rows = slice(top, top + step + 1)
        here = inside[top : top + step]
        curl = _scaled_curl(Slopes(*(image[rows] for image in problem.slopes)), mask[rows])[here]
        curls[done : done + len(curl)] = curl
        done += len(curl)
    return _medians(curls, inside, problem) / GAUSSIAN


def _scaled_curl(slopes: Slopes, mask: NDArray[np.bool_]) -> Array:
    """What is left of the steps around each block of 2 x 2 pixels, over how steep the pixels are."""
    right, down = slopes.steepness()
    steep = np.where(mask, np.maximum(slopes.cosine, GRAZING) ** -4, 0.0)
    beside, below = right[:, 1:] + right[:, :-1], down[1:] + down[:-1]
    curl = np.abs((beside[:-1] - beside[1:]) + (below[:, 1:] - below[:, :-1])) / 2
    steep = steep[:, :-1] + steep[:, 1:]
    return curl / np.sqrt((steep[:-1] + steep[1:]) / 2 + np.finfo(float).tiny)


def _medians(values: Array, inside: NDArray[np.bool_], problem: Problem) -> Array:
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
