"""The whole command, writing included, takes the memory that `info` announces."""

import json
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

import crevasse
from crevasse.files.depth_files import write_image
from crevasse.files.wanted import Wanted
from crevasse.memory import command_bytes
from crevasse.methods import Graduated, Poisson

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
@pytest.mark.parametrize(("side", "mesh"), [(256, "ply"), (512, "ply"), (1024, "ply"), (1024, "glb")])
def test_the_peak_is_within_15_percent_of_what_info_announces(tmp_path, side, mesh):
    rows, columns = np.indices((side, side))
    normals = np.stack([np.sin(columns / 40) / 4, np.cos(rows / 50) / 4, np.ones_like(rows)], axis=-1)
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    write_image(tmp_path / "map.png", np.rint((normals + 1) * 32767.5).astype(np.uint16), {})
    del normals
    announced = json.loads(command("info", str(tmp_path / "map.png"), "--json").stdout)["memory"]
    words = ["integrate", str(tmp_path / "map.png"), "-o", str(tmp_path / "out")]
    done = command(*words, "--method", "poisson", "--mesh-format", mesh)
    peak = int(done.stderr.split()[-1])
    assert 0.85 * announced < peak < 1.15 * announced


def test_files_that_cannot_be_written_in_blocks_count_towards_memory():
    sides = (4096, 4096)
    plain = command_bytes(sides, Graduated.bytes_per_pixel, sides)
    for wanted in (Wanted(decimate=0.1), Wanted(solid=True)):
        assert command_bytes(sides, Graduated.bytes_per_pixel, sides, wanted.heavy) > plain
    assert command_bytes(sides, Graduated.bytes_per_pixel, sides, Wanted().heavy) == plain


SOLVE = """
import re, sys
from pathlib import Path
import numpy as np
import crevasse
from crevasse import scenes

scene = scenes.SCENES["demo"](1024)
normals = np.where(scene.mask[..., None], scene.normals, [0.0, 0.0, 1.0])
mask = np.ones(scene.mask.shape, bool)
del scene
status = Path("/proc/self/status")
before = int(re.search(r"VmRSS:\\s+(\\d+) kB", status.read_text())[1])
Path("/proc/self/clear_refs").write_text("5")  # forget the peak so far
crevasse.integrate(normals, mask, method=sys.argv[1])
print((int(re.search(r"VmHWM:\\s+(\\d+) kB", status.read_text())[1]) - before) * 1024 / mask.size)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems count memory otherwise")
def test_steep_silhouettes_take_no_more_memory_than_poisson_announces():
    # The linear solver fills in more on coarse levels where weights differ by orders of magnitude.
    done = subprocess.run([sys.executable, "-c", SOLVE, "poisson"], capture_output=True, text=True, check=True)
    assert float(done.stdout) < Poisson.bytes_per_pixel


def test_jumps_are_found_without_all_corners_in_memory(monkeypatch):
    rows, columns = np.indices((96, 96))
    surface = crevasse.integrate(np.stack([columns / 200, rows / 300, 1 + 0 * rows], axis=-1)).surface
    whole, corners = surface.jumps, surface.corner_rows
    asked = []

    def rows_of(self, some):
        asked.append(some.stop - some.start)
        return corners(some)

    monkeypatch.setattr("crevasse.surface.BLOCK", 960)
    monkeypatch.setattr(type(surface), "corner_rows", rows_of)
    again = replace(surface).jumps
    assert max(asked) <= 11
    for first, second in zip(whole, again, strict=True):
        np.testing.assert_array_equal(first, second)


NARROW = """
import re, sys
from pathlib import Path
import numpy as np
import crevasse
from crevasse.memory import integrating_bytes
from crevasse.methods import Graduated

def read(name):
    return int(re.search(name + r":\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1]) * 1024

shape = int(sys.argv[1]), int(sys.argv[2])
rows, columns = np.indices(shape)
normals = np.stack([np.sin(columns / 40) / 4, np.cos(rows / 50) / 4, np.ones(shape)], axis=-1)
del rows, columns
warm = crevasse.scenes.demo(64)
crevasse.integrate(warm.normals, warm.mask, warm.camera)  # loads libraries
before = read("VmRSS")
Path("/proc/self/clear_refs").write_text("5")  # forget the peak so far
crevasse.integrate(normals, method=Graduated(starts=1, iterations=6, polish_iterations=1))
print((read("VmHWM") - before) / integrating_bytes(shape, Graduated.bytes_per_pixel))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems count memory otherwise")
@pytest.mark.parametrize("shape", [(3, 100_000), (100_000, 3), (1, 200_000), (30, 10_000)])
def test_narrow_maps_take_no_more_memory_than_announced(shape):
    words = [sys.executable, "-c", NARROW, *map(str, shape)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert 0.4 < float(done.stdout) < 1
