"""What the graduated method could do at best on this machine, what it does, and where the time of a run goes.

    python benchmarks/roofline.py                   sides 256 to 2048, one and two threads
    python benchmarks/roofline.py --sides 256,512

Bandwidth is that of c = a + b on arrays that fit into the second-level cache, the third-level cache, or neither: two
reads and a write, written lines counted once. The bytes of the method are counted from its passes (PASSES, below),
each array once for every chain of passes that follow each other row by row.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple

import numpy as np
from own_process import full
from record import write_record

import crevasse
from crevasse.methods.graduated import method
from crevasse.methods.graduated.engine import Engine
from crevasse.methods.graduated.evidence import STARTS
from crevasse.methods.graduated.noise import estimate_noise
from crevasse.methods.graduated.rules import annealed
from crevasse.methods.problem import pose
from crevasse.validate import check_input

FOOTPRINTS = {"L2": 1 << 19, "L3": 1 << 23, "memory": 3 << 27}
"""Bytes of the three arrays of each measurement of the bandwidth."""
RESIDENT = 130
"""Bytes a pixel that the passes of an outer iteration touch: which cache holds a map is told by them."""
CACHES = (("L2", 1 << 20), ("L3", 1 << 25))
CYCLES = 3
"""Iterations of conjugate gradients in each outer iteration, each with a V-cycle."""


class Pass(NamedTuple):
    """Work for a pixel in one outer iteration."""

    what: str
    read: float
    written: float
    operations: float
    times: float


HALF = 2.0
"""Bytes a pixel of a single-precision plane of one colour."""
COARSE = 1 / 3
"""Points of all coarse levels for a pixel of the finest."""

PASSES = (
    # Four families of pairs: a target in double, five constants; heights in double. Weights, right sides, inverses.
    Pass("weigh pairs", 4 * (2 * HALF + 5 * HALF) + 4 * HALF, 8 * HALF, 52, 1),
    # Weights twice and once more for strips; interpolation; 12 planes of the next level.
    Pass("rebuild the hierarchy", 14 * HALF + COARSE * 24 * HALF, 4 * HALF + COARSE * 14 * HALF, 90, 1 / 4),
    # Direction, image, inverses, solution, residual; weights; interpolation.
    Pass("descend, smooth, restrict", 12 * HALF, 5.5 * HALF, 29, CYCLES),
    Pass("coarse levels", COARSE * 28.5 * HALF, COARSE * 4.5 * HALF, COARSE * 60, CYCLES),
    Pass("prolong, smooth", 10.5 * HALF, 3 * HALF, 25, CYCLES),
    Pass("advance, multiply", 7 * HALF, 3 * HALF, 14, CYCLES),
    Pass("black values", 8 * HALF, 2 * HALF, 6, 1),
    Pass("move the heights", 6 * HALF, 4 * HALF, 2, 1),
)


def bytes_a_pixel() -> float:
    return sum(each.times * (each.read + each.written) for each in PASSES)


def operations_a_pixel() -> float:
    return sum(each.times * each.operations for each in PASSES)


def add_for_a_while(size: int, seconds: float, told: Any, ready: Any) -> None:
    """Bytes a second of one process."""
    count = size // 24
    a, b, c = (np.ones(count) for _ in range(3))
    np.add(a, b, out=c)
    ready.wait()
    rounds, began = 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        for _ in range(max(1, (1 << 22) // count)):
            np.add(a, b, out=c)
            rounds += 1
    told.put(24 * count * rounds / (time.perf_counter() - began))


def bandwidth(size: int, workers: int, seconds: float = 0.5) -> float:
    """Bytes a second that so many processes move together, each with arrays of its own."""
    context = multiprocessing.get_context("fork")
    told, ready = context.Queue(), context.Barrier(workers)
    crew = [context.Process(target=add_for_a_while, args=(size, seconds, told, ready)) for _ in range(workers)]
    for worker in crew:
        worker.start()
    total = float(sum(told.get() for _ in crew))
    for worker in crew:
        worker.join()
    return total


def level_of(side: int) -> str:
    """What the arrays of a map of this side fit into."""
    return next((name for name, size in CACHES if side * side * RESIDENT < size), "memory")


def outer_iteration(side: int, threads: int, repeats: int) -> float:
    """Seconds of an outer iteration: the best of several rounds of four, of which one rebuilds the hierarchy."""
    normals, mask, camera = full(side)
    valid = check_input(normals, mask, camera)
    problem = pose(valid.slopes, valid.mask, camera.planes, threads)
    engine = Engine(problem, estimate_noise(problem))
    best = np.inf
    for turn in range(repeats + 1):
        began = time.perf_counter()
        for k in range(4):
            weights = annealed(8.0 * 0.8 ** (4 * turn + k), cold=turn == k == 0)
            engine.iterate(STARTS[0], weights, solver_iterations=CYCLES, tolerance=0.0, rebuild=k == 0)
        if turn > 0:
            best = min(best, (time.perf_counter() - began) / 4)
    return float(best)


KINDS = {
    "iterate": "outer iterations",
    "_set_evidence": "evidence",
    "move_parts": "moves of parts",
    "islands": "islands",
    "energies": "energies",
    "__init__": "set-up of the engine",
}
"""Calls of the engine that are timed, and what they are called in the record."""


class Stopwatch:
    """Seconds spent in each of several calls, without those that they make of each other."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = defaultdict(float)
        self._inner = [0.0]

    def timed(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(call)
        def run(*arguments: Any, **named: Any) -> Any:
            began = time.perf_counter()
            self._inner.append(0.0)
            try:
                return call(*arguments, **named)
            finally:
                whole = time.perf_counter() - began
                self.spent[name] += whole - self._inner.pop()
                self._inner[-1] += whole

        return run


def shares(side: int, threads: int) -> dict[str, float]:
    """Percent of a whole run by what was done."""
    watch = Stopwatch()
    timed = {name: watch.timed(name, getattr(Engine, name)) for name in KINDS}
    method.Engine = type("TimedEngine", (Engine,), timed)  # type: ignore[misc]
    try:
        began = time.perf_counter()
        crevasse.integrate(*full(side), threads=threads)
        whole = time.perf_counter() - began
    finally:
        method.Engine = Engine  # type: ignore[misc]
    named = {title: watch.spent[name] for name, title in KINDS.items()}
    named["everything else"] = whole - sum(named.values())
    return {title: 100 * seconds / whole for title, seconds in named.items()}


def measure_side(side: int, threads: int, rates: dict[tuple[str, int], float], repeats: int) -> dict[str, Any]:
    """An outer iteration on a full map beside its bound."""
    seconds = outer_iteration(side, threads, repeats)
    level = level_of(side)
    bound = bytes_a_pixel() / rates[level, threads]
    return {
        "map": f"{side} x {side}",
        "threads": threads,
        "fits_into": level,
        "ns_a_pixel": 1e9 * seconds / side**2,
        "bound_ns": 1e9 * bound,
        "percent_of_bandwidth": 100 * bound * side**2 / seconds,
        "gigaflops": operations_a_pixel() * side**2 / seconds / 1e9,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sides", default="256,512,1024,2048")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--run", type=int, default=512, help="side of the map whose whole run is taken apart")
    parser.add_argument("--dry", action="store_true", help="write no record")
    chosen = parser.parse_args()
    rates = {(name, n): bandwidth(size, n) for name, size in FOOTPRINTS.items() for n in (1, 2)}
    machine = [{"arrays": k, "threads": n, "gigabytes_a_second": rate / 1e9} for (k, n), rate in rates.items()]
    sides = [int(side) for side in chosen.sides.split(",")]
    rows = [measure_side(side, n, rates, chosen.repeats) for side in sides for n in (1, 2)]
    passes = [{**each._asdict(), "bytes": each.times * (each.read + each.written)} for each in PASSES]
    passes.append({"what": "an outer iteration", "bytes": bytes_a_pixel(), "operations": operations_a_pixel()})
    whole = [
        {"part": part, "map": f"{chosen.run} x {chosen.run}, {n} thread{'s'[: n - 1]}", "percent": percent}
        for n in (1, 2)
        for part, percent in shares(chosen.run, n).items()
    ]
    for row in (*machine, *rows, *whole):
        print(row, file=sys.stderr)
    if not chosen.dry:
        write_record("roofline", rows, bandwidth=machine, passes=passes, run=whole)


if __name__ == "__main__":
    main()
