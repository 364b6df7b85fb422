"""Say in words how sure a result is."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from crevasse.cameras import Array
from crevasse.result import Integration

NINETY = 1.6449
"""Standard deviations to either side that hold 90 % of normal errors."""
DOUBTED_PIXELS = 1.0
"""Half width of the 90 % interval, in pixels, from which a pixel is doubtful..."""
DOUBTED_SHARE = 0.01
"""...if it is also more than this share of the relief."""
MANY = 0.1
"""Share of doubtful pixels from which there is a warning."""


class Reliability(NamedTuple):
    """How sure a result is, in numbers."""

    half_width: float
    """Half width of the 90 % interval at the median pixel, in depth units."""
    wide: float
    """The same that nine tenths of the placed pixels are below."""
    doubted_from: float
    """Half width from which a pixel is doubtful, in depth units."""
    doubtful: float
    """Share of the placed pixels that are doubtful."""
    unplaced: float
    """Share of pixels on islands."""
    relief: float
    """Range of the depth without its outermost two percent."""


def rate(result: Integration, sigma: Array) -> Reliability:
    """The numbers of a result with this sigma."""
    inside = sigma[result.mask]
    placed = NINETY * inside[np.isfinite(inside)]
    low, high = np.percentile(result.depth[result.mask], [2.0, 98.0])
    limit = max(DOUBTED_PIXELS * result.footprint, DOUBTED_SHARE * float(high - low))
    half, wide = (float(np.quantile(placed, share)) for share in (0.5, 0.9))
    doubtful = float((placed > limit).mean())
    return Reliability(half, wide, limit, doubtful, 1.0 - len(placed) / len(inside), float(high - low))


def describe(result: Integration, found: Reliability, degrees: float, assumed: bool) -> str:
    """How sure a result is, in sentences; the first one is the verdict.

    They promise little: on some maps whole parts are misplaced although nothing shows it (`benchmarks/sigma.py`).
    """
    words = [
        _verdict(result, found),
        f"Estimated 90 % intervals: at most ± {length(result, found.half_width)} for half of the pixels, at most"
        f" ± {length(result, found.wide)} for nine tenths; the relief is {length(result, found.relief)}.",
    ]
    if degrees:
        source = "assumed, because the map shows such an error" if assumed else "as given"
        words.append(f"This assumes normals that err smoothly by {degrees:g} degrees ({source}).")
    else:
        words.append(
            "This assumes normals without a smooth error, which need not show in the map; normals from photometric"
            " stereo or a network have one."
        )
    if any(part.any() for part in result.cuts):
        words.append("A whole part beyond a jump may lie elsewhere without a sign of it.")
    return " ".join(words)


def _verdict(result: Integration, found: Reliability) -> str:
    limit = length(result, found.doubted_from)
    doubtful = found.doubtful * (1 - found.unplaced)
    islands = f"{percent(found.unplaced)} of the pixels lie on islands, whose distance nothing determines"
    if doubtful > MANY:
        more = f", and {islands}" if found.unplaced else ""
        return f"Doubtful: {percent(doubtful)} of the pixels may be off by more than {limit}{more}."
    if found.unplaced > MANY:
        return f"Partly doubtful: {islands}."
    more = f" {islands}." if found.unplaced else ""
    sure = percent(1 - doubtful - found.unplaced)
    return f"No doubts found: {sure} of the pixels are estimated to lie within {limit} of the truth.{more}"


def percent(share: float) -> str:
    """A share for people.

    >>> percent(0.987), percent(0.0004), percent(1.0)
    ('99 %', '0.04 %', '100 %')
    """
    return f"{100 * share:.0f} %" if share >= 0.0995 or share == 0 else f"{100 * share:.1g} %"


def length(result: Integration, depth: float) -> str:
    """A length along the view: in its unit, or in pixels."""
    value, unit = (depth, result.unit) if result.unit else (depth / result.footprint, "px")
    return f"{value:.0f} {unit}" if value >= 99.5 else f"{value:.2g} {unit}"
