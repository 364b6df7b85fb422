"""Fuzzed inputs over all readers, the API and the page's messages: how many, and what went wrong.

    python benchmarks/fuzz.py --minutes 10 --record

Cases run in processes of their own, a thousand at a time, so that a crash is seen and counted; each depends on its
seed and number only. The programs are those of which the tests run a short slice (tests/fuzz_*.py).
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from record import write_record

TESTS = Path(__file__).parent.parent / "tests"
PROGRAMS = {"readers": ("fuzz_files.py", 4000), "API": ("fuzz_api.py", 1000), "messages": ("fuzz_messages.py", 500)}
"""By target, the program and how many cases one process runs."""
TIME_LIMIT = 900
"""Seconds after which a process counts as hanging."""


def run_slice(target: str, seed: int) -> dict[str, Any]:
    """Run one process; its cases, and how it went."""
    program, count = PROGRAMS[target]
    with tempfile.TemporaryDirectory() as folder:
        words = [folder, str(seed), str(count)] if target == "readers" else [str(seed), str(count)]
        try:
            end = subprocess.run(
                [sys.executable, "-W", "error", str(TESTS / program), *words],
                capture_output=True,
                text=True,
                errors="replace",
                timeout=TIME_LIMIT,
                env={**os.environ, "CREVASSE_THREADS": "1"},
            )
        except subprocess.TimeoutExpired:
            return {"cases": 0, "hangs": 1, "crashes": 0, "findings": [f"seed {seed}: no end after {TIME_LIMIT} s"]}
    whole = re.match(r"(\d+) ", end.stdout)
    findings = [line for line in end.stderr.splitlines() if line.startswith("seed ")]
    crashed = end.returncode < 0 or (end.returncode != 0 and not findings)
    return {
        "cases": int(whole[1]) if whole else 0,
        "hangs": 0,
        "crashes": int(crashed),
        "findings": findings + ([f"seed {seed}: exit code {end.returncode}"] if crashed else []),
    }


def fuzz(target: str, seconds: float, seed: int) -> dict[str, Any]:
    """Run slices of one target until the time is up."""
    end, row, findings = time.monotonic() + seconds, {"target": target, "cases": 0, "crashes": 0, "hangs": 0}, []
    while time.monotonic() < end:
        part = run_slice(target, seed)
        for name in ("cases", "crashes", "hangs"):
            row[name] += part[name]
        findings += part["findings"]
        seed += 1
    for line in findings[:40]:
        print(f"{target}: {line}")
    return {**row, "findings": len(findings)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--targets", default=",".join(PROGRAMS))
    parser.add_argument("--record", action="store_true", help="write benchmarks/results/fuzz.json")
    chosen = parser.parse_args()
    targets = chosen.targets.split(",")
    rows = [fuzz(target, 60 * chosen.minutes / len(targets), chosen.seed) for target in targets]
    for row in rows:
        print(", ".join(f"{name} {value}" for name, value in row.items()))
    if chosen.record:
        write_record("fuzz", rows, minutes=chosen.minutes, seed=chosen.seed)
    sys.exit(any(row["findings"] or row["crashes"] or row["hangs"] for row in rows))


if __name__ == "__main__":
    main()
