"""The examples run, and what they print is what they promise."""

import runpy
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
PROMISES = {
    "one_call": (["mesh.ply", "preview.png"], "error", 1.5),
    "step_by_step": (["animation.webp"], "stopped after", None),
    "compare_methods": (["sheet.png"], "crevasse ", 1.0),
    "photometric_stereo": (["mesh.glb"], "error", 2.0),
    "texture_to_height": (["height.png"], "error", 0.5),
    "tactile_sensor": ([], "pressed", None),
    "known_distance": ([], "islands", None),
}


def run(name, folder, capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", [name, str(folder)])
    runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
    return capsys.readouterr().out


def test_every_example_has_a_test():
    assert {path.stem for path in EXAMPLES.glob("*.py")} == set(PROMISES)


@pytest.mark.parametrize("name", PROMISES)
def test_each_example_does_what_it_says(name, tmp_path, capsys, monkeypatch):
    files, word, most = PROMISES[name]
    out = run(name, tmp_path, capsys, monkeypatch)
    assert word in out
    for file in files:
        assert (tmp_path / file).stat().st_size > 1000
    if most is not None:
        line = next(line for line in out.splitlines() if word in line)
        assert float(next(part for part in line.split() if part[0].isdigit())) < most


def test_the_ball_is_pressed_as_deep_as_it_was(tmp_path, capsys, monkeypatch):
    out = run("tactile_sensor", tmp_path, capsys, monkeypatch)
    assert float(out.split()[1]) == pytest.approx(12.0 * 0.05, rel=0.03)
