"""Errors of the methods on every map with known depth; the record is what the regression guard holds later code to.

python benchmarks/accuracy.py [METHOD...]    methods that are not named keep the rows of the last record
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

from cached_runs import start
from cases import Case, built_in, measured
from record import RESULTS, read_record, write_record
from trials import PAPER_ITERATIONS, cached_errors, errors, log

from crevasse import AuxiliaryEdges, Bilateral, Graduated, Poisson
from crevasse.methods import Method

METHODS: dict[str, Method] = {
    "graduated": Graduated(),
    "poisson": Poisson(),
    "bilateral": Bilateral(),
    "auxiliary": AuxiliaryEdges(iterations=PAPER_ITERATIONS),
}

GUARDED = ("graduated", "poisson")
"""Methods that are quick enough to be measured with every change."""


def measure(case: Case, name: str, how: Callable[[Case, Method], dict[str, Any]] = errors) -> dict[str, Any]:
    """A row: mean absolute depth errors, in the units that the case's footprint says."""
    found = how(case, METHODS[name])
    return {"case": case.name, "method": name, "made": found["made"], "made_aligned": found["made_aligned"]}


def measure_all(names: list[str]) -> Iterator[dict[str, Any]]:
    for case in chain(measured(), built_in()):
        for name in names:
            row = measure(case, name, cached_errors)
            log(f"{case.name:30s} {name:10s} {row['made']:9.4f} {row['made_aligned']:9.4f}")
            yield row


def means(rows: list[dict[str, Any]]) -> dict[str, float]:
    """Mean error per method and group of cases."""
    groups: dict[str, list[float]] = {}
    for row in rows:
        group = row["case"].split("/")[0]
        groups.setdefault(f"{row['method']} {group}", []).append(row["made"])
        if group == "diligent" and row["case"] != "diligent/goblet":
            groups.setdefault(f"{row['method']} diligent without goblet", []).append(row["made"])
    return {name: sum(values) / len(values) for name, values in groups.items()}


def main() -> None:
    names = sys.argv[1:] or list(METHODS)
    rows = list(measure_all(names))
    fresh = {(row["case"], row["method"]) for row in rows}
    if (RESULTS / "accuracy.json").exists():
        rows += [row for row in read_record("accuracy")["rows"] if (row["case"], row["method"]) not in fresh]
    rows.sort(key=lambda row: (row["case"], list(METHODS).index(row["method"])))
    write_record("accuracy", rows, means=means(rows))


if __name__ == "__main__":
    start(main)
