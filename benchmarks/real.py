"""Errors on normals that photometric stereo and networks delivered for the objects of DiLiGenT, in mm."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
from cached_runs import cached, start
from cases import Case, estimated
from record import write_record
from trials import cached_errors, errors, log

from crevasse import Bilateral, Graduated, Poisson
from crevasse.methods import Method
from crevasse.methods.graduated import smooth_error

METHODS: dict[str, Method] = {"Poisson": Poisson(), "BiNI": Bilateral(), "graduated": Graduated()}
UNAWARE = "graduated, unaware"
NAMES = ("Poisson", "BiNI", UNAWARE, "graduated")


@contextmanager
def unaware() -> Iterator[None]:
    """While this lasts no map errs smoothly."""
    kept = smooth_error.DOUBTED, smooth_error.CERTAIN
    smooth_error.DOUBTED, smooth_error.CERTAIN = 1e9, 2e9
    try:
        yield
    finally:
        smooth_error.DOUBTED, smooth_error.CERTAIN = kept


def errors_unaware(case: Case) -> dict[str, Any]:
    with unaware():
        return errors(case, Graduated())


def measure(case: Case) -> list[dict[str, Any]]:
    """The errors of all methods on one map."""
    source, thing = case.name.split("/")[-2:]
    made = {name: cached_errors(case, method)["made"] for name, method in METHODS.items()}
    made[UNAWARE] = cached(UNAWARE, case.scene, Graduated(), lambda: errors_unaware(case))["made"]
    log(f"{case.name:30s}" + " ".join(f"{made[name]:8.3f}" for name in NAMES))
    best = min(made["Poisson"], made["BiNI"])
    return [
        {"source": source, "object": thing, "method": name, "made": made[name], "to_best_peer": made[name] / best}
        for name in NAMES
    ]


def summarise(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The mean error of each method over the objects, per source."""
    sources = sorted({row["source"] for row in rows})
    return [
        {"source": source}
        | {
            name: float(np.mean([row["made"] for row in rows if row["source"] == source and row["method"] == name]))
            for name in NAMES
        }
        for source in sources
    ]


def main() -> None:
    rows = [row for case in estimated() for row in measure(replace(case, footprint=1.0))]
    if not rows:
        log("CREVASSE_DATA names no data with a folder real: skipped, the last record stays")
        return
    write_record("real", rows, summary=summarise(rows))


if __name__ == "__main__":
    start(main)
