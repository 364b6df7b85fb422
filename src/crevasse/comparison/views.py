"""Mirror images of a map: they hold the same evidence, so differences between their results are luck."""

from __future__ import annotations

from dataclasses import replace
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crevasse.comparison.scores import Row
from crevasse.files import NormalMap
from crevasse.knowledge import Given

MIRRORED = ((False, False), (False, True), (True, False), (True, True))
"""Whether rows and columns are reversed: as is, left to right, upside down, both."""
LARGEST_SPREAD = 1e6
"""Bound of the ratio of errors where the smallest is 0."""


def mirror(found: NormalMap, rows: bool, columns: bool) -> NormalMap:
    """The map as a mirror shows it: upside down (`rows`), left to right (`columns`), or both."""

    def turn(image: NDArray[Any]) -> NDArray[Any]:
        return np.ascontiguousarray(image[:: -1 if rows else 1, :: -1 if columns else 1])

    if not (rows or columns):
        return found
    known = Given(found.prior, found.points, None, found.fixed).mirrored(found.shape, rows, columns)
    return replace(
        found,
        normals=turn(found.normals) * [-1.0 if columns else 1.0, -1.0 if rows else 1.0, 1.0],
        mask=turn(found.mask),
        camera=found.camera.mirrored(found.shape, rows, columns),
        depth=None if found.depth is None else turn(found.depth),
        weights=None if found.weights is None else turn(found.weights),
        prior=known.prior,
        points=known.points,
        fixed=known.fixed,
    )


def views_of(found: NormalMap, count: int) -> list[NormalMap]:
    """The first `count` of the map as is, left to right, upside down, and both."""
    return [mirror(found, rows, columns) for rows, columns in MIRRORED[:count]]


def join_views(scores: list[Row]) -> Row:
    """One row of those of the views: means of what varies, the first of the others, and the error of each view.

    The spread is the largest error over the smallest.
    """
    joined = dict(scores[0])
    for name, value in joined.items():
        if isinstance(value, float):
            joined[name] = fmean(each[name] for each in scores)
    if len(scores) > 1 and "made" in joined:
        errors = [each["made"] for each in scores]
        joined |= {"views": errors, "spread": _ratio(max(errors), min(errors))}
    return joined


def _ratio(most: float, least: float) -> float:
    if most == 0:
        return 1.0
    return min(most / least, LARGEST_SPREAD) if least > 0 else LARGEST_SPREAD
