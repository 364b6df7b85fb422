"""Average scores over maps, where their units allow it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean

from crevasse.comparison.scores import MEASURED, WITH_UNIT, Row


def common_unit(rows: Iterable[Row]) -> str | None:
    """The unit of all errors, None where they differ or there is none."""
    units = {row["unit"] for row in rows if row["unit"] is not None}
    return units.pop() if len(units) == 1 else None


def mean_of(rows: Sequence[Row], method: str, column: str) -> float | None:
    """Mean of a method's values; None where a map has a value of some method but not of this one.

    So the means of two methods are always over the same maps.
    """
    if column in WITH_UNIT and common_unit(rows) is None:
        return None
    wanted = {row["object"] for row in rows if row[column] is not None}
    values = [row[column] for row in rows if row["method"] == method and row[column] is not None]
    return fmean(values) if values and len(values) == len(wanted) else None


def means(rows: Sequence[Row], methods: Iterable[str]) -> dict[str, dict[str, float | None]]:
    """The mean of every column by method."""
    return {method: {column: mean_of(rows, method, column) for column in MEASURED} for method in methods}


def mean_errors(rows: Sequence[Row], methods: Sequence[str]) -> dict[str, object]:
    """Mean errors: in the maps' unit if they share one, else in pixels; and always in pixels."""
    unit = common_unit(rows)
    pixels = {name: mean_of(rows, name, "made_px") for name in methods}
    own = {name: mean_of(rows, name, "made") for name in methods}
    return {"mean": pixels if unit is None else own, "mean_unit": unit or "px", "mean_px": pixels}
