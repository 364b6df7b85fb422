"""Format errors of methods as a table: text, CSV, LaTeX."""

from __future__ import annotations

import csv
import io
from typing import Any

from crevasse.cli.console import table

Objects = dict[str, dict[str, Any]]
"""By object and method: what was measured."""

COLUMNS = (
    *("made", "unit", "made_px", "made_aligned", "rmse", "median", "angle"),
    *("jump_precision", "jump_recall", "seconds", "pixels", "iterations", "status"),
)
"""What CSV holds for each object and method."""


def common_unit(objects: Objects) -> str | None:
    """The unit of all errors, None where they differ."""
    units = {entry["unit"] for entries in objects.values() for entry in entries.values()}
    return units.pop() if len(units) == 1 else None


def summarise(objects: Objects, methods: list[str]) -> dict[str, Any]:
    """Means over the objects: in their unit if they share one, else in pixels; and always in pixels."""
    unit = common_unit(objects)
    pixels = {name: mean([entries[name]["made_px"] for entries in objects.values()]) for name in methods}
    own = {name: mean([entries[name]["made"] for entries in objects.values()]) for name in methods}
    return {"mean": pixels if unit is None else own, "mean_unit": unit or "px", "mean_px": pixels}


def mean(values: list[float]) -> float:
    """Mean of values; NaN of none."""
    return sum(values) / len(values) if values else float("nan")


def as_text(objects: Objects, methods: list[str]) -> str:
    """A line per object; for each method its error, in pixels, aligned, the angle of its normals, and seconds."""
    unit = common_unit(objects)
    means = summarise(objects, methods)
    heads = ["object", *(["unit"] if unit is None else [])]
    for name in methods:
        heads += [name, "px", "aligned", "angle", "seconds"]
    rows = []
    for title, entries in objects.items():
        row = [title, *([entries[methods[0]]["unit"]] if unit is None else [])]
        for name in methods:
            entry = entries[name]
            row += [f"{entry['made']:.4g}", f"{entry['made_px']:.3f}", f"{entry['made_aligned']:.4g}"]
            row += [f"{entry['angle']:.2f}", f"{entry['seconds']:.2f}"]
        rows.append(row)
    last = ["mean", *([""] if unit is None else [])]
    for name in methods:
        seconds = mean([entries[name]["seconds"] for entries in objects.values()])
        angle = mean([entries[name]["angle"] for entries in objects.values()])
        own = "" if unit is None else f"{means['mean'][name]:.4g}"
        last += [own, f"{means['mean_px'][name]:.3f}", "", f"{angle:.2f}", f"{seconds:.2f}"]
    note = f"Mean absolute depth errors, {unit}." if unit else "The maps' units differ: means are in pixels only."
    return f"{note}\n{table(heads, [*rows, last])}"


def as_csv(objects: Objects, methods: list[str]) -> str:
    """A line per object and method, with everything that was measured; no means."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["object", "method", *COLUMNS])
    for title, entries in objects.items():
        for name in methods:
            writer.writerow([title, name, *(entries[name][column] for column in COLUMNS)])
    return stream.getvalue().rstrip("\n")


def as_latex(objects: Objects, methods: list[str]) -> str:
    """A tabular with a column per object, as papers print it: the best of each column in bold."""
    unit = common_unit(objects)
    key = "made_px" if unit is None else "made"
    names = list(objects)
    lines = [
        rf"% mean absolute depth error, {unit or 'px'}",
        rf"\begin{{tabular}}{{l{'r' * (len(names) + 1)}}}",
        r"\toprule",
        " & ".join(["method", *map(_escaped, names), "mean"]) + r" \\",
        r"\midrule",
    ]
    columns = [[objects[title][name][key] for name in methods] for title in names]
    columns.append([mean([column[k] for column in columns]) for k in range(len(methods))])
    for k, name in enumerate(methods):
        cells = [_bold(f"{column[k]:.3g}", column[k] == min(column)) for column in columns]
        lines.append(" & ".join([_escaped(name), *cells]) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])


def _bold(text: str, best: bool) -> str:
    return rf"\textbf{{{text}}}" if best else text


def _escaped(text: str) -> str:
    return text.replace("\\", r"\textbackslash{}").replace("_", r"\_").replace("%", r"\%").replace("&", r"\&")
