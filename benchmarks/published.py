"""Readings of what the paper leaves open, each on DiLiGenT with the paper's constants, beside what it prints.

python benchmarks/published.py [READING...]    readings that are not named keep the rows of the last record

What more iterations give is taken from the record of benchmarks/convergence.py.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from cached_runs import start
from record import RESULTS, read_record, write_record
from trials import OBJECTS, PAPER_ITERATIONS, PRINTED, group, trial

from crevasse import AuxiliaryEdges

LITERAL = AuxiliaryEdges(iterations=PAPER_ITERATIONS, threshold=1.0)
FOCAL = 3772.0
"""Focal length of DiLiGenT in pixels: one unit of logarithmic depth is so many pixels."""

READINGS = {
    "pixels": LITERAL,
    "n_z of the normal": replace(LITERAL, tangency="normal"),
    "mirrored border": replace(LITERAL, border="mirror"),
    "solves to 1e-2": replace(LITERAL, tolerance=1e-2),
    "logarithmic depth": replace(LITERAL, threshold=FOCAL, filter_unit=FOCAL),
    "logarithmic depth in the weights": replace(LITERAL, threshold=FOCAL),
    "half pixels": replace(LITERAL, threshold=0.5, filter_unit=0.5),
    "quarter pixels": replace(LITERAL, threshold=0.25, filter_unit=0.25),
    "tenths of a pixel": replace(LITERAL, threshold=0.1, filter_unit=0.1),
    "tenths of a pixel in the weights": replace(LITERAL, threshold=0.1),
    "the same, 3 solver iterations": replace(LITERAL, threshold=0.1, solver_iterations=3),
    "the same, 12 solver iterations": replace(LITERAL, threshold=0.1, solver_iterations=12),
    "weights from the residual": replace(LITERAL, weighted_by="residual"),
    "weights from the residual, tenths": replace(LITERAL, weighted_by="residual", threshold=0.1),
}

LONGER = {f"the default, {count} iterations": count for count in (600, 1300, 5000)}


def summarise(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Per reading the mean error, and how far its errors are from the printed ones."""
    printed = dict(zip(OBJECTS, PRINTED["auxiliary edges, printed"], strict=True))
    found = []
    for reading in dict.fromkeys(row["reading"] for row in rows):
        errors = {row["object"]: row["made"] for row in rows if row["reading"] == reading}
        ratios = [abs(np.log(error / printed[thing])) for thing, error in errors.items()]
        mean = float(np.mean(list(errors.values()))) if len(errors) == len(OBJECTS) else None
        found.append({"reading": reading, "mean": mean, "typical_factor": float(np.exp(np.median(ratios)))})
    return found


def longer() -> Iterator[dict[str, Any]]:
    """What the default reading gives after more iterations."""
    if (RESULTS / "convergence.json").exists():
        for reading, count in LONGER.items():
            for row in read_record("convergence")["rows"]:
                if row["iteration"] == count:
                    yield {"reading": reading, "object": row["object"], "made": row["made"], "iterations": count}


def store(rows: list[dict[str, Any]]) -> None:
    """Write the record: these readings, and those of the last record that are not among them."""
    rows = rows + list(longer())
    fresh = {row["reading"] for row in rows}
    if (RESULTS / "published.json").exists():
        rows = rows + [row for row in read_record("published")["rows"] if row["reading"] not in fresh]
    order = ["printed", *READINGS, *LONGER]
    known = sorted((row for row in rows if row["reading"] in order), key=lambda row: order.index(row["reading"]))
    write_record("published", known, summary=summarise(known))


def main() -> None:
    cases = group("diligent")
    printed = zip(OBJECTS, PRINTED["auxiliary edges, printed"], strict=True)
    rows: list[dict[str, Any]] = [{"reading": "printed", "object": thing, "made": value} for thing, value in printed]
    for reading in sys.argv[1:] or READINGS:
        told = [trial(case, reading, READINGS[reading]) for case in cases]
        rows += [{"reading": reading, **{key: row[key] for key in ("object", "made", "iterations")}} for row in told]
    store(rows)


if __name__ == "__main__":
    start(main)
