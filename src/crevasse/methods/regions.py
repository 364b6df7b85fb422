"""Operations region by region: choose between surfaces, count pixels, fix the gauge."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array
from crevasse.lattice import row_blocks
from crevasse.methods.problem import CHUNK, Domain

Flags = NDArray[np.bool_]


def choose(better: Flags, domain: Domain, new: Array, old: Array) -> Array:
    """Take the new heights in the regions (numbered from 1) where they are better."""
    if domain.regions == 1:
        return new if better[1] else old
    return np.where(better[domain.labels], new, old)


def count_pixels(flags: Flags, domain: Domain) -> NDArray[np.int_]:
    """Number of flagged pixels per region, (regions + 1,); entry 0 is outside."""
    if domain.regions == 1:
        return np.array([0, np.count_nonzero(flags)])
    return np.bincount(domain.labels[flags], minlength=domain.regions + 1)


def level_regions(heights: Array, domain: Domain) -> Array:
    """Fix the gauge: shift each region to mean height 0; outside is 0."""
    means = _mean_heights(heights, domain)
    level = np.zeros(domain.mask.shape)
    for rows in row_blocks(domain.mask.shape, CHUNK):
        labels = domain.several_labels
        mean = means[1] if labels is None else means[labels[rows]]
        np.subtract(heights[rows], mean, out=level[rows], where=domain.mask[rows])
    return level


def _mean_heights(heights: Array, domain: Domain) -> Array:
    """Mean height per region, computed in blocks of rows so that Ctrl-C is answered quickly."""
    sizes, sums = np.zeros(domain.regions + 1), np.zeros(domain.regions + 1)
    for rows in row_blocks(domain.mask.shape, CHUNK):
        inside = domain.mask[rows]
        here = heights[rows][inside]
        if domain.several_labels is None:
            sizes[1] += len(here)
            sums[1] += here.sum()
        else:
            labels = domain.several_labels[rows][inside]
            sizes += np.bincount(labels, minlength=len(sizes))
            sums += np.bincount(labels, here, minlength=len(sums))
    return np.asarray(sums / np.maximum(sizes, 1))
