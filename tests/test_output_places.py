"""Outputs of every kind are put into place as a whole, replace no input, and count in a result's identity."""

from __future__ import annotations

import io
import json
import os
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from maps import ball

import crevasse
from crevasse.cli.main import cli
from crevasse.files.depth_files import write_image
from crevasse.files.errors import AlreadyThere, Busy
from crevasse.files.locks import locked
from crevasse.files.result_folder import LOCK, claimed_file
from crevasse.progress import show_progress

POISSON = ("--method", "poisson")


@pytest.fixture
def here(here):
    np.save("map.npy", ball(24)[0])
    paint("photo.png", 90)
    return here


def paint(path, value):
    write_image(Path(path), np.full((24, 24, 3), value, np.uint8), {})


def run(*words, code=0):
    done = CliRunner().invoke(cli, [*words, *POISSON])
    assert done.exit_code == code, done.stderr
    return done


@pytest.mark.parametrize("output", ["out", "out/mesh.obj"])
def test_the_photograph_beside_a_mesh_replaces_no_input(here, output):
    Path("out").mkdir()
    os.rename("photo.png", "out/mesh-photo.png")
    before = Path("out/mesh-photo.png").read_bytes()
    words = ("integrate", "map.npy", "--texture", "out/mesh-photo.png", "--mesh-format", "obj", "--overwrite")
    assert "is an input of this run" in run(*words, "-o", output, code=2).stderr
    assert Path("out/mesh-photo.png").read_bytes() == before
    assert os.listdir("out") == ["mesh-photo.png"]


def test_a_batch_never_replaces_the_input_of_another_map(here):
    Path("out/map").mkdir(parents=True)
    os.rename("map.npy", "out/map/depth.npy")
    np.save("map.npy", ball(20)[0])
    before = Path("out/map/depth.npy").read_bytes()
    done = run("batch", "map.npy", "out/map/depth.npy", "-o", "out", "--overwrite", "-j", "1", code=5)
    assert Path("out/map/depth.npy").read_bytes() == before
    assert "is an input of this run" in done.stderr and Path("out/depth/depth.npy").exists()


def test_a_single_mesh_replaces_no_input(here):
    os.link("map.npy", "map.stl")
    assert "is an input of this run" in run("integrate", "map.npy", "-o", "map.stl", "--overwrite", code=2).stderr
    assert np.load("map.npy").shape == (24, 24, 3)


def test_a_later_result_leaves_no_photograph_behind(here):
    run("integrate", "map.npy", "-o", "out", "--texture", "photo.png", "--mesh-format", "obj")
    assert {"mesh.mtl", "mesh-photo.png"} <= set(os.listdir("out"))
    run("integrate", "map.npy", "-o", "out", "--overwrite")
    outputs = json.loads(Path("out/result.json").read_text())["outputs"]
    assert set(os.listdir("out")) == set(outputs.values())


def test_a_failed_write_leaves_the_earlier_result_with_all_its_kinds(here):
    run("integrate", "map.npy", "-o", "out", "--height-format", "exr", "--solid")
    before = {path.name: path.read_bytes() for path in Path("out").iterdir()}
    write_image(Path("wide.png"), np.full((24, 48, 3), 90, np.uint8), {})
    words = ("--overwrite", "--pixel-size", "2mm", "--texture", "wide.png")
    run("integrate", "map.npy", "-o", "out", *words, code=3)
    assert {path.name: path.read_bytes() for path in Path("out").iterdir()} == before


def test_single_meshes_are_held_one_by_one(tmp_path):
    with locked(tmp_path / f".a.stl{LOCK}", ""):
        with pytest.raises(Busy, match=r"a\.stl is being written"), claimed_file(tmp_path / "a.stl", ["a.stl"], True):
            pass
        with claimed_file(tmp_path / "b.stl", ["b.stl"], True):
            pass
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("words", "difference"),
    [
        (("--decimate", "50%"), "decimate was None and is 0.5"),
        (("--solid",), "solid was False and is True"),
        (("--mesh", "quads"), "kind was welded and is quads"),
        (("--texture", "photo.png"), "photo was False and is True"),
        (("--centre", "128"), "centre was auto and is 128"),
        (("--height-format", "exr"), "height was [] and is ['exr']"),
        (("--axes", "opencv"), "axes was opengl and is opencv"),
    ],
)
def test_a_batch_resumes_only_with_the_same_outputs(here, words, difference):
    run("batch", "map.npy", "-o", "out", "-j", "1")
    assert difference in run("batch", "map.npy", "-o", "out", "--resume", *words, code=2).stderr


def test_another_photograph_is_another_result(here):
    words = ("batch", "map.npy", "-o", "out", "-j", "1", "--texture", "photo.png", "--mesh-format", "ply")
    run(*words)
    first = Path("out/map/mesh.ply").read_bytes()
    assert "made again" not in run(*words, "--resume").stderr
    paint("photo.png", 200)
    assert "made again, since the content of photo changed" in run(*words, "--resume").stderr
    assert Path("out/map/mesh.ply").read_bytes() != first


def test_the_default_frame_is_auto_by_name_too(here):
    run("batch", "map.npy", "-o", "out", "-j", "1")
    assert "made again" not in run("batch", "map.npy", "-o", "out", "--resume", "--frame", "auto").stderr


def test_a_map_whose_name_ends_like_a_mesh_still_gets_a_folder(here):
    os.rename("map.npy", "bust.ply.npy")
    run("integrate", "bust.ply.npy")
    run("batch", "bust.ply.npy", "-o", "out", "-j", "1")
    assert Path("bust.ply/depth.npy").is_file() and Path("out/bust.ply/depth.npy").is_file()


def test_a_name_with_brackets_is_shown_as_it_is(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setattr("sys.stderr", Terminal())
    with show_progress("a[/]b") as report_progress:
        report_progress("integrating", 0.5)
        shown = sys.stderr.getvalue()
    assert "a[/]b: integrating" in shown


def test_save_puts_a_whole_result_into_place(here):
    result = crevasse.integrate(np.load("map.npy"), method="poisson")
    result.save("out")
    with pytest.raises(AlreadyThere):
        result.save("out")
    assert set(result.save("out", overwrite=True).values()) == {str(Path("out") / name) for name in os.listdir("out")}
    with locked(Path("out") / LOCK, ""), pytest.raises(Busy):
        result.save("out", overwrite=True)


def test_a_surface_that_is_not_finite_is_not_saved(here):
    result = crevasse.integrate(np.load("map.npy"), method="poisson")
    failed = replace(result, status=crevasse.Status.NOT_FINITE)
    with pytest.raises(ValueError, match="nothing to save"):
        failed.save("out")
    assert not Path("out").exists()
