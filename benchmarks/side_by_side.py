"""Time of the default in two checkouts, in turns within one run: how much faster a change is.

python benchmarks/side_by_side.py PYTHON [--repeats N] [--threads N...]    PYTHON: the other checkout's interpreter

The record holds the least time of each and their ratio, this checkout over the other: of the clock, and of the
processors. Runs alternate, so that a machine that is busy for a while slows both; on one that is always busy, only
the processors' time of one thread tells anything.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from typing import Any

from record import write_record

RUN = """
import json, sys, time, warnings
from pathlib import Path
warnings.simplefilter("ignore")
import crevasse
from crevasse import scenes
folder, threads = sys.argv[1], int(sys.argv[2])
maps = {"nine DiLiGenT objects": [crevasse.read_folder(each) for each in sorted(Path(folder).iterdir())]}
maps |= {f"{side} x {side}": [scenes.SCENES["stairs"](side)] for side in (512, 1024)}
found = {}
for name, group in maps.items():
    began, worked = time.perf_counter(), time.process_time()
    for each in group:
        crevasse.integrate(each.normals, each.mask, each.camera, threads=threads)
    found[name] = time.perf_counter() - began, time.process_time() - worked
print(json.dumps(found))
"""


def time_once(python: str, folder: str, threads: int) -> dict[str, tuple[float, float]]:
    """Seconds of the clock and of the processors."""
    told = subprocess.run([python, "-c", RUN, folder, str(threads)], capture_output=True, text=True, check=True)
    seconds: dict[str, tuple[float, float]] = json.loads(told.stdout)
    return seconds


def compare(other: str, folder: str, threads: int, repeats: int) -> list[dict[str, Any]]:
    """Rows of the least seconds of both, and their ratio."""
    here: dict[str, list[tuple[float, float]]] = {}
    there: dict[str, list[tuple[float, float]]] = {}
    for _ in range(repeats):
        for python, seconds in ((other, there), (sys.executable, here)):
            for name, taken in time_once(python, folder, threads).items():
                seconds.setdefault(name, []).append(taken)
    return [make_row(name, threads, there[name], here[name]) for name in here]


def make_row(
    name: str, threads: int, there: list[tuple[float, float]], here: list[tuple[float, float]]
) -> dict[str, Any]:
    before, worked_before = (min(times) for times in zip(*there, strict=True))
    seconds, worked = (min(times) for times in zip(*here, strict=True))
    return {
        "map": name,
        "threads": threads,
        "before": before,
        "seconds": seconds,
        "ratio": seconds / before,
        "processor_before": worked_before,
        "processor_seconds": worked,
        "processor_ratio": worked / worked_before,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("python", help="interpreter of the environment of the other checkout")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    chosen = parser.parse_args()
    folder = os.path.join(os.environ["CREVASSE_DATA"], "diligent")
    rows = [row for threads in chosen.threads for row in compare(chosen.python, folder, threads, chosen.repeats)]
    for row in rows:
        print(row, file=sys.stderr)
    write_record("side_by_side", rows)


if __name__ == "__main__":
    main()
