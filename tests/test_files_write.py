"""What is written can be read by others, is whole, and never lands where it should not."""

import errno
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import OpenImageIO as oiio
import pytest
import trimesh
from maps import ball
from scipy.spatial import cKDTree

import crevasse
from crevasse.files import BadOutput
from crevasse.files.depth_files import DEPTH_FILES, write_depth
from crevasse.files.mesh_files import write_mesh, write_points
from crevasse.files.outputs import Wanted, write_outputs
from crevasse.files.processes import is_running
from crevasse.files.write import make_folder, replacing, sweep, write_npy
from crevasse.mesh.solid import fill_diagonals, solid_mesh
from crevasse.web.cleanup import remove_stale_folders


@pytest.fixture(scope="module")
def result():
    normals, mask = ball(32)
    mask[10:12, 10:12] = False
    return crevasse.integrate(normals, mask, method=crevasse.Poisson())


@pytest.fixture(scope="module")
def deep(result):
    camera = crevasse.Perspective(60.0, 60.0, 15.5, 15.5)
    normals, mask = ball(32)
    return crevasse.integrate(normals, mask, camera, crevasse.Poisson())


def read_samples(path):
    image = oiio.ImageInput.open(str(path))
    samples = image.read_image(image.spec().format)[..., 0]
    return samples, image.spec()


@pytest.mark.parametrize("kind", ["tif", "exr"])
def test_float_depth_is_exact_to_single_precision(tmp_path, result, kind):
    samples, _ = read_samples(write_depth(tmp_path, result.depth, kind))
    assert samples.dtype == np.float32
    np.testing.assert_array_equal(samples, result.depth.astype(np.float32))


def test_png_depth_carries_its_scale_twice(tmp_path, result):
    samples, spec = read_samples(write_depth(tmp_path, result.depth, "png16"))
    facts = json.loads((tmp_path / "depth.png.json").read_text())
    assert json.loads(spec.get_string_attribute("ImageDescription")) == facts
    np.testing.assert_array_equal(samples == 0, ~result.mask)
    back = facts["offset"] + facts["scale"] * samples.astype(float)
    span = np.nanmax(result.depth) - np.nanmin(result.depth)
    assert np.abs(back - result.depth)[result.mask].max() < 0.51 * span / 65534


def test_npy_depth_is_exact(tmp_path, result):
    write_depth(tmp_path, result.depth, "npy")
    np.testing.assert_array_equal(np.load(tmp_path / DEPTH_FILES["npy"]), result.depth)


def assert_same_triangles(made, wanted):
    """Triangles (M, 3, D) are the same, in whatever order: each has one with its centre and its extent."""
    assert made.shape == wanted.shape
    marks = [np.concatenate([t.mean(axis=1), t.min(axis=1), t.max(axis=1)], axis=1) for t in (made, wanted)]
    for one, other in (marks, marks[::-1]):
        assert cKDTree(one).query(other)[0].max() < 1e-5 * np.abs(wanted).max()


@pytest.mark.parametrize("kind", ["ply", "obj", "glb", "stl"])
@pytest.mark.parametrize("torn", [True, False])
def test_meshes_come_back_as_they_were(tmp_path, deep, kind, torn):
    mesh = deep.mesh(torn=torn)
    write_mesh(tmp_path / f"mesh.{kind}", mesh)
    back = trimesh.load(tmp_path / f"mesh.{kind}", process=False, force="mesh")
    vertices = back.vertices * [1, -1, -1]
    assert_same_triangles(vertices[back.faces], mesh.vertices[mesh.faces])
    if kind != "stl":
        assert_same_triangles(back.visual.uv[back.faces], mesh.texture[mesh.faces])


@pytest.mark.parametrize("kind", ["ply", "obj"])
def test_quads_stay_quads_where_the_format_has_them(tmp_path, result, kind):
    mesh = result.mesh("quads")
    write_mesh(tmp_path / f"mesh.{kind}", mesh)
    data = (tmp_path / f"mesh.{kind}").read_bytes()
    if kind == "ply":
        assert f"element face {result.pixels}\n".encode() in data
    else:
        faces = [line for line in data.splitlines() if line.startswith(b"f ")]
        assert len(faces) == result.pixels
        assert all(len(line.split()) == 5 for line in faces)


def test_the_texture_lies_on_the_pixels_it_was_taken_from(tmp_path, result):
    mesh = result.mesh()
    columns = mesh.texture[:, 0] * 32 - 0.5
    rows = (1 - mesh.texture[:, 1]) * 32 - 0.5
    np.testing.assert_allclose(mesh.vertices[:, 0], columns, atol=1e-9)
    np.testing.assert_allclose(mesh.vertices[:, 1], rows, atol=1e-9)


def test_a_point_cloud_has_one_point_per_pixel(tmp_path, result):
    write_points(tmp_path / "points.ply", result.mesh("pixel"))
    cloud = trimesh.load(tmp_path / "points.ply")
    np.testing.assert_allclose(-cloud.vertices[:, 2], result.depth[result.mask], rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("camera", ["orthographic", "perspective"])
def test_solid_is_watertight(tmp_path, result, deep, camera):
    chosen = result if camera == "orthographic" else deep
    write_mesh(tmp_path / "solid.stl", solid_mesh(chosen.corners, chosen.mask, chosen.camera))
    solid = trimesh.load(tmp_path / "solid.stl")
    assert solid.is_watertight
    assert solid.is_winding_consistent
    assert solid.volume > 0


def test_solid_is_watertight_on_a_mask_that_touches_in_corners(tmp_path):
    random = np.random.default_rng(4).random((24, 24)) < 0.5
    depth = np.where(random.repeat(2, 0).repeat(2, 1), 5.0, np.nan)
    write_mesh(tmp_path / "solid.stl", solid_mesh(depth, random, crevasse.Orthographic()))
    assert trimesh.load(tmp_path / "solid.stl").is_watertight
    filled = fill_diagonals(random)
    assert filled[random].all()
    assert not random.all()


def test_arrays_and_pictures(tmp_path, result):
    outputs = write_outputs(tmp_path, result, Wanted(arrays=True), {}).outputs
    np.testing.assert_array_equal(np.load(outputs["islands"]), result.islands)
    np.testing.assert_array_equal(np.load(outputs["jumps_right"]), result.jumps.right)
    np.testing.assert_array_equal(np.load(outputs["jumps_down"]), result.jumps.down)
    for kind in ("jumps", "preview", "islands_picture"):
        assert oiio.ImageInput.open(outputs[kind]).spec().nchannels == 3
    assert set(outputs) == set(Wanted(arrays=True).names())


def test_a_picture_that_cannot_be_drawn_leaves_no_report(tmp_path, result, monkeypatch):
    def fail(result):
        raise BadOutput("no picture")

    monkeypatch.setattr("crevasse.pictures.preview", fail)
    with pytest.raises(BadOutput, match="no picture"):
        write_outputs(tmp_path, result, Wanted(), {})
    assert not (tmp_path / "result.json").exists()


def test_a_failed_write_leaves_the_old_file_and_no_other(tmp_path):
    path = tmp_path / "depth.npy"
    write_npy(path, np.arange(3))
    with pytest.raises(RuntimeError), replacing(path) as temporary:
        temporary.write_bytes(b"half")
        raise RuntimeError
    assert os.listdir(tmp_path) == ["depth.npy"]
    np.testing.assert_array_equal(np.load(path), np.arange(3))


def test_a_full_disk_is_reported_and_leaves_nothing(tmp_path, monkeypatch):
    def full(descriptor):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(BadOutput, match=r"depth\.npy cannot be written: the disk is full"):
        write_npy(tmp_path / "depth.npy", np.arange(3))
    assert os.listdir(tmp_path) == []


LIMITED = """
import resource, sys, numpy as np
from pathlib import Path
from crevasse.files import BadOutput
from crevasse.files.depth_files import write_depth
resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))
try:
    write_depth(Path(sys.argv[1]), np.random.default_rng(0).random((200, 200)), sys.argv[2])
except BadOutput as error:
    print(error)
"""


@pytest.mark.parametrize("kind", list(DEPTH_FILES))
def test_a_write_that_stops_half_way_leaves_nothing(tmp_path, kind):
    run = subprocess.run([sys.executable, "-c", LIMITED, str(tmp_path), kind], capture_output=True, text=True)
    assert "cannot be written" in run.stdout, run.stderr
    assert os.listdir(tmp_path) == []


def test_stale_files_of_killed_processes_are_removed_and_those_of_running_ones_kept(tmp_path):
    dead = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, text=True)
    (tmp_path / f".{dead.stdout.strip()}-0a.part.npy").touch()
    (tmp_path / f".{os.getpid()}-0a.part.npy").touch()
    sweep(tmp_path)
    assert os.listdir(tmp_path) == [f".{os.getpid()}-0a.part.npy"]


def test_a_file_in_place_of_the_folder_is_refused(tmp_path):
    (tmp_path / "out").touch()
    with pytest.raises(BadOutput, match="is a file; the results need a folder"):
        make_folder(tmp_path / "out")


def test_a_killed_process_no_longer_runs_though_nobody_has_collected_it():
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    assert is_running(child.pid) and is_running(os.getpid())
    child.kill()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert not is_running(child.pid) or not Path("/proc/self/stat").exists()
    child.stdin.close()
    child.wait()
    assert not is_running(child.pid)


def test_a_folder_with_an_impossible_process_id_does_not_stop_the_cleanup(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / f"crevasse-serve-{10**30}-x").mkdir()
    remove_stale_folders()


@pytest.mark.parametrize("camera", [crevasse.Orthographic(), crevasse.Perspective(8.0, 8.0, 3.5, 3.5)])
def test_a_solid_that_mesh_files_cannot_hold_is_refused(camera):
    far = np.ones((16, 16))
    far[:, 8:] = 1e12
    with pytest.raises(ValueError, match=r"the depth reaches from 1 to 1e\+12, too far for a closed solid"):
        solid_mesh(far, np.ones((8, 8), bool), camera)
