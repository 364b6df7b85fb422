"""What the summary of `integrate` and the report of `info` say about camera, units and sizes."""

import json

import numpy as np
import pytest
import trimesh
from click.testing import CliRunner

from crevasse import pictures, scenes
from crevasse.cli.main import cli
from crevasse.pictures.drawable import footprint
from crevasse.pictures.sheet import sheet_panels


@pytest.fixture
def coin(tmp_path):
    scene = scenes.disc(48)
    np.save(tmp_path / "coin.npy", np.where(scene.mask[..., None], scene.normals, 0))
    return tmp_path / "coin.npy"


def said(*words):
    done = CliRunner().invoke(cli, [str(word) for word in words])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_a_camera_that_nobody_gave_is_called_an_assumption(coin, tmp_path):
    out = tmp_path / "out"
    assert "orthographic, assumed" in said("info", coin)
    assert "Camera: orthographic, assumed" in said("integrate", coin, "-o", out)
    assert json.loads(said("info", coin, "--json"))["camera_assumed"] is True
    for given in (["--focal", "100"], ["--pixel-size", "0.1mm"]):
        assert "assumed" not in said("info", coin, *given)
        assert "assumed" not in said("integrate", coin, "-o", out, "--overwrite", *given)
        assert json.loads(said("info", coin, "--json", *given))["camera_assumed"] is False


def test_jumps_are_counted_and_their_absence_is_said(coin, tmp_path):
    lines = said("integrate", coin, "-o", tmp_path / "torn").splitlines()
    report = json.loads((tmp_path / "torn" / "result.json").read_text())
    assert report["cuts"] > 20
    assert any(line.startswith(f"Jumps: {report['cuts']:,} pairs of neighbouring pixels") for line in lines)
    np.save(tmp_path / "flat.npy", np.broadcast_to([0.0, 0.0, 1.0], (32, 32, 3)))
    assert "Jumps: none found" in said("integrate", tmp_path / "flat.npy", "-o", tmp_path / "flat").splitlines()


def test_a_refused_map_leaves_no_folder(tmp_path):
    scene = scenes.holes(48)
    np.save(tmp_path / "holes.npy", np.where(scene.mask[..., None], scene.normals, 0))
    words = ["integrate", str(tmp_path / "holes.npy"), "--method", "fourier", "-o", str(tmp_path / "tile")]
    done = CliRunner().invoke(cli, words)
    assert done.exit_code == 3 and "full rectangle" in done.output
    assert not (tmp_path / "tile").exists()


def test_the_size_of_a_solid_is_that_of_its_file(coin, tmp_path):
    path = tmp_path / "coin.stl"
    lines = said("integrate", coin, "-o", path, "--solid", "--pixel-size", "0.02mm").splitlines()
    line = next(line for line in lines if line.startswith("Solid: "))
    size = " x ".join(f"{side:.4g}" for side in trimesh.load(path).extents)
    assert line.startswith(f"Solid: {size} mm, ") and "slicers" not in line


def test_a_solid_without_a_unit_says_what_slicers_make_of_it(coin, tmp_path):
    report = json.loads(said("integrate", coin, "-o", tmp_path / "out", "--solid", "--json"))
    assert report["solid"]["metric"] is False
    lines = said("integrate", coin, "-o", tmp_path / "coin.stl", "--solid").splitlines()
    assert any("px" in line and "slicers read that as millimetres" in line for line in lines)


def test_the_metres_of_a_glb_file_are_explained(coin, tmp_path):
    plain = said("integrate", coin, "-o", tmp_path / "coin.glb")
    assert "GLB: a metre in it is 1 px" in plain
    scaled = said("integrate", coin, "-o", tmp_path / "true.glb", "--pixel-size", "2mm")
    assert "GLB: true metres" in scaled
    sides = [trimesh.load(tmp_path / name, force="mesh").extents[0] for name in ("coin.glb", "true.glb")]
    assert sides[1] == pytest.approx(sides[0] * 0.002, rel=1e-5)
    assert "GLB: " not in said("integrate", coin, "-o", tmp_path / "coin.ply")


def test_errors_on_a_sheet_are_in_pixels_unless_the_truth_has_a_unit():
    from helpers import integrate_scene

    scene = scenes.demo(64)
    result = integrate_scene(scene)
    titles = [
        [panel.title for row in sheet_panels({"a": result}, 7 * scene.depth, unit) for panel in row]
        for unit in (None, "mm")
    ]
    errors = [next(title.split() for title in each if title.startswith("mean error")) for each in titles]
    assert [error[3] for error in errors] == ["px", "mm"]
    pixel = footprint(pictures.drawable.Given(7 * scene.depth, scene.camera))
    assert float(errors[1][2]) == pytest.approx(pixel * float(errors[0][2]), rel=0.01)
