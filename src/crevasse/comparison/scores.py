"""Score a result against the true depth, where it is known, and against the normals."""

from __future__ import annotations

from typing import Any

from crevasse import metrics
from crevasse.files import NormalMap
from crevasse.result import Integration

Row = dict[str, Any]

AGAINST_TRUTH = (
    *("made", "unit", "made_px", "made_aligned", "rmse", "median", "angle"),
    *("jump_precision", "jump_recall"),
)
"""Scores that need the true depth."""
OF_ITSELF = ("normal_angle", "jump_share", "difference_px")
"""Scores that need no truth; the difference is from the reference method, in pixels."""
OF_THE_RUN = ("seconds", "pixels", "iterations", "status")
COLUMNS = ("object", "method", *AGAINST_TRUTH, *OF_ITSELF, *OF_THE_RUN, "state", "views", "spread")
"""The fields of a row. `state` is "done", "refused" (the method cannot take the map) or "failed"."""
EVALUATED = (*AGAINST_TRUTH, *OF_THE_RUN)
"""The fields that `crevasse evaluate` prints for each map and method."""
MEASURED = tuple(name for name in (*AGAINST_TRUTH, *OF_ITSELF, "seconds", "iterations") if name != "unit")
"""The fields that are numbers and have means."""
WITH_UNIT = ("made", "made_aligned", "rmse", "median")
"""The fields in the unit of the truth: their means need maps of one unit."""


def empty_row(title: str, method: str) -> Row:
    """A row without any value."""
    return {**dict.fromkeys(COLUMNS), "object": title, "method": method}


def score(found: NormalMap, result: Integration, seconds: float) -> Row:
    """All scores of one result; those that depend on other methods are added later."""
    truth = {} if found.depth is None else true_scores(found, result)
    return {
        **truth,
        "normal_angle": metrics.normal_angle(result.depth, result.normals, result.camera, result.cuts),
        "jump_share": metrics.jump_share(result.mask, result.cuts),
        "seconds": seconds,
        "pixels": result.pixels,
        "iterations": result.iterations,
        "status": str(result.status),
        "state": "done",
    }


def true_scores(found: NormalMap, result: Integration) -> Row:
    """Errors against the true depth of a map that has one."""
    assert found.depth is not None
    against = (result.depth, found.depth, found.camera)
    error = metrics.made(*against)
    right = metrics.true_jumps(found.depth, found.normals, found.camera)
    jumps = metrics.jump_scores(result.cuts, right)
    silent = not any(part.any() for part in result.cuts) and any(part.any() for part in right)
    return {
        "made": error,
        "made_px": error / pixel_width(found),
        "unit": found.unit or found.truth_unit,
        "made_aligned": metrics.made_aligned(*against, result.islands),
        "rmse": metrics.rmse(*against),
        "median": metrics.median_error(*against),
        "angle": metrics.angular_error(*against),
        # No share of no jumps: a method that tears nothing is not precise.
        "jump_precision": None if silent else jumps.precision,
        "jump_recall": jumps.recall,
    }


def pixel_width(found: NormalMap) -> float:
    """Side of a pixel on the true surface, in the unit of the truth."""
    assert found.depth is not None
    return found.footprint or metrics.footprint(found.depth, found.camera)
