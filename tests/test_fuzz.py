"""Damaged files are refused with a sentence: no traceback, no hang, no crash."""

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).with_name("fuzz_files.py")
SEEDS = (20260101, 20260102)
MUTATIONS = 1100


@pytest.mark.parametrize("seed", SEEDS)
def test_mutated_files_are_read_or_refused(tmp_path, seed):
    words = [sys.executable, "-W", "error", str(PROGRAM), str(tmp_path), str(seed), str(MUTATIONS)]
    run = subprocess.run(words, capture_output=True, text=True, errors="replace")
    lines = [line for line in run.stderr.splitlines() if not line.startswith("libpng")]
    assert run.returncode == 0, "\n".join(lines[-30:])
    assert run.stdout.startswith(f"{MUTATIONS} mutations")
    # Damage that leaves nothing readable, or breaks nothing, would test little.
    accepted = int(run.stdout.split(",")[1].split()[0])
    assert MUTATIONS // 50 < accepted < MUTATIONS // 2
