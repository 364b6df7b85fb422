"""Fuzzed inputs over all readers, the API and the page's messages: how many, and what went wrong.

    python benchmarks/fuzz.py --minutes 10 --record
    python benchmarks/fuzz.py --cases 1000000 --record
    python benchmarks/fuzz.py --seed 1001 --minutes 10 --add

Cases run in processes of their own, some thousand at a time, so that a crash is seen and counted; each depends on its
seed and number only. The programs are those of which the tests run a short slice (tests/fuzz_*.py). Slices that found
nothing are kept in build/fuzz.jsonl and count again in the next run; remove the file to begin anew.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

from record import find_commit, read_record, write_record

HOME = Path(__file__).parent.parent
KEPT = HOME / "build" / "fuzz.jsonl"
BUSY_LIMIT, TIME_LIMIT = 1800, 6 * 3600
"""Seconds of processor time, and by the clock, after which a process counts as hanging: the machine may be busy."""
HANGS = (-signal.SIGPROF, -signal.SIGXCPU)
"""Exit codes of a process whose case, or which itself, took too long."""
MEMORY = Path("/dev/shm")
"""A file system in memory, where there is one: every case is a file."""


class Target(NamedTuple):
    """A program, how many cases one process of it runs, and its share of all cases."""

    program: str
    cases: int
    share: float


TARGETS = {
    "readers": Target("fuzz_files.py", 10_000, 0.55),
    "API": Target("fuzz_api.py", 5_000, 0.40),
    "messages": Target("fuzz_messages.py", 1_000, 0.05),
}
NUMBERS = ("cases", "crashes", "hangs", "findings")
Slice = dict[str, Any]


def run_slice(target: str, seed: int) -> Slice:
    """Run one process; its cases, and how it went."""
    program, count, _ = TARGETS[target]
    row: Slice = {
        "commit": find_commit(),
        "target": target,
        "seed": seed,
        "cases": 0,
        "crashes": 0,
        "hangs": 0,
        "findings": [],
    }
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        words = [folder, str(seed), str(count)] if target == "readers" else [str(seed), str(count)]
        try:
            end = subprocess.run(
                [sys.executable, "-W", "error", str(HOME / "tests" / program), *words],
                capture_output=True,
                text=True,
                errors="replace",
                timeout=TIME_LIMIT,
                env={**os.environ, "CREVASSE_THREADS": "1"},
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (BUSY_LIMIT, BUSY_LIMIT + 60)),
            )
        except subprocess.TimeoutExpired:
            return {**row, "hangs": 1, "findings": [f"seed {seed}: no end after {TIME_LIMIT} s"]}
    whole = re.match(r"(\d+) ", end.stdout)
    findings = [line for line in end.stderr.splitlines() if line.startswith("seed ")]
    hung = end.returncode in HANGS
    crashed = not hung and (end.returncode < 0 or (end.returncode != 0 and not findings))
    findings += [f"seed {seed}: exit code {end.returncode}"] if hung or crashed else []
    ends = {"crashes": int(crashed), "hangs": int(hung), "findings": findings}
    return {**row, **ends, "cases": int(whole[1]) if whole else 0}


def read_kept() -> list[Slice]:
    """The slices of earlier runs that found nothing."""
    if not KEPT.exists():
        return []
    return [json.loads(line) for line in KEPT.read_text().splitlines()]


def keep(done: Slice) -> None:
    KEPT.parent.mkdir(exist_ok=True)
    with open(KEPT, "a") as stream:
        stream.write(json.dumps(done) + "\n")


def total(slices: list[Slice], target: str) -> dict[str, Any]:
    """The cases of a target, and what they found."""
    own = [each for each in slices if each["target"] == target]
    sums = {name: sum(each[name] for each in own) for name in ("cases", "crashes", "hangs")}
    return {"target": target, **sums, "findings": sum(len(each["findings"]) for each in own)}


def count_commits(slices: list[Slice]) -> dict[str, int]:
    """Cases of each commit that was checked out while they ran."""
    counts: dict[str, int] = {}
    for each in slices:
        counts[each["commit"]] = counts.get(each["commit"], 0) + each["cases"]
    return counts


def fuzz(targets: list[str], seconds: float, cases: float, seed: int) -> list[Slice]:
    """Run slices until the time is up or the cases are reached, each time of the target that lags behind most."""
    end = time.monotonic() + seconds
    slices = [each for each in read_kept() if each["target"] in targets and each["seed"] >= seed]
    while time.monotonic() < end and sum(each["cases"] for each in slices) < cases:
        target = min(targets, key=lambda name: total(slices, name)["cases"] / TARGETS[name].share)
        used = {each["seed"] for each in slices if each["target"] == target}
        done = run_slice(target, next(number for number in range(seed, seed + len(used) + 1) if number not in used))
        slices.append(done)
        for line in done["findings"][:40]:
            print(f"{target}: {line}", flush=True)
        if not done["findings"]:
            keep(done)
    return slices


def add_counts(one: dict[str, int], other: dict[str, int]) -> dict[str, int]:
    """Sums of two tables of counts."""
    return {key: one.get(key, 0) + other.get(key, 0) for key in (*one, *(key for key in other if key not in one))}


def add_rows(one: list[dict[str, Any]], other: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Sums of two tables of targets."""
    counts = {row["target"]: row for row in other}
    return [row | {name: row[name] + counts.get(row["target"], {}).get(name, 0) for name in NUMBERS} for row in one]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, help="stop after this time; default: 10, or when --cases are done")
    parser.add_argument("--cases", type=float, help="stop after so many inputs, kept ones included")
    parser.add_argument("--seed", type=int, default=1, help="the first; slices take the next ones")
    parser.add_argument("--targets", default=",".join(TARGETS))
    parser.add_argument("--record", action="store_true", help="write benchmarks/results/fuzz.json")
    parser.add_argument("--add", action="store_true", help="add to that record instead: choose seeds it has not used")
    chosen = parser.parse_args()
    targets = chosen.targets.split(",")
    minutes = chosen.minutes or (10.0 if chosen.cases is None else float("inf"))
    slices = fuzz(targets, 60 * minutes, chosen.cases or float("inf"), chosen.seed)
    rows = [total(slices, target) for target in targets]
    for row in rows:
        print(", ".join(f"{name} {value}" for name, value in row.items()))
    commits, seed = count_commits(slices), chosen.seed
    if chosen.add:
        last = read_record("fuzz")
        commits, seed = add_counts(last["cases_by_commit"], commits), last["seed"]
        write_record("fuzz", add_rows(last["rows"], rows), seed=seed, cases_by_commit=commits)
    elif chosen.record:
        write_record("fuzz", rows, seed=seed, cases_by_commit=commits)
    sys.exit(any(row["findings"] or row["crashes"] or row["hangs"] for row in rows))


if __name__ == "__main__":
    main()
