"""Noise of a normal map, estimated from its curl before anything is solved."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import GRAZING, Array, Slopes
from crevasse.lattice import row_blocks
from crevasse.methods.problem import Domain, Problem

NOISY = 0.01
"""Standard deviation of the slopes' noise from which a region counts as noisy."""
ENOUGH = 256
"""2 x 2 blocks that a region needs for an estimate of its own; smaller ones take that of the whole map."""
CHUNK = 1 << 18
"""Pixels processed between two checks for Ctrl-C."""
GAUSSIAN = 0.6745
"""Median of the absolute value of a standard normal variable."""


def estimate_noise(problem: Problem) -> Array:
    """Standard deviation of the slopes' noise per region, (regions + 1,); entry 0 is unused.

    Around a block of 2 x 2 pixels the steps of a surface cancel; what is left is noise, scaled by how steep the
    pixels are.
    """
    mask = problem.mask
    inside = mask[:-1, :-1] & mask[:-1, 1:] & mask[1:, :-1] & mask[1:, 1:]
    curls = np.empty(np.count_nonzero(inside))
    done = 0
    for block in row_blocks((mask.shape[0] - 1, mask.shape[1]), CHUNK):
        rows = slice(block.start, block.stop + 1)
        curl = _curls(problem.slopes.rows(rows), mask[rows], inside[block])
        curls[done : done + len(curl)] = curl
        done += len(curl)
    return _medians(curls, inside, problem.domain) / GAUSSIAN


def is_noisy(noise: Array) -> NDArray[np.bool_]:
    """Regions whose slopes are denoised before jumps are sought, (regions + 1,)."""
    return np.asarray(np.append(False, noise[1:] >= NOISY))


def _curls(slopes: Slopes, mask: NDArray[np.bool_], inside: NDArray[np.bool_]) -> Array:
    """Scaled curl of the blocks inside the mask, in one flat array."""
    if 4 * np.count_nonzero(inside) > inside.size:
        return _scaled_curl(slopes, mask)[inside]
    rows, columns = np.nonzero(inside)
    around = rows + np.array([0, 1])[:, None, None], columns + np.array([0, 1])[:, None]
    return _scaled_curl(Slopes(*(image[around] for image in slopes)), mask[around]).ravel()


def _scaled_curl(slopes: Slopes, mask: NDArray[np.bool_]) -> Array:
    """Circulation of the steps around each block of 2 x 2 pixels, divided by what unit noise would leave."""
    right, down = slopes.steepness()
    steep = np.where(mask, np.maximum(slopes.cosine, GRAZING) ** -4, 0.0)
    beside, below = right[:, 1:] + right[:, :-1], down[1:] + down[:-1]
    curl = np.abs((beside[:-1] - beside[1:]) + (below[:, 1:] - below[:, :-1])) / 2
    steep = steep[:, :-1] + steep[:, 1:]
    return curl / np.sqrt((steep[:-1] + steep[1:]) / 2 + np.finfo(float).tiny)


def _medians(values: Array, inside: NDArray[np.bool_], domain: Domain) -> Array:
    overall = median(values) if len(values) else 0.0
    medians = np.full(domain.regions + 1, overall)
    if domain.regions == 1:
        return medians
    labels = domain.labels[:-1, :-1][inside]
    order = np.lexsort((values, labels))
    edges = np.searchsorted(labels[order], np.arange(1, domain.regions + 2))
    for region in range(1, domain.regions + 1):
        part = values[order[edges[region - 1] : edges[region]]]
        if len(part) >= ENOUGH:
            medians[region] = np.median(part)
    return medians


def median(values: Array) -> float:
    """Median of non-negative values, computed in pieces so that Ctrl-C is answered on large maps.

    The bits of non-negative floats are in the order of their values. A radix selection narrows the class of the
    median by sixteen bits per pass, until few values are left or all are equal.
    """
    pieces = [values[begin : begin + CHUNK] for begin in range(0, len(values), CHUNK)]
    ranks = np.array([(len(values) - 1) // 2, len(values) // 2])
    for shift in (48, 32, 16, 0):
        if sum(map(len, pieces)) <= CHUNK:
            break
        before = np.cumsum(sum(np.bincount(_bits(piece, shift), minlength=1 << 16) for piece in pieces))
        low, high = np.searchsorted(before, ranks, "right")
        if low != high:
            # The last of one class and the first of another.
            lower, upper = ([p[_bits(p, shift) == chosen] for p in pieces] for chosen in (low, high))
            return float(np.mean([max(p.max() for p in lower if len(p)), min(p.min() for p in upper if len(p))]))
        ranks -= before[low - 1] if low else 0
        pieces = [piece[_bits(piece, shift) == low] for piece in pieces]
    else:
        return float(next(piece[0] for piece in pieces if len(piece)))
    return float(np.partition(np.concatenate(pieces), ranks)[ranks].mean())


def _bits(values: Array, shift: int) -> NDArray[np.int64]:
    return np.asarray((np.ascontiguousarray(values).view(np.int64) >> shift) & 0xFFFF)
