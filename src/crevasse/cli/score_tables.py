"""The table that evaluate prints: a line per map, the methods side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crevasse.files.columns import table
from crevasse.files.map_folder import UNKNOWN_UNIT

if TYPE_CHECKING:
    from crevasse.comparison import Comparison

CELLS = {"made": "{:.4g}", "made_px": "{:.3f}", "made_aligned": "{:.4g}", "angle": "{:.2f}", "seconds": "{:.2f}"}
"""What the table shows of each method."""


def as_text(found: Comparison) -> str:
    """For each map and method the error, in pixels, aligned, the angle of its normals, and seconds; the means."""
    unit = found.unit
    entries = found.entries([*CELLS, "unit"])
    heads = ["object", *(["unit"] if unit is None else [])]
    for name in found.methods:
        heads += [name, "px", "aligned", "angle", "seconds"]
    rows = []
    for title, entry in entries.items():
        row = [title, *([next(iter(entry.values()))["unit"]] if unit is None else [])]
        for name in found.methods:
            row += [_cell(column, entry.get(name, {}).get(column)) for column in CELLS]
        rows.append(row)
    last = ["mean", *([""] if unit is None else [])]
    for name in found.methods:
        means = {**found.means[name], "made_aligned": None}
        last += ["" if means[column] is None else _cell(column, means[column]) for column in CELLS]
    note = f"Mean absolute depth errors, {unit}." if unit else "The maps' units differ: means are in pixels only."
    if unit == UNKNOWN_UNIT and len(entries) > 1:
        note += " No map says which unit that is: the means hold if all have the same."
    return f"{note}\n{table(heads, [*rows, last])}"


def _cell(column: str, value: float | None) -> str:
    return "-" if value is None else CELLS[column].format(value)
