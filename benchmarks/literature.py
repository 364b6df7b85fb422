"""Errors of every method of normal integration on every map with known depth, ground truth and estimated normals.

python benchmarks/literature.py [METHOD...]    methods that are not named keep the rows of the last record

Each method with its default settings, but the published method of auxiliary edges with fewer iterations; methods for
full rectangles have rows only for maps without a mask.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from cached_runs import start
from cases import Case, data_folder, estimated, measured, unseen
from record import RESULTS, read_record, write_record
from trials import OBJECTS, PAPER_ITERATIONS, PRINTED, cached_errors, log

from crevasse.methods import METHODS as CLASSES
from crevasse.methods import AuxiliaryEdges, Method

METHODS: dict[str, Method] = {name: cls() for name, cls in CLASSES.items()}
METHODS["auxiliary"] = AuxiliaryEdges(iterations=PAPER_ITERATIONS)

TITLES = {
    "diligent": "DiLiGenT",
    "real/least-squares": "least squares",
    "real/trimmed": "trimmed",
    "real/mf-psn": "MF-PSN",
    "real/normattention-psn": "NormAttention-PSN",
    "scenes": "scenes",
    "scenes2": "further scenes",
}
"""Folders of the data, and what tables call them: DiLiGenT with its true normals, with four estimates, and scenes."""


def cases() -> Iterator[Case]:
    """The maps of each group, under GROUP/NAME: errors in mm on DiLiGenT, in pixels elsewhere."""
    if data_folder() is None:
        log("CREVASSE_DATA names no data: skipped, the last record stays")
        raise SystemExit(0)
    for found in (measured(), estimated(), unseen()):
        yield from (case for case in found if case.name.rpartition("/")[0] in TITLES)


def measure(case: Case, name: str) -> dict[str, Any] | None:
    """A row, or None if the method does not take this map."""
    method = METHODS[name]
    if "mask" not in method.accepts and not case.scene.mask.all():
        return None
    found = cached_errors(case, method)
    group, _, thing = case.name.rpartition("/")
    log(f"{case.name:32s} {name:22s} {found['made']:9.3f} {found['processor_seconds']:7.2f} s of one processor")
    values = {key: found[key] for key in ("made", "made_aligned", "processor_seconds", "iterations")}
    return {"group": group, "object": thing, "method": name, **values}


def summarise(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Mean error and processor seconds of each method in each group that it takes as a whole."""
    sizes = {group: len({row["object"] for row in rows if row["group"] == group}) for group in TITLES}
    found = []
    for name in METHODS:
        for group, title in TITLES.items():
            own = [row for row in rows if row["method"] == name and row["group"] == group]
            if own and len(own) == sizes[group]:
                mean = sum(row["made"] for row in own) / len(own)
                seconds = sum(row["processor_seconds"] for row in own)
                found.append({"method": name, "group": title, "made": mean, "processor_seconds": seconds})
    return found


def printed() -> Iterator[dict[str, Any]]:
    """Table 1 of the paper."""
    for title, values in PRINTED.items():
        for thing, value in zip(OBJECTS, values, strict=True):
            yield {"group": "diligent", "object": thing, "method": title, "made": value}


def main() -> None:
    names = sys.argv[1:] or list(METHODS)
    rows = [row for case in cases() for name in names if (row := measure(case, name)) is not None]
    if (RESULTS / "literature.json").exists():
        known = read_record("literature")["rows"]
        rows += [row for row in known if row["method"] in METHODS and row["method"] not in names]
    groups, order = list(TITLES), list(METHODS)
    rows.sort(key=lambda row: (groups.index(row["group"]), row["object"], order.index(row["method"])))
    write_record("literature", [*printed(), *rows], summary=summarise(rows))


if __name__ == "__main__":
    start(main)
