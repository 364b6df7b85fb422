"""What the experiments of the paper share: methods by name, one trial as a row, groups of cases."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from cached_runs import cached
from cases import Case, measured

from crevasse import AuxiliaryEdges, Bilateral, Graduated, Poisson, integrate
from crevasse.methods import Method
from crevasse.metrics import made, made_aligned

PAPER_ITERATIONS = 200
"""Iterations of the published method: little changes after them, except on harvest."""

METHODS: dict[str, Method] = {
    "Poisson": Poisson(),
    "BiNI": Bilateral(),
    "auxiliary edges": AuxiliaryEdges(iterations=PAPER_ITERATIONS),
    "graduated": Graduated(),
}
"""The methods by their names in tables."""

PRINTED = {
    "Poisson, printed": (1.20, 3.71, 1.60, 0.89, 10.09, 1.51, 0.75, 6.62, 11.64),
    "BiNI, printed": (0.49, 0.76, 0.11, 0.07, 3.30, 0.63, 0.24, 0.32, 8.65),
    "auxiliary edges, printed": (0.45, 0.67, 0.24, 0.06, 2.44, 0.57, 0.19, 0.15, 9.02),
}
"""Table 1 of the paper, in the order of OBJECTS."""

OBJECTS = ("bear", "buddha", "cat", "cow", "harvest", "pot1", "pot2", "reading", "goblet")


def errors(case: Case, method: Method) -> dict[str, Any]:
    """The errors of one method on one case, in the case's units, its iterations and its cost."""
    scene, began = case.scene, time.process_time()
    result = integrate(scene.normals, scene.mask, scene.camera, method)
    return {
        "processor_seconds": time.process_time() - began,
        "iterations": result.iterations,
        "made": made(result.depth, scene.depth, scene.camera) / case.footprint,
        "made_aligned": made_aligned(result.depth, scene.depth, scene.camera, result.islands) / case.footprint,
    }


def cached_errors(case: Case, method: Method) -> dict[str, Any]:
    """The same, from the runs that are done if it is among them."""
    found: dict[str, Any] = cached(f"errors in {case.footprint}", case.scene, method, lambda: errors(case, method))
    return found


def trial(case: Case, name: str, method: Method) -> dict[str, Any]:
    """A row, told as it comes."""
    found = cached_errors(case, method)
    log(f"{short(case):24s} {name:34s} {found['made']:9.4f} {found['processor_seconds']:8.2f} s of one processor")
    return {"object": short(case), "method": name, "made": found["made"], "iterations": found["iterations"]}


def trials(cases: Iterable[Case], methods: Mapping[str, Method]) -> Iterator[dict[str, Any]]:
    for case in cases:
        for name, method in methods.items():
            yield trial(case, name, method)


def log(line: str) -> None:
    """Progress, with the experiment's name: two of them may run at a time."""
    print(f"{Path(sys.argv[0]).stem:16s} {line}", file=sys.stderr, flush=True)


def printed() -> Iterator[dict[str, Any]]:
    """The rows of the paper's Table 1."""
    for name, values in PRINTED.items():
        for thing, value in zip(OBJECTS, values, strict=True):
            yield {"object": thing, "method": name, "made": value}


def group(name: str) -> list[Case]:
    """The cases of one folder of the data, DiLiGenT in the paper's order; without them the experiment ends here."""
    found = [case for case in measured() if case.name.startswith(f"{name}/")]
    if not found:
        log(f"CREVASSE_DATA names no data with a folder {name}: skipped, the last record stays")
        raise SystemExit(0)
    order = {thing: number for number, thing in enumerate(OBJECTS)}
    return sorted(found, key=lambda case: order.get(short(case), 99) if name == "diligent" else 0)


def short(case: Case) -> str:
    return case.name.split("/")[-1]
