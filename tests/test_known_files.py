"""Priors, points and fixed depths from files: on the command line, in folders and batches."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from command import run

import crevasse
from crevasse import scenes
from crevasse.files import BadInput
from crevasse.files.depth_files import write_image
from crevasse.files.known_files import read_points, read_prior


@pytest.fixture(scope="module")
def scene():
    return scenes.islands(64)


@pytest.fixture
def folder(tmp_path, monkeypatch, scene):
    """A folder with a map whose island no normal places."""
    monkeypatch.chdir(tmp_path)
    Path("scan").mkdir()
    np.save("scan/normal_map.npy", scene.normals)
    np.save("prior.npy", scene.depth + 50)
    return tmp_path


def report(*words):
    return json.loads(run("integrate", "scan", "-o", "out", "--overwrite", "--json", *words).stdout)


def error(scene, shift=50.0):
    return np.abs(np.load("out/depth.npy") - scene.depth - shift)[scene.mask].mean()


def test_a_prior_and_points_on_the_command_line(folder, scene):
    assert not report()["metric"]
    assert error(scene) > 1
    found = report("--prior", "prior.npy")
    assert found["metric"]
    assert found["islands"] == 0
    assert error(scene) < 0.1
    rows, columns = np.nonzero(scene.mask)
    chosen = np.random.default_rng(0).choice(len(rows), 200, replace=False)
    table = np.stack([rows, columns, scene.depth[scene.mask] + 9], axis=1)[chosen]
    np.savetxt("points.csv", table, delimiter=",", header="row,column,depth", comments="")
    assert report("--points", "points.csv")["metric"]
    assert error(scene, 9) < 0.5


def test_unknown_scale_on_the_command_line(folder, scene):
    np.save("network.npy", 3 * scene.depth + 11)
    found = report("--prior", "network.npy", "--prior-unknown", "affine")
    assert not found["metric"]
    off = np.load("out/depth.npy") - scene.depth
    assert np.abs(off - np.median(off))[scene.mask].mean() < 0.2


def test_a_folder_holds_what_is_known(folder, scene):
    shutil.copy("prior.npy", "scan/depth_prior.npy")
    Path("scan/points.csv").write_text("# taped\nrow;column;depth\n")
    with pytest.raises(BadInput, match="holds no points"):
        crevasse.read_folder("scan")
    first = scene.depth[5, 6] + 50
    Path("scan/points.csv").write_text(f"row;column;depth\n5;6;{first}\n")
    found = crevasse.read_folder("scan")
    assert found.points.shape == (1, 3)
    assert report()["metric"]
    assert error(scene) < 0.1
    plain = report("--method", "poisson")
    assert any("ignores the prior" in warning for warning in plain["warnings"])


def test_results_are_made_again_once_the_prior_changes(folder, scene):
    shutil.copy("prior.npy", "scan/depth_prior.npy")
    batch = "batch", "scan", "-o", "results", "-j", "1", "--resume"
    run(*batch)
    before = np.load("results/scan/depth.npy")
    np.save("scan/depth_prior.npy", scene.depth + 70)
    run(*batch)
    assert np.median(np.load("results/scan/depth.npy") - before) == pytest.approx(20, abs=0.1)
    inputs = json.loads(Path("results/scan/result.json").read_text())["identity"]["inputs"]
    assert inputs["prior"].startswith("sha256:")


def test_depth_of_a_lower_resolution_is_spread(folder, scene):
    small = scene.depth.reshape(16, 4, 16, 4).mean(axis=(1, 3))
    np.save("small.npy", small)
    found = read_prior(Path("small.npy"), scene.mask.shape, None, "nothing", None)
    np.testing.assert_array_equal(found.depth, small.repeat(4, 0).repeat(4, 1))
    np.save("wide.npy", small[:8])
    run("integrate", "scan", "--prior", "wide.npy", code=3)


def test_zero_is_unknown_in_integer_images(folder, scene):
    values = np.where(np.arange(64) < 20, 0, 700).astype(np.uint16) * np.ones((64, 1), np.uint16)
    write_image(Path("depth.png"), values[..., None], {})
    depth = read_prior(Path("depth.png"), (64, 64), None, "nothing", None).depth
    assert np.isnan(depth[:, :20]).all()
    assert (depth[:, 20:] == 700).all()


WRONG = [
    ("1,2\n", "row,column,depth"),
    ("1,2,3\n1,2,3,4\n", "line 2"),
    ("1,2,3\na,b,c\n", "line 2"),
    ("", "no points"),
    ("\0\1\2\n", "no points"),
]


@pytest.mark.parametrize(("text", "reason"), WRONG)
def test_bad_tables_name_their_line(tmp_path, text, reason):
    (tmp_path / "points.csv").write_text(text)
    with pytest.raises(BadInput, match=reason):
        read_points(tmp_path / "points.csv")


def test_hostile_files_are_refused(folder):
    Path("broken.npy").write_bytes(Path("prior.npy").read_bytes()[:200])
    Path("binary.csv").write_bytes(bytes(range(256)) * 40)
    np.save("nan.npy", np.full((64, 64), np.nan))
    np.save("huge.npy", np.full((64, 64), 1e300))
    for option, name in (("prior", "broken.npy"), ("prior", "nan.npy"), ("prior", "huge.npy"), ("prior", "no.npy"),
                         ("points", "binary.csv"), ("points", "no.csv"), ("fixed", "nan.npy")):  # fmt: skip
        done = run("integrate", "scan", f"--{option}", name, code=3)
        assert "Traceback" not in done.stderr
    run("integrate", "scan", "--prior", "prior.npy", "--prior-sigma", "-1", code=2)
    run("integrate", "scan", "--prior", "prior.npy", "--method", "poisson", code=2)
    run("integrate", "scan", "--prior", "prior.npy", "--ruler", "0,0,9,9,5", code=3)
    assert not list(Path().rglob("depth.npy"))
