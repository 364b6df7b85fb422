"""Processor time of the default beside BiNI's and Poisson's, in turns within one run: the README's speed table.

python benchmarks/speed_compared.py [MAP...]    MAP: "objects", or the side of a roof; other maps keep their rows

Columns named after methods are seconds, "ratio" is BiNI's time over ours. Each run has one thread and its processor
time is counted, so other work hardly matters; the shortest of several is taken.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from typing import Any

from cached_runs import start
from cases import Case, measured
from record import RESULTS, read_record, write_record
from trials import log

from crevasse import Bilateral, Graduated, Poisson, integrate
from crevasse.methods import Method
from crevasse.scenes import shingles

METHODS: dict[str, Method] = {"crevasse": Graduated(), "BiNI": Bilateral(), "Poisson": Poisson()}
OBJECTS = "nine DiLiGenT objects"
SIDES = (256, 512, 1024)
REPEATS = 3


def maps(names: list[str]) -> Iterator[tuple[str, list[Case]]]:
    """The named maps, or all."""
    objects = [case for case in measured() if case.name.startswith("diligent/")]
    if objects and (not names or "objects" in names):
        yield OBJECTS, objects
    for side in SIDES:
        if not names or str(side) in names:
            yield roof(side), [Case("shingles", shingles(side), 1.0)]


def roof(side: int) -> str:
    return f"roof of shingles, {side} x {side}"


def time_once(cases: list[Case], method: Method) -> float:
    began = time.process_time()
    for case in cases:
        integrate(case.scene.normals, case.scene.mask, case.scene.camera, method, threads=1)
    return time.process_time() - began


def row_of(name: str, cases: list[Case]) -> dict[str, Any]:
    best = dict.fromkeys(METHODS, float("inf"))
    for turn in range(REPEATS):
        for title, method in METHODS.items():
            # What takes minutes is not repeated.
            if turn == 0 or best[title] < 20:
                best[title] = min(best[title], time_once(cases, method))
    pixels = sum(int(case.scene.mask.sum()) for case in cases)
    row = {"map": name, "pixels": pixels, **best, "ratio": best["BiNI"] / best["crevasse"]}
    log(str(row))
    return row


def main() -> None:
    rows = [row_of(name, cases) for name, cases in maps(sys.argv[1:])]
    if (RESULTS / "speed_compared.json").exists():
        fresh = {row["map"] for row in rows}
        rows += [row for row in read_record("speed_compared")["rows"] if row["map"] not in fresh]
    order = [OBJECTS, *map(roof, SIDES)]
    write_record("speed_compared", sorted(rows, key=lambda row: order.index(row["map"])))


if __name__ == "__main__":
    start(main)
