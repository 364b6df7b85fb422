"""Rough depth in heights of the run: an unknown scale and shift are estimated on the surface from the normals."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array
from crevasse.knowledge import Known
from crevasse.methods.graduated.kriging import Cells, fit, make_cells
from crevasse.methods.graduated.prior_error import PriorError, measure_error, thinning

PAIRS = 20_000
"""Pairs of pixels whose slopes start the estimate."""
MOST = 20_000
"""Pixels that the first estimate is made from; of more, some are left out."""
ROUNDS = 8
TUNING = 3.0
"""Robust standard deviations at which a pixel counts little."""
STEEPEST = 0.75
"""Quantile of the differences of pairs from which they count."""
WIDE = 0.5
"""Length of a smooth error, relative to the side of the object, from which it may look like relief."""
MOST_ERROR = 0.1
"""Relative standard error of a scale above which it cannot be told."""


class Scale(NamedTuple):
    """How given depth follows from that of the surface: scale * basis + shift."""

    scale: float
    shift: float
    error: float
    """Relative standard error of the scale."""

    @property
    def told(self) -> bool:
        """Whether the map tells the scale."""
        return self.scale > 0 and self.error < MOST_ERROR


def basis(known: Known, surface: Array) -> Array:
    """What the given depth is linear in: depth, or its inverse."""
    if known.camera.gauge == "offset":
        return -surface if known.unknown == "disparity" else surface
    depth = known.camera.to_depth(surface)
    return np.asarray(1 / depth if known.unknown == "disparity" else depth)


def to_surface(known: Known, given: Array, scale: Scale) -> Array:
    """Heights of given depth; NaN where it is not possible."""
    shown = (given - scale.shift) / scale.scale
    if known.camera.gauge == "offset":
        return np.asarray(-shown if known.unknown == "disparity" else shown)
    with np.errstate(all="ignore"):
        depth = 1 / shown if known.unknown == "disparity" else shown
        return np.asarray(np.where(depth > 0, known.camera.to_heights(np.abs(depth)), np.nan))


def estimate_scale(known: Known, surface: Array, mask: NDArray[np.bool_], islands: NDArray[np.int32]) -> Scale:
    """Scale and shift of given depth, by the surface and its islands.

    In the picture of a pinhole an island that is at the wrong distance has a wrong size, so that each has a scale of
    its own; with parallel rays each has a shift of its own.
    """
    assert known.prior is not None
    thin = (slice(None, None, thinning(mask.shape)),) * 2
    prior, surface, mask, islands = known.prior[thin], surface[thin], mask[thin], islands[thin]
    inside = mask & np.isfinite(prior) & (islands > 0)
    shown, given, owner = basis(known, surface[inside]), prior[inside], islands[inside]
    stride = len(shown) // MOST + 1
    slope, _ = _robust_line(shown[::stride], given[::stride], owner[::stride])
    shifts = _medians(given - slope * shown, owner)
    main = int(np.argmax(np.bincount(owner)))
    # Pixels of height per unit of what is given, in the middle of the map.
    middle = float(np.median(surface[inside]))
    steps = basis(known, np.array([middle - 0.5, middle + 0.5]))
    rate = 1 / max(abs(slope * float(steps[1] - steps[0])), 1e-300)
    left = (given - slope * shown - shifts[main]) * rate
    residual = np.zeros(mask.shape)
    residual[inside] = (given - slope * shown - shifts[owner]) * rate
    error = measure_error(residual, inside, islands)
    residual[inside] = left
    cells = make_cells(islands, inside, residual)
    if not len(cells.middle):
        return Scale(slope, float(shifts[main]), np.inf)
    design, at, size = _design(known, cells, shown, main)
    found = fit(cells, design, left[cells.middle], error)
    scale = slope + float(found.values[at]) / rate / size
    relative = float(np.sqrt(found.covariance[at, at])) / rate / size / max(abs(scale), 1e-300)
    if known.camera.gauge == "scale":
        shift = float(shifts[main] + found.values[-1] / rate)
    else:
        shift = float(np.median((given - scale * shown)[owner == main]))
    return Scale(scale, shift, max(relative, _wide(error, inside, slope * rate * float(np.std(shown)))))


def _design(known: Known, cells: Cells, shown: Array, main: int) -> tuple[Array, int, float]:
    """What each unknown contributes to each cell; which of them is the scale, and in what unit."""
    names, column = np.unique(cells.island, return_inverse=True)
    own, values = np.eye(len(names))[column], shown[cells.middle]
    if known.camera.gauge == "scale":
        size = max(float(np.mean(np.abs(shown))), 1e-300)
        return (
            np.column_stack([own * values[:, None] / size, np.ones(len(values))]),
            int(np.argmax(names == main)),
            size,
        )
    size = max(float(np.std(shown)), 1e-300)
    return np.column_stack([own, (values - np.mean(shown)) / size]), len(names), size


def _wide(error: PriorError, inside: NDArray[np.bool_], relief: float) -> float:
    """Relative error of a scale by an error that varies as slowly as the object is wide, which looks like relief."""
    extent = float(np.sqrt(np.count_nonzero(inside)))
    return error.smooth / max(abs(relief), 1e-300) if error.length >= WIDE * extent else 0.0


def _robust_line(x: Array, y: Array, island: NDArray[np.int32]) -> tuple[float, Array]:
    """Slope, and a shift per island: the median slope of pairs (Theil and Sen), then reweighted least squares."""
    random = np.random.default_rng(0)
    first, second = random.integers(0, len(x), (2, PAIRS))
    run, rise = x[second] - x[first], y[second] - y[first]
    wide = (island[first] == island[second]) & (np.abs(run) > 0)
    if wide.any():
        wide &= np.abs(run) >= np.quantile(np.abs(run[wide]), STEEPEST)
    slope = float(np.median(rise[wide] / run[wide])) if wide.any() else 0.0
    shifts = _medians(y - slope * x, island)
    for _ in range(ROUNDS):
        left = y - slope * x - shifts[island]
        size = max(float(np.median(np.abs(left))) * 1.4826, 1e-300)
        weights = 1 / np.square(1 + np.square(left / (TUNING * size)))
        total = np.maximum(np.bincount(island, weights), 1e-300)
        centred = [v - (np.bincount(island, weights * v) / total)[island] for v in (x, y)]
        square = (weights * np.square(centred[0])).sum()
        if square <= 0:
            break
        slope = float((weights * centred[0] * centred[1]).sum() / square)
        shifts = _medians(y - slope * x, island)
    return slope, shifts


def _medians(values: Array, island: NDArray[np.int32]) -> Array:
    """The median of each island, (islands + 1,)."""
    order = np.lexsort((values, island))
    names, first, count = np.unique(island[order], return_index=True, return_counts=True)
    medians = np.zeros(int(island.max(initial=0)) + 1)
    medians[names] = values[order][first + count // 2]
    return medians
