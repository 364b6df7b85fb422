"""Time, memory and work of the default method, in yardsticks: the speed of crevasse in one record.

python benchmarks/speed.py            the DiLiGenT objects (with CREVASSE_DATA) and full maps to 1024 x 1024
python benchmarks/speed.py --large    also 2048 x 2048 and 4096 x 4096
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from record import write_record
from yardstick import yardstick

import crevasse
from crevasse import scenes

METHODS: dict[str, Any] = {
    "graduated": crevasse.Graduated,
    "auxiliary": partial(crevasse.AuxiliaryEdges, iterations=200),
    "poisson": crevasse.Poisson,
    "bilateral": crevasse.Bilateral,
}


def full_map(side: int) -> Any:
    """A map without a mask, with jumps."""
    return scenes.SCENES["stairs"](side)


def thin_map(side: int) -> Any:
    """A ring of which only a thin part of the bounding box is masked."""
    scene = scenes.SCENES["smooth"](side)
    rows, columns = np.mgrid[:side, :side] - (side - 1) / 2
    radius = np.hypot(rows, columns)
    return scene.normals, (radius < side / 2) & (radius > 0.47 * side), scene.camera


def measure(name: str, maps: list[Any], method: str, threads: int, repeats: int) -> dict[str, Any]:
    """Best time of several, beside the yardstick of the moment, and the work as counts."""
    seconds, unit, work = np.inf, np.inf, 0
    for _ in range(repeats):
        unit = min(unit, yardstick(1))
        began = time.perf_counter()
        results = [crevasse.integrate(*each, METHODS[method](), threads=threads) for each in maps]
        seconds = min(seconds, time.perf_counter() - began)
    work = int(sum(r.history["solver_iterations"].sum() for r in results))
    return {
        "map": name,
        "pixels": sum(r.pixels for r in results),
        "method": method,
        "threads": threads,
        "seconds": seconds,
        "yardstick": unit,
        "iterations": sum(r.iterations for r in results),
        "solver_iterations": work,
    }


def resident(which: str) -> int:
    """Bytes this process has in memory: now (VmRSS), or at most since the mark was cleared (VmHWM)."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith(which))


def peak_memory(side: int, method: str) -> dict[str, Any]:
    """Peak bytes a pixel over what the process had with the input in memory, in a process of its own."""
    code = (
        "import sys; sys.path.insert(0, 'benchmarks'); import crevasse, speed\n"
        f"scene = speed.full_map({side}); inputs = scene.normals, scene.mask, scene.camera; del scene\n"
        "open('/proc/self/clear_refs', 'w').write('5')\n"
        "base = speed.resident('VmRSS')\n"
        f"crevasse.integrate(*inputs, speed.METHODS['{method}']()).depth\n"
        "print(speed.resident('VmHWM') - base + inputs[0].nbytes)"
    )
    told = subprocess.run(
        [sys.executable, "-c", code], cwd=Path(__file__).parents[1], capture_output=True, text=True, check=True
    )
    total = float(told.stdout)
    return {"megabytes": total / 1e6, "bytes_per_pixel": total / side**2}


def overhead(folder: Path) -> dict[str, Any]:
    """Seconds of `crevasse integrate`, process start to files written, beyond the solve itself."""
    import tempfile

    with tempfile.TemporaryDirectory() as out:
        began = time.perf_counter()
        told = subprocess.run(
            [
                sys.executable,
                "-c",
                "from crevasse.cli.main import main; main()",
                "integrate",
                str(folder),
                "-o",
                f"{out}/result",
                "--json",
            ],
            capture_output=True,
            text=True,
            check=True,
        )
        whole = time.perf_counter() - began
    solved = json.loads(told.stdout)["seconds"]
    return {
        "map": f"command line, {folder.name}",
        "method": "graduated",
        "seconds": whole,
        "overhead": whole - solved,
    }


def diligent() -> list[Any]:
    data = os.environ.get("CREVASSE_DATA")
    if not data:
        return []
    folders = sorted((Path(data) / "diligent").iterdir())
    read = [crevasse.read_folder(folder) for folder in folders]
    return [(each.normals, each.mask, each.camera) for each in read]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--repeats", type=int, default=3)
    chosen = parser.parse_args()
    rows = []
    objects = diligent()
    for threads in (1, 2):
        if objects:
            rows.append(measure("nine DiLiGenT objects", objects, "graduated", threads, chosen.repeats))
            largest = max(objects, key=lambda each: np.count_nonzero(each[1]))
            rows.append(measure("largest DiLiGenT object", [largest], "auxiliary", threads, chosen.repeats))
            print(rows[-1], file=sys.stderr)
    for side in (256, 512, 1024) + ((2048, 4096) if chosen.large else ()):
        scene = full_map(side)
        inputs = [(scene.normals, scene.mask, scene.camera)]
        for method in ("graduated", "poisson") + (("bilateral",) if side <= 512 else ()):
            repeats = chosen.repeats if side <= 512 else 1
            row = measure(f"{side} x {side}", inputs, method, 2, repeats)
            rows.append(row | peak_memory(side, method))
            print(rows[-1], file=sys.stderr)
    rows.append(measure("thin ring in 2048 x 2048", [thin_map(2048)], "graduated", 2, 1))
    print(rows[-1], file=sys.stderr)
    if objects:
        rows.append(overhead(Path(os.environ["CREVASSE_DATA"]) / "diligent" / "pot1"))
        print(rows[-1], file=sys.stderr)
    # The quickest yardstick of the run is the fair one: the others were disturbed.
    unit = min(row["yardstick"] for row in rows if "yardstick" in row)
    rows = [row | {"yardstick": unit, "yardsticks": row["seconds"] / unit} for row in rows]
    write_record("speed", rows, peak_of_this_process=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


if __name__ == "__main__":
    main()
