"""What the experiments of the paper share: methods by name, one trial as a row, groups of cases."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from cases import Case, measured

from crevasse import AuxiliaryEdges, Bilateral, Graduated, Integration, Poisson, integrate
from crevasse.methods import Method
from crevasse.metrics import made
from crevasse.scenes import Scene

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


def run(scene: Scene, method: Method, threads: int | None = None) -> tuple[Integration, float]:
    """A result and its seconds."""
    began = time.perf_counter()
    result = integrate(scene.normals, scene.mask, scene.camera, method, threads=threads)
    return result, time.perf_counter() - began


def trial(case: Case, name: str, method: Method, **more: Any) -> dict[str, Any]:
    """A row: the error of one method on one case, in the case's units."""
    result, seconds = run(case.scene, method)
    error = made(result.depth, case.scene.depth, case.scene.camera) / case.footprint
    row = {"object": short(case), "method": name, "made": error, "iterations": result.iterations, **more}
    print(f"{row['object']:24s} {name:28s} {error:9.4f} {seconds:8.2f} s", file=sys.stderr, flush=True)
    return row


def trials(cases: Iterable[Case], methods: Mapping[str, Method]) -> Iterator[dict[str, Any]]:
    for case in cases:
        for name, method in methods.items():
            yield trial(case, name, method)


def printed() -> Iterator[dict[str, Any]]:
    """The rows of the paper's Table 1."""
    for name, values in PRINTED.items():
        for thing, value in zip(OBJECTS, values, strict=True):
            yield {"object": thing, "method": name, "made": value}


def group(name: str) -> list[Case]:
    """The cases of one folder of the data, DiLiGenT in the order of the paper; empty without the data."""
    found = [case for case in measured() if case.name.startswith(f"{name}/")]
    if not found:
        print(f"no folder {name} in the data that CREVASSE_DATA names: these rows are left out", file=sys.stderr)
    order = {thing: number for number, thing in enumerate(OBJECTS)}
    return sorted(found, key=lambda case: order.get(short(case), 99) if name == "diligent" else 0)


def short(case: Case) -> str:
    return case.name.split("/")[-1]
