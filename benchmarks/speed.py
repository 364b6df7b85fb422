"""Time, memory and work of the default method, in yardsticks: the speed of crevasse in one record.

python benchmarks/speed.py                            everything (CREVASSE_DATA names the data)
python benchmarks/speed.py --cases diligent,sparse    some of it; the rest of the record stays as it was
python benchmarks/speed.py --sides 256,512            other full maps than 256 to 4096 pixels wide
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from own_process import integrate_in_own_process, measure
from record import read_record, write_record
from yardstick import yardstick

import crevasse
from crevasse import scenes

SIDES = (256, 512, 1024, 2048, 4096)
SPARSE = 2048
"""Side of the map in which only a ring, or scattered discs, are masked."""
ONCE = 2048
"""Side of the full maps from which on a run is not repeated."""

Rows = Iterator[dict[str, Any]]


def data() -> Path | None:
    named = os.environ.get("CREVASSE_DATA")
    return Path(named) / "diligent" if named else None


def diligent() -> list[Any]:
    """The objects in memory."""
    folder = data()
    if folder is None:
        return []
    read = [crevasse.read_folder(each) for each in sorted(folder.iterdir())]
    return [(each.normals, each.mask, each.camera) for each in read]


def time_objects(chosen: argparse.Namespace) -> Rows:
    """The nine objects together."""
    objects = diligent()
    for threads in (1, 2):
        if objects:
            yield {"map": "nine DiLiGenT objects", **measure(objects, "graduated", threads, chosen.repeats)}


def time_auxiliary(chosen: argparse.Namespace) -> Rows:
    """The published method on the object with most pixels."""
    objects = diligent()
    if objects:
        largest = max(objects, key=lambda each: np.count_nonzero(each[1]))
        yield {"map": "largest DiLiGenT object", **measure([largest], "auxiliary", 2, chosen.repeats)}


def time_full(chosen: argparse.Namespace) -> Rows:
    """Maps without a mask, each in a process of its own, with its memory."""
    for side in chosen.sides:
        repeats = chosen.repeats if side < ONCE else 1
        row = integrate_in_own_process(map="full", side=side, method="graduated", threads=2, repeats=repeats)
        yield {"map": f"{side} x {side}", **row}


def time_sparse(chosen: argparse.Namespace) -> Rows:
    """A thin and a scattered mask, each beside a full map with as many masked pixels."""
    for name, what in (("ring", "thin ring"), ("scattered", "scattered discs")):
        row = integrate_in_own_process(map=name, side=SPARSE, method="graduated", threads=2, repeats=chosen.repeats)
        side = math.isqrt(row["pixels"])
        alike = integrate_in_own_process(
            map="smooth", side=side, method="graduated", threads=2, repeats=chosen.repeats
        )
        factor = row["seconds"] / alike["seconds"]
        yield {"map": f"{what} in {SPARSE} x {SPARSE}", **row, "times_full_map": factor, "kind": "ratio"}
        yield {"map": f"full map of as many pixels, {side} x {side}", **alike}


def time_command_line(chosen: argparse.Namespace) -> Rows:
    """Seconds of `crevasse integrate`, process start to files written, beyond the solve itself."""
    folder = data()
    if folder is None:
        return
    best: dict[str, Any] = {"overhead": math.inf}
    for _ in range(chosen.repeats):
        with tempfile.TemporaryDirectory() as out:
            command = ["integrate", str(folder / "pot1"), "-o", f"{out}/result", "--json"]
            began = time.perf_counter()
            told = subprocess.run(
                [sys.executable, "-c", "from crevasse.cli.main import main; main()", *command],
                capture_output=True,
                text=True,
                check=True,
            )
            whole = time.perf_counter() - began
        over = whole - json.loads(told.stdout)["seconds"]
        if over < best["overhead"]:
            best = {"seconds": whole, "overhead": over}
    yield {"map": "command line, pot1", "method": "graduated", **best, "kind": "ratio"}


def time_progress(chosen: argparse.Namespace) -> Rows:
    """A report on every iteration against none, in turns."""
    scene = scenes.SCENES["demo"](256)
    inputs = scene.normals, scene.mask, scene.camera
    plain = watched = math.inf
    for _ in range(2 * chosen.repeats + 1):
        began = time.perf_counter()
        result = crevasse.integrate(*inputs, threads=1)
        between = time.perf_counter()
        seen = [(state.energy, state.change) for state in crevasse.iterate(*inputs, threads=1)]
        ended = time.perf_counter()
        plain, watched = min(plain, between - began), min(watched, ended - between)
    assert len(seen) == result.iterations + 1
    yield {
        "map": "progress of demo, 256 x 256",
        "method": "graduated",
        "threads": 1,
        "seconds": watched,
        "iterations": result.iterations,
        "times_silent_run": watched / plain,
        "kind": "ratio",
    }


CASES = {
    "diligent": time_objects,
    "auxiliary": time_auxiliary,
    "full": time_full,
    "sparse": time_sparse,
    "cli": time_command_line,
    "progress": time_progress,
}


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", default=",".join(CASES), help=f"some of {','.join(CASES)}")
    parser.add_argument("--sides", default=",".join(map(str, SIDES)), help="sides of the full maps")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--dry", action="store_true", help="write no record")
    chosen = parser.parse_args()
    chosen.cases = chosen.cases.split(",")
    chosen.sides = [int(side) for side in chosen.sides.split(",")]
    unknown = set(chosen.cases) - set(CASES)
    if unknown:
        parser.error(f"there is no case {', '.join(sorted(unknown))}; the cases are {', '.join(CASES)}")
    return chosen


def main() -> None:
    chosen = parse()
    units = [yardstick(3)]
    rows: list[dict[str, Any]] = []
    for case in chosen.cases:
        for row in CASES[case](chosen):
            units.append(yardstick(1))
            rows.append({"case": case, **row})
            print(rows[-1], file=sys.stderr)
    # The quickest yardstick of the run is the fair one: the others were disturbed.
    unit = min(units)
    rows = [row | {"yardstick": unit, "yardsticks": row["seconds"] / unit} for row in rows]
    if not chosen.dry:
        write_record("speed", kept(chosen.cases) + rows, yardstick=unit)


def kept(cases: list[str]) -> list[dict[str, Any]]:
    """Rows of the last record that this run did not make anew."""
    try:
        return [row for row in read_record("speed")["rows"] if row.get("case") in set(CASES) - set(cases)]
    except FileNotFoundError:
        return []


if __name__ == "__main__":
    main()
