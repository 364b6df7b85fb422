"""Pairs of simultaneous runs on one output folder: one result or the other, never a mixture.

python benchmarks/pairs.py --pairs 500 --record
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import shutil
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from forked import Forked, load
from kills import Trials, add_up, digests, settle
from record import write_record

from crevasse.files.result_folder import read_report


def both(place: Path, first: list[str], second: list[str]) -> list[int]:
    """Run two commands at the same time; their exit codes."""
    running = [Forked(place, words) for words in (first, second)]
    return [run.wait() for run in running]


Reference = dict[str, dict[str, str]]
"""By command and map, the files of the result."""
OPTIONS = {"integrate": ["--method", "poisson"], "compare": ["--methods", "poisson,bilateral"]}
KINDS = (("integrate", "integrate"), ("compare", "compare"), ("integrate", "compare"))
"""Commands whose results replace each other."""


def words_of(command: str, name: str, folder: str) -> list[str]:
    return [command, name, "-o", folder, "--overwrite", *OPTIONS[command]]


def replace_pair(place: Path, reference: Reference, commands: tuple[str, str]) -> str | None:
    """Two commands whose results replace what is in a folder."""
    out = place / "two"
    shutil.rmtree(out, ignore_errors=True)
    runs = [words_of(command, name, "two") for command, name in zip(commands, "ab", strict=True)]
    codes = both(place, *runs)
    if sorted(codes) not in ([0, 0], [0, 4]):
        return "both failed"
    found = settle(out)
    whose = [name for name, known in reference.items() if found == known]
    if not whose:
        return "mixture"
    report = read_report(out) or {}
    source = report["inputs"] if "inputs" in report else report["input"]
    return None if whose[0].split()[1] in str(source) else "wrong report"


def batch_pair(place: Path, reference: Reference) -> str | None:
    out = place / "many"
    shutil.rmtree(out, ignore_errors=True)
    words = ["batch", "a", "b", "-o", "many", "-j", "1", "--method", "poisson", "--resume"]
    codes = both(place, words, words)
    if sorted(codes) not in ([0, 0], [0, 4]):
        return "both failed"
    lines = [json.loads(line)["input"] for line in (out / "manifest.jsonl").read_text().splitlines()]
    if sorted(lines) != ["a", "b"]:
        return "done twice"
    return None if all(digests(out / name) == reference[f"integrate {name}"] for name in ("a", "b")) else "mixture"


def run_pairs(seed: int, count: int, minutes: float) -> dict[str, dict[str, int]]:
    """Run pairs one after another, in a place of their own."""
    os.environ["CREVASSE_THREADS"] = "1"
    load()
    end, rows = time.monotonic() + 60 * minutes, {}
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        trials = Trials(place, seed)
        reference: Reference = {}
        for command, name in itertools.product(OPTIONS, "ab"):
            trials.time(command, words_of(command, name, f"{command}-{name}"))
            reference[f"{command} {name}"] = digests(place / f"{command}-{name}")
        for number in range(count):
            if time.monotonic() > end:
                break
            commands = (*KINDS, ("batch", "batch"))[number % 4]
            row = rows.setdefault(" and ".join(dict.fromkeys(commands)), {"pairs": 0, "mixtures": 0})
            batches = commands[0] == "batch"
            finding = batch_pair(place, reference) if batches else replace_pair(place, reference, commands)
            row["pairs"] += 1
            row["mixtures"] += finding is not None
            if finding is not None:
                print(f"{commands}: {finding}", flush=True)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=500)
    parser.add_argument("--jobs", type=int, default=2, help="pairs at a time")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="stop after this time")
    parser.add_argument("--record", action="store_true", help="write benchmarks/results/pairs.json")
    chosen = parser.parse_args()
    jobs = chosen.jobs
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        shares = [chosen.pairs // jobs + (number < chosen.pairs % jobs) for number in range(jobs)]
        counts = add_up(pool.map(run_pairs, range(jobs), shares, [chosen.minutes] * jobs))
    rows: list[dict[str, Any]] = [{"command": kind, **row} for kind, row in counts.items()]
    for row in rows:
        print(", ".join(f"{name} {value}" for name, value in row.items()))
    if chosen.record:
        write_record("pairs", rows)
    sys.exit(any(row["mixtures"] for row in rows))


if __name__ == "__main__":
    main()
