"""Peak memory of `crevasse integrate`, reading and writing included, beside what `crevasse info` announces.

    python benchmarks/command_memory.py                        4096 x 4096, smooth and with jumps
    python benchmarks/command_memory.py --maps full --side 1024

Maps that were measured on the same side in the last record, and are not named, keep their rows.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from own_process import MAPS
from record import RESULTS, read_record, write_record

from crevasse.files.depth_files import write_image

NAME = "command_memory"


RUN = r"""
import re, sys
from pathlib import Path
from crevasse.cli.main import cli
cli.main(sys.argv[1:], standalone_mode=False)
# Not getrusage: a new process inherits the peak of the one that started it.
print(int(re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())[1]) * 1024, file=sys.stderr)
"""
"""Runs the command in a process that loads nothing else, and prints its peak in bytes on the last line of stderr."""


def command(*words: str) -> tuple[str, int, float]:
    """What the command prints, the peak of its memory, and its seconds."""
    began = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", RUN, *words], capture_output=True, text=True, check=True)
    return done.stdout, int(done.stderr.split()[-1]), time.perf_counter() - began


def measure(name: str, side: int, threads: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "map.png"
        normals, _, _ = MAPS[name](side)
        write_image(path, np.rint((normals + 1) * 32767.5).astype(np.uint16), {})
        del normals
        announced = json.loads(command("info", str(path), "--json")[0])["memory"]
        words = ["integrate", str(path), "-o", str(Path(folder) / "out"), "--threads", str(threads)]
        _, peak, seconds = command(*words, "--max-memory", str(announced))
    return {
        "map": name,
        "side": side,
        "announced_gib": announced / 2**30,
        "peak_gib": peak / 2**30,
        "ratio": peak / announced,
        "seconds": seconds,
        "threads": threads,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--maps", default="smooth,full,shingles")
    parser.add_argument("--side", type=int, default=4096)
    parser.add_argument("--threads", type=int, default=1)
    chosen = parser.parse_args()
    names = chosen.maps.split(",")
    known = read_record(NAME)["rows"] if (RESULTS / f"{NAME}.json").exists() else []
    rows = {row["map"]: row for row in known if row["side"] == chosen.side}
    for name in names:
        rows[name] = measure(name, chosen.side, chosen.threads)
        print(rows[name], file=sys.stderr)
    write_record(NAME, list(rows.values()))


if __name__ == "__main__":
    main()
