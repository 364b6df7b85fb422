"""Measure how a surface and the normals that it was made from fit together."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array
from crevasse.metrics import normal_angles
from crevasse.result import Integration

OPEN_LOOP = 0.1
"""Pixels by which the steps around four neighbouring pixels must fail to cancel to count as open."""
SIZES = (1.0, 3.0, 10.0, 30.0)
"""Pixels at which classes of jumps begin and end."""
TURN = 6.0
"""Degrees by which normals turn where something speaks for a jump."""
Mask = NDArray[np.bool_]


class Curl(NamedTuple):
    """Share of the loops around four neighbouring pixels whose steps do not cancel."""

    before: float
    after: float
    """Of those that no jump crosses."""


def measure_curl(result: Integration) -> Curl:
    """Curl of the normals, before and after the surface is cut along its jumps."""
    right, down = (slope.astype(float) for slope in result.surface.steepness)
    mask = result.mask
    inside = mask[:-1, :-1] & mask[:-1, 1:] & mask[1:, :-1] & mask[1:, 1:]
    beside, below = (right[:, 1:] + right[:, :-1]) / 2, (down[1:] + down[:-1]) / 2
    loop = np.abs((beside[:-1] - beside[1:]) + (below[:, 1:] - below[:, :-1]))
    wide, tall = result.cuts
    whole = inside & ~(wide[1:] | wide[:-1] | tall[:, 1:] | tall[:, :-1])
    return Curl(_share(loop > OPEN_LOOP, inside), _share(loop > OPEN_LOOP, whole))


def _share(flags: Mask, where: Mask) -> float:
    return float(int(np.count_nonzero(flags & where)) / max(int(np.count_nonzero(where)), 1))


class Angles(NamedTuple):
    """Angles in degrees between the normals of the surface and those it was made from, away from jumps."""

    middle: float
    """Median."""
    wide: float
    """Ninetieth percentile."""
    image: Array
    """(H-1, W-1), NaN where there is none."""


def measure_angles(result: Integration) -> Angles:
    """How well the surface follows its normals."""
    image = normal_angles(
        result.depth, np.where(result.mask[..., None], result.normals, np.nan), result.camera, result.cuts
    )
    known = image[np.isfinite(image)]
    middle, wide = (float(np.quantile(known, share)) if known.size else 0.0 for share in (0.5, 0.9))
    return Angles(middle, wide, image)


class JumpSizes(NamedTuple):
    """Jumps of a surface by their height in pixels."""

    counts: tuple[int, ...]
    """Pairs of neighbours per class: below the first of `SIZES`, between the first two ..."""
    share: float
    """Of all pairs of neighbours."""
    tallest: float
    """Pixels; the 99th percentile, since single pixels may stand off."""
    unturned: float
    """Share of the jumps at which the normals turn by less than `TURN`: nothing but their curl speaks for them."""


def measure_jumps(result: Integration) -> JumpSizes:
    """The jumps by size, and whether the normals speak for them."""
    right, down = result.jumps
    sizes = np.concatenate(
        [
            (right[0::2] + right[1::2])[result.cuts.right] / 2,
            (down[:, 0::2] + down[:, 1::2])[result.cuts.down] / 2,
        ]
    )
    pixels = np.abs(sizes) / result.footprint
    normals = result.normals
    cosine = np.concatenate(
        [
            (normals[:, 1:] * normals[:, :-1]).sum(axis=-1)[result.cuts.right],
            (normals[1:] * normals[:-1]).sum(axis=-1)[result.cuts.down],
        ]
    )
    mask = result.mask
    pairs = int(np.count_nonzero(mask[:, 1:] & mask[:, :-1])) + int(np.count_nonzero(mask[1:] & mask[:-1]))
    turned = np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0))) >= TURN
    classes = np.bincount(np.searchsorted(SIZES, pixels), minlength=len(SIZES) + 1)
    return JumpSizes(
        tuple(int(count) for count in classes),
        len(pixels) / max(pairs, 1),
        float(np.quantile(pixels, 0.99)) if len(pixels) else 0.0,
        float((~turned).mean()) if len(pixels) else 0.0,
    )


class Bend(NamedTuple):
    """The smooth part of a surface: a plane and a bowl fitted to its heights, in pixels."""

    tilt: float
    """Degrees."""
    sag: float
    """Height of the bowl over the width of the surface."""
    relief: float
    """Range of the heights without their outermost two percent."""


def measure_bend(result: Integration) -> Bend:
    """How far the surface as a whole is tilted and bent."""
    rows, columns = np.nonzero(result.mask)
    heights = result.surface.heights[rows, columns]
    low, high = np.quantile(heights, [0.02, 0.98])
    half = max(int(np.ptp(rows)), int(np.ptp(columns)), 1) / 2
    x, y = (columns - columns.mean()) / half, (rows - rows.mean()) / half
    terms = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1)
    found = np.linalg.lstsq(terms, heights, rcond=None)[0]
    tilt = float(np.degrees(np.arctan(np.hypot(found[1], found[2]) / half)))
    bowl = np.linalg.eigvalsh([[found[3], found[4] / 2], [found[4] / 2, found[5]]])
    return Bend(tilt, float(np.abs(bowl).max()), float(high - low))
