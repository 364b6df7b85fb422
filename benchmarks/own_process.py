"""One integration in a process of its own: its time, its memory and its work.

python benchmarks/own_process.py '{"map": "full", "side": 512, "method": "graduated", "threads": 2, "repeats": 3}'
"""

from __future__ import annotations

import ctypes
import json
import subprocess
import sys
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import crevasse
from crevasse import scenes

METHODS: dict[str, Any] = {
    "graduated": crevasse.Graduated,
    "auxiliary": partial(crevasse.AuxiliaryEdges, iterations=200),
    "poisson": crevasse.Poisson,
    "bilateral": crevasse.Bilateral,
    # The formula of BiNI with the solver of all other methods.
    "bilateral, same solver": partial(crevasse.Bilateral, exact=True),
}


def full_map(side: int) -> Any:
    """A map without a mask, with jumps."""
    return scenes.SCENES["stairs"](side)


def full(side: int) -> tuple[Any, Any, Any]:
    scene = full_map(side)
    return scene.normals, scene.mask, scene.camera


def smooth(side: int) -> tuple[Any, Any, Any]:
    """A map without a mask and without jumps."""
    scene = scenes.SCENES["smooth"](side)
    return scene.normals, np.ones(scene.mask.shape, bool), scene.camera


def ring(side: int) -> tuple[Any, Any, Any]:
    """A ring of which only a thin part of the bounding box is masked."""
    normals, _, camera = smooth(side)
    rows, columns = np.mgrid[:side, :side] - (side - 1) / 2
    radius = np.hypot(rows, columns)
    return normals, (radius < side / 2) & (radius > 0.47 * side), camera


def scattered(side: int) -> tuple[Any, Any, Any]:
    """Small discs on a coarse grid, about a tenth of the bounding box."""
    normals, _, camera = smooth(side)
    rows, columns = np.mgrid[:side, :side] % 32 - 15.5
    return normals, np.hypot(rows, columns) < 6, camera


def shingles(side: int) -> tuple[Any, Any, Any]:
    """A map without a mask on which every method has something to do."""
    scene = scenes.SCENES["shingles"](side)
    return scene.normals, scene.mask, scene.camera


MAPS = {"full": full, "shingles": shingles, "smooth": smooth, "ring": ring, "scattered": scattered}


def measure(maps: list[Any], method: str, threads: int, repeats: int) -> dict[str, Any]:
    """Best time of several, and the work as counts."""
    seconds = np.inf
    for _ in range(repeats):
        results: list[crevasse.Integration] = []  # those of the last run would count as this one's memory
        began = time.perf_counter()
        results = [crevasse.integrate(*each, METHODS[method](), threads=threads) for each in maps]
        seconds = min(seconds, time.perf_counter() - began)
    return {
        "pixels": sum(r.pixels for r in results),
        "method": method,
        "threads": threads,
        "seconds": seconds,
        "iterations": sum(r.iterations for r in results),
        "solver_iterations": int(sum(r.history["solver_iterations"].sum() for r in results)),
    }


def resident(which: str) -> int:
    """Bytes this process has in memory: now (VmRSS), or at most since the mark was cleared (VmHWM)."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith(which))


def give_back() -> None:
    """Return memory that was freed but kept for later: what the making of the map has left would hide a part."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def integrate_in_own_process(**wish: Any) -> dict[str, Any]:
    """What a fresh process measures: as `measure`, and the peak of its memory with the input arrays."""
    told = subprocess.run([sys.executable, __file__, json.dumps(wish)], stdout=subprocess.PIPE, text=True, check=True)
    measured: dict[str, Any] = json.loads(told.stdout)
    return measured


def main() -> None:
    wish = json.loads(sys.argv[1])
    side = wish["side"]
    inputs = MAPS[wish["map"]](side)
    give_back()
    Path("/proc/self/clear_refs").write_text("5")
    before = resident("VmRSS") - inputs[0].nbytes - inputs[1].nbytes
    row = measure([inputs], wish["method"], wish["threads"], wish["repeats"])
    used = resident("VmHWM") - before
    rows, columns = (np.ptp(np.flatnonzero(inputs[1].any(axis))) + 1 for axis in (1, 0))
    print(json.dumps({**row, "megabytes": used / 1e6, "bytes_per_pixel": used / float(rows * columns)}))


if __name__ == "__main__":
    main()
