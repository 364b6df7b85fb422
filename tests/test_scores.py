"""Errors besides MADE, tables that never mix units, figures."""

import csv
import io
import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import crevasse
from crevasse import metrics, scenes
from crevasse.cli.main import cli
from crevasse.files.depth_files import write_image

ORTHOGRAPHIC = crevasse.Orthographic()


def test_rmse_counts_large_errors_more_and_the_median_less():
    truth = np.arange(20.0).reshape(4, 5)
    depth = truth + 3.0
    depth[0, 0] += 10
    assert metrics.made(depth, truth, ORTHOGRAPHIC) == pytest.approx(0.5)
    assert metrics.rmse(depth, truth, ORTHOGRAPHIC) == pytest.approx(np.sqrt(100 / 20))
    assert metrics.median_error(depth, truth, ORTHOGRAPHIC) == 0


@pytest.mark.parametrize("camera", [ORTHOGRAPHIC, crevasse.Perspective(200.0, 200.0, 15.5, 15.5)])
def test_the_angle_between_two_planes_is_measured(camera):
    columns = np.arange(32.0)
    flat = np.full((32, 32), 40.0)
    size = 1.0 if camera is ORTHOGRAPHIC else 40.0 / 200.0
    tilted = flat + np.tan(np.radians(3)) * size * (columns - 15.5)
    assert metrics.angular_error(flat, flat, camera) == 0
    assert metrics.angular_error(tilted, flat, camera) == pytest.approx(3, abs=0.25)


def test_jumps_are_scored_with_a_pixel_of_tolerance():
    right, down = np.zeros((20, 19), bool), np.zeros((19, 20), bool)
    true = right.copy()
    true[:, 9] = True
    near, far = right.copy(), right.copy()
    near[:, 10] = True
    far[:10, 9] = far[:10, 2] = True
    assert metrics.jump_scores((near, down), (true, down)) == (1.0, 1.0)
    scores = metrics.jump_scores((far, down), (true, down))
    assert scores.precision == pytest.approx(0.5)
    assert scores.recall == pytest.approx(0.55)
    assert metrics.jump_scores((right, down), (right, down)) == (1.0, 1.0)


def test_true_jumps_are_steps_that_slopes_do_not_explain():
    scene = scenes.SCENES["stairs"](64)
    right, down = metrics.true_jumps(scene.depth, scene.normals, scene.camera)
    for found, axis in ((right, 1), (down, 0)):
        step = np.abs(np.diff(scene.depth, axis=axis))
        assert found[step > 1.5].all() and not found[step < 0.5].any()
    assert right.any() or down.any()
    smooth = scenes.SCENES["smooth"](64)
    assert not np.concatenate(
        [e.ravel() for e in metrics.true_jumps(smooth.depth, smooth.normals, smooth.camera)]
    ).any()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Two maps: pixels along parallel rays, and a perspective one whose depth is in another unit."""
    root = tmp_path_factory.mktemp("data")
    for name in ("smooth", "stairs", "demo"):
        scene = scenes.SCENES[name](48)
        here = root / name
        here.mkdir()
        colours = np.rint((scene.normals + 1) * 32767.5).astype(np.uint16)
        write_image(here / "normal_map.png", np.where(scene.mask[..., None], colours, 0).astype(np.uint16), {})
        np.savez(here / "depth_gt.npz", depth_gt=scene.depth)
        if scene.camera.curvature:
            np.savetxt(here / "K.txt", scene.camera.matrix)
    return root


def evaluate(folder, *words):
    done = CliRunner().invoke(cli, ["evaluate", str(folder), "--methods", "poisson,bilateral", *words])
    assert done.exit_code == 0, done.stderr
    return done.stdout


def test_means_in_a_unit_that_no_map_says_come_with_a_warning(folder, tmp_path):
    for name in ("one", "two"):
        shutil.copytree(folder / "demo", tmp_path / name)
    assert "No map says which unit" in evaluate(tmp_path)
    assert "No map says which unit" not in evaluate(tmp_path / "one")


def test_unlike_units_are_never_averaged(folder):
    report = json.loads(evaluate(folder, "--json"))
    units = {entry["poisson"]["unit"] for entry in report["objects"].values()}
    assert len(units) == 2
    assert report["mean_unit"] == "px"
    pixels = [entry["poisson"]["made_px"] for entry in report["objects"].values()]
    assert report["mean"]["poisson"] == pytest.approx(np.mean(pixels))
    text = evaluate(folder)
    assert "units differ" in text
    assert "No map says which unit" not in text
    alike = json.loads(evaluate(folder / "stairs", "--json"))
    assert alike["mean_unit"] == "px"
    assert alike["mean"]["poisson"] == alike["objects"]["stairs"]["poisson"]["made"]
    assert alike["objects"]["stairs"]["poisson"]["made_px"] == alike["mean"]["poisson"]


def test_tables_as_csv_and_latex(folder):
    rows = list(csv.DictReader(io.StringIO(evaluate(folder, "--format", "csv"))))
    assert [(row["object"], row["method"]) for row in rows][:2] == [("demo", "poisson"), ("demo", "bilateral")]
    assert all(float(row["made_px"]) >= 0 and 0 <= float(row["jump_recall"]) <= 1 for row in rows)
    latex = evaluate(folder, "--format", "latex")
    assert latex.count(r"\\") == 3
    assert latex.count(r"\textbf") >= 4
    assert "% mean absolute depth error, px" in latex


@pytest.mark.parametrize("suffix", ["svg", "pdf"])
def test_errors_are_drawn_as_vectors(folder, tmp_path, suffix):
    evaluate(folder / "stairs", "--figure", str(tmp_path / f"chart.{suffix}"))
    data = (tmp_path / f"chart.{suffix}").read_bytes()
    assert data.startswith(b"%PDF" if suffix == "pdf" else b"<?xml")
    if suffix == "svg":
        assert b"<path" in data and b"<image" not in data


def test_a_figure_that_would_replace_an_input_is_refused_before_any_work(folder):
    source = folder / "stairs" / "normal_map.png"
    before = source.read_bytes()
    for path, reason in ((source, "is an input of this run"), (folder / "chart.txt", "no suffix of a figure")):
        done = CliRunner().invoke(cli, ["evaluate", str(folder), "--methods", "poisson", "--figure", str(path)])
        assert done.exit_code and not done.stdout
        assert reason in done.stderr
    assert source.read_bytes() == before


def test_a_result_becomes_a_figure_with_its_unit(tmp_path):
    scene = scenes.SCENES["stairs"](48)
    result = crevasse.integrate(scene.normals, scene.mask, scene.camera, "poisson").scaled(0.1, "mm")
    made = crevasse.pictures.figure(result, scene.depth)
    labels = [axis.get_ylabel() for axis in made.axes]
    assert "depth, mm" in labels
    path = Path(tmp_path / "result.pdf")
    made.savefig(path)
    assert path.stat().st_size > 1000


@pytest.mark.parametrize("word", ["pixels", "pixel", "px"])
def test_pixels_are_one_unit_however_they_are_spelled(folder, tmp_path, word):
    shutil.copytree(folder, tmp_path / "data", ignore=shutil.ignore_patterns("demo"))
    (tmp_path / "data" / "smooth" / "meta.json").write_text(json.dumps({"depth_unit": word}))
    report = json.loads(evaluate(tmp_path / "data", "--json"))
    assert {entry["poisson"]["unit"] for entry in report["objects"].values()} == {"px"}
