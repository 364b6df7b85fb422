"""A short slice of the fuzzed inputs, the same each time: no traceback, no hang, no crash (`make fuzz` runs many)."""

import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SEEDS = (20260101, 20260102)
MUTATIONS = 1100


def run(program, *words):
    """The output of a program that ended well; what libraries print is left out of the complaint."""
    command = [sys.executable, "-W", "error", str(HERE / program), *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    lines = [line for line in done.stderr.splitlines() if not line.startswith("libpng")]
    assert done.returncode == 0, "\n".join(lines[-30:])
    return done.stdout


@pytest.mark.parametrize("seed", SEEDS)
def test_mutated_files_are_read_or_refused(tmp_path, seed):
    told = run("fuzz_files.py", tmp_path, seed, MUTATIONS)
    assert told.startswith(f"{MUTATIONS} mutations")
    # Damage that leaves nothing readable, or breaks nothing, would test little.
    accepted = int(told.split(",")[1].split()[0])
    assert MUTATIONS // 50 < accepted < MUTATIONS // 2


def test_random_arguments_are_integrated_or_refused():
    told = run("fuzz_api.py", 20260101, 600)
    done = int(told.split(",")[1].split()[0])
    assert told.startswith("600 cases") and 100 < done < 500


def test_random_messages_are_answered_or_refused():
    told = run("fuzz_messages.py", 20260101, 400)
    answered = int(told.split(",")[1].split()[0])
    assert told.startswith("400 messages") and 50 < answered < 350
