"""The supplement's convergence: error and time against iterations of the published method, BiNI's level marked."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cached_runs import cached, start
from cases import Case
from chart import draw
from record import write_record
from trials import METHODS, PRINTED, cached_errors, group, log, short

from crevasse import AuxiliaryEdges, iterate
from crevasse.metrics import made

PICTURE = Path(__file__).parent.parent / "docs" / "images" / "convergence.svg"
MARKS = (1, 2, 4, 8, 16, 24, 40, 60, 100, 160, 200, 240, 400, 600, 1000, 1300)
LONG_MARKS = (2000, 3000, 5000)
LONG = ("cow", "reading", "harvest")
"""The objects that go on to the paper's 5000 iterations; the supplement's figure ends at 1300."""


def follow(case: Case) -> list[dict[str, Any]]:
    """A row at each mark: error in millimetres, processor seconds since the start without the measuring."""
    marks = MARKS + LONG_MARKS if short(case) in LONG else MARKS
    # Not to end early: the marks are what is asked for.
    method = AuxiliaryEdges(iterations=marks[-1], stillness=0.0)
    rows: list[dict[str, Any]] = cached("convergence", case.scene, method, lambda: list(measure(case, method, marks)))
    log(f"{short(case):24s} {marks[-1]:5d} iterations {rows[-1]['made']:9.4f} {rows[-1]['processor_seconds']:8.2f} s")
    return rows


def measure(case: Case, method: AuxiliaryEdges, marks: tuple[int, ...]) -> Iterator[dict[str, Any]]:
    scene, wanted = case.scene, set(marks)
    began, measuring = time.process_time(), 0.0
    for state in iterate(scene.normals, scene.mask, scene.camera, method):
        # The end of a run is told once more, as a state of its own.
        if state.iteration in wanted:
            wanted.remove(state.iteration)
            paused = time.process_time()
            yield {
                "object": short(case),
                "iteration": state.iteration,
                "made": made(state.depth, scene.depth, scene.camera),
                "processor_seconds": paused - began - measuring,
            }
            measuring += time.process_time() - paused


def summarise(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """At each mark that all objects have: mean error, seconds of all."""
    found = []
    for mark in MARKS:
        here = [row for row in rows if row["iteration"] == mark]
        mean = sum(row["made"] for row in here) / len(here)
        seconds = sum(row["processor_seconds"] for row in here)
        found.append({"run": "auxiliary edges", "iterations": mark, "mean": mean, "processor_seconds": seconds})
    return found


def main() -> None:
    cases = group("diligent")
    rows = [row for case in cases for row in follow(case)]
    told = [cached_errors(case, METHODS["BiNI"]) for case in cases]
    level = sum(row["made"] for row in told) / len(told)
    summary = summarise(rows)
    line = [(float(row["iterations"]), row["mean"]) for row in summary]
    levels = {"BiNI": level}
    levels |= {name: sum(values) / len(values) for name, values in PRINTED.items() if "auxiliary" in name}
    draw(PICTURE, {"auxiliary edges": line}, "iteration", "mean error on DiLiGenT, mm", levels)
    seconds = sum(row["processor_seconds"] for row in told)
    summary.append({"run": "BiNI, until it ends", "mean": level, "processor_seconds": seconds})
    write_record("convergence", rows, levels=levels, summary=summary)


if __name__ == "__main__":
    start(main)
