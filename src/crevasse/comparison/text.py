"""Tables for the terminal: one per map, a row per method."""

from __future__ import annotations

from collections.abc import Sequence

from crevasse.comparison.means import common_unit, means
from crevasse.comparison.scores import Row
from crevasse.files.columns import table
from crevasse.status import Status

Names = tuple[str, ...]

PIXELS = "px"

HEADS_WITH_TRUTH: Names = ("error", "px", "aligned", "RMSE", "precision", "recall", "seconds", "iterations", "status")
HEADS_WITHOUT: Names = ("difference", "angle", "jumps", "seconds", "iterations", "status")
WITH_TRUTH: Names = (
    "made",
    "made_px",
    "made_aligned",
    "rmse",
    "jump_precision",
    "jump_recall",
    "seconds",
    "iterations",
)
WITHOUT: Names = ("difference_px", "normal_angle", "jump_share", "seconds", "iterations")
FORMATS = {
    "made_px": "{:.3f}",
    "difference_px": "{:.3f} px",
    "normal_angle": "{:.2f}°",
    "jump_share": "{:.2%}",
    "jump_precision": "{:.2f}",
    "jump_recall": "{:.2f}",
    "seconds": "{:.2f}",
    "iterations": "{:.0f}",
}
SHORT = {status.value: status.name.lower().replace("_", " ") for status in Status}
"""The statuses of finished runs in a word or two."""


def to_text(rows: Sequence[Row], methods: Sequence[str], reference: str) -> str:
    """A table per map, the means of several maps, and why methods have no result."""
    objects = list(dict.fromkeys(row["object"] for row in rows))
    parts = [_map_table(title, [row for row in rows if row["object"] == title], reference) for title in objects]
    if len(objects) > 1:
        parts += _mean_tables(rows, methods)
    return "\n\n".join([*parts, *_reasons(rows)])


def _reasons(rows: Sequence[Row]) -> list[str]:
    """Why methods have no result, a line for each reason."""
    found: dict[str, list[str]] = {}
    for row in rows:
        if row["state"] != "done":
            found.setdefault(f"{row['method']}: {row['status']}", []).append(row["object"])
    lines = [f"{reason} ({', '.join(maps)})" for reason, maps in found.items()]
    return ["\n".join(lines)] if lines else []


def _map_table(title: str, rows: Sequence[Row], reference: str) -> str:
    unit = common_unit(rows)
    if unit is None:
        heads, columns = HEADS_WITHOUT, WITHOUT
        about = f"{title}: differences from {reference}, angles to the given normals, share of pairs that jump"
    else:
        heads, columns = _scores_in(unit)
        about = f"{title}: mean absolute depth errors, {unit}"
    lines = [[row["method"], *_cells(row, columns), _status(row)] for row in rows]
    extra = _spreads(rows)
    return f"{about}\n{table(['method', *heads], lines)}{extra}"


def _scores_in(unit: str | None) -> tuple[Names, Names]:
    """Heads and columns of errors in this unit; in pixels they need no column of their own."""
    if unit != PIXELS:
        return HEADS_WITH_TRUTH, WITH_TRUTH
    return tuple(head for head in HEADS_WITH_TRUTH if head != PIXELS), tuple(c for c in WITH_TRUTH if c != "made_px")


def _spreads(rows: Sequence[Row]) -> str:
    """The errors of the mirrored views, where there are several."""
    lines = [
        [row["method"], *(f"{error:.4g}" for error in row["views"]), f"{row['spread']:.3g}"]
        for row in rows
        if row["views"]
    ]
    if not lines:
        return ""
    heads = ["view", "as is", "left-right", "up-down", "both"][: len(lines[0]) - 1]
    return "\n" + table([*heads, "largest / smallest"], lines)


def _mean_tables(rows: Sequence[Row], methods: Sequence[str]) -> list[str]:
    """Means over the maps with truth and over those without, where there are several."""
    found = []
    for known in (True, False):
        titles = {row["object"] for row in rows if (row["made"] is not None) == known and row["state"] == "done"}
        chosen = [row for row in rows if row["object"] in titles]
        if len(titles) < 2:
            continue
        unit = common_unit(chosen)
        heads, columns = _scores_in(unit) if known else (HEADS_WITHOUT, WITHOUT)
        averages = means(chosen, methods)
        lines = [[name, *_cells(averages[name], columns)] for name in methods]
        about = f"mean of {len(titles)} maps"
        if known:
            about += f", {unit}" if unit else " (units differ: errors are in pixels only)"
        found.append(f"{about}\n{table(['method', *heads[:-1]], lines)}")
    return found


def _cells(row: Row, columns: Sequence[str]) -> list[str]:
    return [_cell(column, row.get(column)) for column in columns]


def _cell(column: str, value: float | None) -> str:
    return "-" if value is None else FORMATS.get(column, "{:.4g}").format(value)


def _status(row: Row) -> str:
    return SHORT.get(str(row["status"]), str(row["state"]))
