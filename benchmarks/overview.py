"""Mean errors of the methods over four groups of maps: the README's accuracy table.

    python benchmarks/overview.py                      every method (AuxiliaryEdges takes most of the time)
    python benchmarks/overview.py crevasse             the default and its variant, after a change of the default
    python benchmarks/overview.py --collect            measure nothing; only fill gaps from the record `literature`

Methods that are not named keep their rows of the last record; Ctrl-C records the rows that are finished. Rows of
`AuxiliaryEdges` that are missing come from the record `literature`, which gives the method fewer iterations; the new
record says so. Errors are in millimetres on DiLiGenT, in pixels on the unseen scenes.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from statistics import mean, median
from typing import Any

from cached_runs import start
from cases import Case, estimated, measured, unseen
from record import RESULTS, read_record, write_record
from trials import PAPER_ITERATIONS, cached_errors, log

from crevasse import AuxiliaryEdges, Bilateral, Graduated, Poisson
from crevasse.methods import Method

RECORD = "overview"
"""Name of the record, which tables of the documentation refer to."""
PLAIN = "crevasse, spanning off"
AUXILIARY = "auxiliary edges"
METHODS: dict[str, Method] = {
    PLAIN: Graduated(spanning=False),
    "crevasse": Graduated(),
    "BiNI": Bilateral(),
    AUXILIARY: AuxiliaryEdges(iterations=600),
    "Poisson": Poisson(),
}
"""The methods by their names in tables; the published ones were written anew from their papers."""

TRUE, LESS, ESTIMATED = "true normals, mm", "without goblet, mm", "estimated normals, mm"
UNSEEN, UNSEEN_MEDIAN = "unseen scenes, px", "their median, px"


@cache
def groups() -> dict[str, list[Case]]:
    true = [case for case in measured() if case.name.startswith("diligent/")]
    less = [case for case in true if case.name != "diligent/goblet"]
    return {LESS: less, TRUE: true, ESTIMATED: list(estimated()), UNSEEN: list(unseen())}


def measure(names: list[str]) -> Iterator[dict[str, Any]]:
    """A row per method and map."""
    cases = dict.fromkeys(case for group in groups().values() for case in group)
    for name in names:
        for case in cases:
            found = cached_errors(case, METHODS[name])
            log(f"{case.name:34s} {name:30s} {found['made']:9.4f}")
            yield {"case": case.name, "method": name, "made": found["made"]}


def summarise(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Mean and median over each group, for methods that were measured on all of it."""
    errors = {(row["method"], row["case"]): row["made"] for row in rows}
    found = []
    for name in METHODS:
        for title, cases in groups().items():
            values = [errors[name, case.name] for case in cases if (name, case.name) in errors]
            if values and len(values) == len(cases):
                found.append({"method": name, "maps": title, "mean": mean(values), "median": median(values)})
    return found


def shorten(summary: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The README's table: means, and the median of the unseen scenes, whose mean a few misplaced islands dominate."""
    means = [{"method": row["method"], "maps": row["maps"], "error": row["mean"]} for row in summary]
    unseen = [row for row in summary if row["maps"] == UNSEEN]
    medians = [{"method": row["method"], "maps": UNSEEN_MEDIAN, "error": row["median"]} for row in unseen]
    return sorted(means + medians, key=lambda row: list(METHODS).index(row["method"]))


def collect(rows: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], str]:
    """The rows of `AuxiliaryEdges` that are missing, from the record `literature`, and a sentence on their origin."""
    known = {row["case"] for row in rows if row["method"] == AUXILIARY}
    wanted = {case.name for group in groups().values() for case in group} - known
    record = read_record("literature")
    found = [
        {"case": name, "method": AUXILIARY, "made": row["made"], "iterations": PAPER_ITERATIONS}
        for row in record["rows"]
        if row["method"] == "auxiliary" and (name := f"{row['group']}/{row['object']}") in wanted
    ]
    origin = f"record `literature`, {record['created'][:10]}, commit {record['commit']}"
    where = "estimated normals and unseen scenes" if known else "all maps"
    return found, f"{AUXILIARY} on {where}: {origin}, {PAPER_ITERATIONS} iterations"


def complete(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The parts of the record that follow from the rows that this script measured."""
    own = [row for row in rows if "iterations" not in row]
    found, origin = collect(own)
    every = sorted(own + found, key=lambda row: list(METHODS).index(row["method"]))
    summary = summarise(every)
    return {"also": origin if found else "", "summary": summary, "compact": shorten(summary), "rows": every}


def main() -> None:
    if sys.argv[1:] == ["--collect"]:
        record = read_record(RECORD)
        # Nothing is measured, so the record keeps its date and commit.
        (RESULTS / f"{RECORD}.json").write_text(json.dumps(record | complete(record["rows"]), indent=1) + "\n")
        return
    asked = sys.argv[1:] or list(METHODS)
    names = [name for name in METHODS if any(name.startswith(word) for word in asked)]
    if not names or not groups()[UNSEEN]:
        log("no method of this name, or CREVASSE_DATA names no data: skipped, the last record stays")
        return
    rows = []
    with suppress(KeyboardInterrupt):
        for row in measure(names):
            rows.append(row)
    if (RESULTS / f"{RECORD}.json").exists():
        rows += [row for row in read_record(RECORD)["rows"] if row["method"] not in names]
    write_record(RECORD, **complete(rows))


if __name__ == "__main__":
    start(main)
