"""Errors on normals that photometric stereo and networks delivered for the objects of DiLiGenT, in mm."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from cached_runs import start
from cases import Case, estimated
from record import write_record
from trials import kept_errors, tell

from crevasse import Bilateral, Graduated, Poisson
from crevasse.methods import Method

METHODS: dict[str, Method] = {"Poisson": Poisson(), "BiNI": Bilateral(), "graduated": Graduated()}


def measure(case: Case) -> list[dict[str, Any]]:
    """The errors of all methods on one map."""
    source, thing = case.name.split("/")[-2:]
    rows = [
        {"source": source, "object": thing, "method": name, "made": kept_errors(case, method)["made"]}
        for name, method in METHODS.items()
    ]
    tell(f"{case.name:30s}" + " ".join(f"{row['made']:8.3f}" for row in rows))
    return rows


def summarise(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The mean error of each method over the objects, per source."""
    sources = sorted({row["source"] for row in rows})
    return [
        {"source": source}
        | {
            name: float(np.mean([row["made"] for row in rows if row["source"] == source and row["method"] == name]))
            for name in METHODS
        }
        for source in sources
    ]


def main() -> None:
    rows = [row for case in estimated() for row in measure(replace(case, footprint=1.0))]
    if not rows:
        tell("CREVASSE_DATA names no data with a folder real: skipped, the last record stays")
        return
    write_record("real", rows, summary=summarise(rows))


if __name__ == "__main__":
    start(main)
