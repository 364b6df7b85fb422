"""Simulate what users know besides the normals: rough depth as sensors and networks give it, measured points."""

from __future__ import annotations

import numpy as np
from scipy import ndimage

from crevasse.cameras import Array
from crevasse.knowledge import Prior
from crevasse.scenes.scene import Mask, Scene

CELL = 8
"""Pixels to a side of the cells of a depth camera."""
RELIEF = (2, 98)
"""Percentiles of the depth between which the relief is measured."""


def rgbd_depth(scene: Scene, seed: int = 0) -> Prior:
    """Depth as of a depth camera: cells of 8 pixels, noise of 5 % of the relief, a fifth of the cells missing."""
    random = np.random.default_rng(seed)
    rows, columns = (np.arange(side) // CELL for side in scene.mask.shape)
    cells = rows[:, None] * (columns[-1] + 1) + columns
    known = scene.mask & np.isfinite(scene.depth)
    count = np.bincount(cells[known], minlength=cells.max() + 1)
    total = np.bincount(cells[known], scene.depth[known], minlength=len(count))
    means = total / np.maximum(count, 1) + 0.05 * relief_of(scene) * random.standard_normal(len(count))
    means[(count == 0) | (random.random(len(count)) < 0.2)] = np.nan
    return Prior(np.where(scene.mask, means[cells], np.nan))


def stereo_depth(scene: Scene, seed: int = 0) -> Prior:
    """Depth as of multi-view stereo: noise of 1 % of the relief over two pixels, blobs of outliers, 30 % holes."""
    random = np.random.default_rng(seed)
    size, shape = relief_of(scene), scene.mask.shape
    noise = 0.01 * size * _field(shape, 2.0, random)
    blobs, count = ndimage.label(_largest(_field(shape, 8.0, random), scene.mask, 0.1))
    wrong = np.append(0.0, random.uniform(-0.5, 0.5, count) * size)[blobs]
    holes = _largest(_field(shape, 12.0, random), scene.mask, 0.3)
    return Prior(np.where(scene.mask & ~holes, scene.depth + noise + wrong, np.nan))


def network_depth(
    scene: Scene, error: float = 0.05, width: float = 0.25, disparity: bool = False, seed: int = 0
) -> Prior:
    """Depth as of a network: smoothly wrong, in an unknown scale with an unknown shift.

    Parameters
    ----------
    error : standard deviation, as a share of the relief
    width : pixels over which it changes, as a share of the object's longer side
    disparity : whether 1 / depth is given (perspective only)
    """
    random = np.random.default_rng(seed)
    sides = [int(np.ptp(np.flatnonzero(scene.mask.any(axis=axis)))) + 1 for axis in (0, 1)]
    depth = scene.depth + error * relief_of(scene) * _field(scene.mask.shape, width * max(sides), random)
    scale, shift = random.uniform(0.2, 3.0), random.uniform(-1.0, 1.0)
    shown = 1 / depth if disparity else depth
    spread = float(np.nanstd(shown))
    given = scale * (shown - float(np.nanmean(shown)) + (3 + shift) * spread)
    return Prior(np.where(scene.mask, given, np.nan), unknown="disparity" if disparity else "scale and shift")


def measured_points(scene: Scene, count: int = 20, wrong: float = 0.1, seed: int = 0) -> Array:
    """Points (count, 4): row, column, depth and its standard deviation, 1 % of the relief; some are wrong.

    Parameters
    ----------
    wrong : share of the points that are off by up to half the relief
    """
    random = np.random.default_rng(seed)
    rows, columns = np.nonzero(scene.mask & np.isfinite(scene.depth))
    chosen = random.choice(len(rows), min(count, len(rows)), replace=False)
    size = relief_of(scene)
    depth = scene.depth[rows[chosen], columns[chosen]] + 0.01 * size * random.standard_normal(len(chosen))
    off = random.permutation(len(chosen)) < round(wrong * len(chosen))
    depth = depth + np.where(off, random.uniform(-0.5, 0.5, len(chosen)) * size, 0.0)
    return np.stack([rows[chosen], columns[chosen], depth, np.full(len(chosen), 0.01 * size)], axis=1)


def relief_of(scene: Scene) -> float:
    """Depth from the nearest to the farthest part, without the extreme two percent on either side."""
    low, high = np.percentile(scene.depth[scene.mask & np.isfinite(scene.depth)], RELIEF)
    return float(high - low)


def _field(shape: tuple[int, ...], length: float, random: np.random.Generator) -> Array:
    """Smooth noise of unit variance that changes over `length` pixels."""
    field = ndimage.gaussian_filter(random.standard_normal(shape), length / 2, mode="reflect")
    return np.asarray((field - field.mean()) / max(float(field.std()), 1e-12))


def _largest(field: Array, mask: Mask, share: float) -> Mask:
    """The pixels of the mask with the largest values, as large a share as wanted."""
    return np.asarray(mask & (field > np.quantile(field[mask], 1 - share)))
