"""The whole command, writing included, takes the memory that `info` announces."""

import json
import subprocess
import sys

import numpy as np
import pytest

from crevasse.files.depth_files import write_image
from crevasse.files.wanted import Wanted
from crevasse.memory import command_bytes
from crevasse.methods import Graduated

PEAK = (
    "import re, sys\n"
    "from pathlib import Path\n"
    "from crevasse.cli.main import cli\n"
    "cli.main(sys.argv[1:], standalone_mode=False)\n"
    "peak = re.search(r'VmHWM:\\s+(\\d+) kB', Path('/proc/self/status').read_text())[1]\n"
    "print(int(peak) * 1024, file=sys.stderr)"
)
"""Not getrusage: a new process inherits the peak of the one that started it."""


def command(*words):
    return subprocess.run([sys.executable, "-c", PEAK, *words], capture_output=True, text=True, check=True)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems count memory otherwise")
@pytest.mark.parametrize("mesh", ["ply", "glb"])
def test_the_peak_is_within_15_percent_of_what_info_announces(tmp_path, mesh):
    rows, columns = np.indices((1024, 1024))
    normals = np.stack([np.sin(columns / 40) / 4, np.cos(rows / 50) / 4, np.ones_like(rows)], axis=-1)
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    write_image(tmp_path / "map.png", np.rint((normals + 1) * 32767.5).astype(np.uint16), {})
    del normals
    announced = json.loads(command("info", str(tmp_path / "map.png"), "--json").stdout)["memory"]
    words = ["integrate", str(tmp_path / "map.png"), "-o", str(tmp_path / "out")]
    done = command(*words, "--method", "poisson", "--mesh-format", mesh)
    peak = int(done.stderr.split()[-1])
    assert 0.85 * announced < peak < 1.15 * announced


def test_what_is_made_as_a_whole_is_counted():
    sides = (4096, 4096)
    plain = command_bytes(sides, Graduated.bytes_per_pixel, sides)
    for wanted in (Wanted(decimate=0.1), Wanted(solid=True)):
        assert command_bytes(sides, Graduated.bytes_per_pixel, sides, wanted.heavy) > plain
    assert command_bytes(sides, Graduated.bytes_per_pixel, sides, Wanted().heavy) == plain
