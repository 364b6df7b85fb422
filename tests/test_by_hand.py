"""What the libraries would do in place of the readers, writers and the pool that this package has of its own."""

import io
import os
import signal
import struct
import subprocess
import sys
import tracemalloc
import zipfile
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context

import numpy as np
import OpenImageIO as oiio
import pytest
from PIL import Image

from crevasse.cli.workers import run_tasks
from crevasse.files.mat5 import list_variables, read_variable
from crevasse.files.mesh_files import write_mesh
from crevasse.files.png import encode_png
from crevasse.mesh import Mesh, VertexBlock
from crevasse.pictures.canvas import add_bar
from crevasse.web.framing import pack, unpack


def element(kind: int, body: bytes) -> bytes:
    return struct.pack("<II", kind, len(body)) + body + bytes(-len(body) % 8)


def mat_file(value_type: int) -> bytes:
    """A MAT file of one 2 x 3 x 3 array whose values claim a type."""
    parts = [
        (6, struct.pack("<II", 6, 0)),
        (5, struct.pack("<3i", 2, 3, 3)),
        (1, b"Normal_gt"),
        (value_type, bytes(144)),
    ]
    header = b"MATLAB 5.0 MAT-file".ljust(124) + struct.pack("<H", 0x100) + b"IM"
    return header + element(14, b"".join(element(*part) for part in parts))


def load_with_scipy(data: bytes) -> int:
    """Exit code of a process that reads a MAT file with scipy."""
    code = "import io, sys, scipy.io; scipy.io.loadmat(io.BytesIO(sys.stdin.buffer.read()))"
    return subprocess.run([sys.executable, "-c", code], input=data, capture_output=True).returncode


def test_a_wrong_type_of_values_ends_scipy_s_process_and_is_refused_here():
    assert load_with_scipy(mat_file(9)) == 0
    assert load_with_scipy(mat_file(99)) == -signal.SIGSEGV
    with pytest.raises(ValueError, match="unknown type 99"):
        read_variable(list_variables(mat_file(99))["Normal_gt"])


def test_pillow_has_no_colours_of_16_bits():
    colours = np.arange(2 * 3 * 3, dtype=np.uint16).reshape(2, 3, 3) * 3000
    with pytest.raises(TypeError):
        Image.fromarray(colours)
    data = encode_png(colours, {"Description": "unit: mm"})
    assert Image.open(io.BytesIO(data)).info == {"Description": "unit: mm"}


def test_openimageio_reports_success_on_a_full_disk(tmp_path):
    if not os.path.exists("/dev/full"):
        pytest.skip("needs /dev/full")
    path = tmp_path / "map.png"
    path.symlink_to("/dev/full")
    output = oiio.ImageOutput.create(str(path))
    assert output.open(str(path), oiio.ImageSpec(16, 16, 3, "uint16"))
    assert output.write_image(np.zeros((16, 16, 3), np.uint16))
    assert output.close()
    with pytest.raises(OSError):
        path.write_bytes(encode_png(np.zeros((16, 16, 3), np.uint16), {}))


def test_openimageio_changes_colours_beside_alpha(tmp_path):
    samples = np.array([[[200, 10], [90, 255]]], np.uint8)
    path = str(tmp_path / "map.png")
    output = oiio.ImageOutput.create(path)
    assert output.open(path, oiio.ImageSpec(2, 1, 2, "uint8")) and output.write_image(samples) and output.close()
    assert not np.array_equal(np.asarray(Image.open(path)), samples)
    np.testing.assert_array_equal(np.asarray(Image.open(io.BytesIO(encode_png(samples, {})))), samples)


SIDE = 120


class Grid:
    """A grid of quads that is made row by row."""

    vertex_count = SIDE * SIDE
    face_count = (SIDE - 1) ** 2
    face_corners = 4

    def vertex_blocks(self):
        columns = np.arange(SIDE)
        for row in range(SIDE):
            vertices = np.stack([columns, np.full(SIDE, row), np.full(SIDE, 5)], axis=1).astype(float)
            yield VertexBlock(vertices, np.tile([0.0, 0.0, -1.0], (SIDE, 1)), vertices[:, :2] / SIDE)

    def face_blocks(self):
        left = np.arange(SIDE - 1)
        for row in range(SIDE - 1):
            top = left + row * SIDE
            yield np.stack([top, top + SIDE, top + SIDE + 1, top + 1], axis=1)

    def polygon_blocks(self):
        raise AssertionError("PLY and GLB hold vertices and faces")

    def whole(self) -> Mesh:
        vertices, normals, texture = (np.concatenate(part) for part in zip(*self.vertex_blocks(), strict=True))
        quads = np.concatenate(list(self.face_blocks()))
        return Mesh(vertices, quads[:, [0, 1, 2, 0, 2, 3]].reshape(-1, 3), quads, normals, texture)


def peak_of(work) -> int:
    work()  # Imports and caches.
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("kind", ["ply", "glb"])
def test_trimesh_holds_a_mesh_more_than_once_to_write_it(tmp_path, kind):
    ours, theirs = tmp_path / f"ours.{kind}", tmp_path / f"theirs.{kind}"
    mesh = Grid().whole().to_trimesh()
    assert peak_of(lambda: mesh.export(theirs)) > 2 * theirs.stat().st_size
    assert peak_of(lambda: write_mesh(ours, Grid())) < ours.stat().st_size / 4


def test_trimesh_writes_triangles_for_quads(tmp_path):
    mesh = Grid().whole()
    mesh.to_trimesh().export(tmp_path / "theirs.ply")
    write_mesh(tmp_path / "ours.ply", mesh)
    ours, theirs = ((tmp_path / f"{name}.ply").read_bytes() for name in ("ours", "theirs"))
    assert f"element face {len(mesh.faces)}\n".encode() in theirs
    assert f"element face {len(mesh.quads)}\n".encode() in ours


def square_or_die(number):
    if number == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def test_a_dead_worker_breaks_the_standard_pool_and_fails_one_task_here():
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        tasks = [pool.submit(square_or_die, number) for number in range(3)]
        assert all(isinstance(task.exception(), BrokenProcessPool) for task in tasks)
    ends = sorted(run_tasks(square_or_die, range(3), 1))
    assert [end.result for end in ends] == [None, 1, 4]


def test_arrays_of_an_archive_are_not_aligned_for_the_browser():
    arrays = {"mask": np.ones((3, 3), np.uint8), "heights": np.ones((2, 2), np.float32)}
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    data = stream.getvalue()
    offsets = [data.index(b"\x93NUMPY", entry.header_offset) for entry in zipfile.ZipFile(stream).infolist()]
    assert any(offset % 4 for offset in offsets)
    frame = pack({"kind": "map"}, arrays)
    header, _ = unpack(frame)
    (length,) = struct.unpack_from("<I", frame)
    assert all((4 + length + entry["offset"]) % 4 == 0 for entry in header["arrays"])


def test_a_colour_bar_leaves_the_pixels_of_the_picture_alone():
    picture = np.random.default_rng(0).integers(0, 256, (150, 20, 3), dtype=np.uint8)
    table = np.zeros((256, 3), np.uint8)
    np.testing.assert_array_equal(add_bar(picture, table, [(0.0, "0"), (1.0, "1")], "mm")[:150, :20], picture)
