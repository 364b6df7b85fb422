"""Files and names that were made to do harm: each is refused with a sentence, or read like any other."""

from __future__ import annotations

import io
import json
import os
import struct
import subprocess
import sys
import tracemalloc
import zipfile
import zlib
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from maps import ball, encode

from crevasse.cli.main import cli
from crevasse.files import BadInput, BadOutput, read_folder, read_mask, read_normals
from crevasse.files.depth_files import write_image
from crevasse.files.pixels import describe
from crevasse.files.read_result import read_result

SIDE = 24
PROGRAM = [sys.executable, "-c", "from crevasse.cli.main import main; main()"]


def npy(array: np.ndarray) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def claim(kind: str, shape: tuple[int, ...], body: bytes = b"") -> bytes:
    """An NPY stream that says it has this type and shape."""
    head = f"{{'descr': {kind}, 'fortran_order': False, 'shape': {shape}, }}".ljust(117).encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + body


def archive(path: Path, **members: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as written:
        for name, data in members.items():
            written.writestr(f"{name}.npy", data)
    return path


NORMALS = npy(ball(SIDE)[0])
MASKS = {
    "text": claim("'|S4000000'", (SIDE, SIDE), b"\0" * 100),
    "structures": claim("[('a', '<f8')]", (SIDE, SIDE), b"\0" * SIDE * SIDE * 8),
    "complex": npy(np.ones((SIDE, SIDE), complex)),
    "dates": npy(np.zeros((SIDE, SIDE), "M8[s]")),
    "not finite": npy(np.full((SIDE, SIDE), np.nan)),
}


@pytest.mark.parametrize("kind", MASKS)
def test_the_mask_of_an_archive_has_the_same_memory_limit_as_its_map(tmp_path: Path, kind: str) -> None:
    path = archive(tmp_path / "map.npz", normals=NORMALS, mask=MASKS[kind])
    with pytest.raises(BadInput, match=r"map\.npz .*mask"):
        read_normals(path, max_memory=100 << 20)


def test_an_archive_that_would_allocate_what_it_claims_is_refused_first(tmp_path: Path) -> None:
    """In a process with little memory: what allocates first dies."""
    bombs = {
        "header": b"\x93NUMPY\x02\x00" + struct.pack("<I", 2**31 - 1) + b" " * 1000,
        "mask": claim("'|S4000000'", (SIDE, SIDE)),
        "large": claim("'<f8'", (100_000, 100_000, 3)),
    }
    archive(tmp_path / "header.npz", normals=bombs["header"])
    archive(tmp_path / "mask.npz", normals=NORMALS, mask=bombs["mask"])
    archive(tmp_path / "large.npz", normals=bombs["large"])
    code = (
        "import resource, sys\n"
        "from crevasse.files import BadInput, read_normals\n"
        "read_normals(sys.argv[1])\n"
        "size = int(open('/proc/self/statm').read().split()[0]) * 4096 + (300 << 20)\n"
        "resource.setrlimit(resource.RLIMIT_AS, (size, size))\n"
        "for path in sys.argv[2:]:\n"
        "    try: read_normals(path, max_memory=100 << 20)\n"
        "    except BadInput as error: assert 'does not fit' not in str(error); print(error)\n"
    )
    (tmp_path / "good.npy").write_bytes(NORMALS)
    names = ["good.npy", "header.npz", "mask.npz", "large.npz"]
    words = [sys.executable, "-c", code, *(str(tmp_path / name) for name in names)]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 3


def mat(*elements: bytes) -> bytes:
    return b"MATLAB 5.0 MAT-file".ljust(124) + b"\0\1IM" + b"".join(elements)


def test_a_mat_file_of_countless_elements_is_refused(tmp_path: Path) -> None:
    """Each takes a microsecond or two: a large file of them would keep the reader busy for minutes."""
    empty = struct.pack("<II", 1, 0)
    (tmp_path / "map.mat").write_bytes(mat(empty * 1001))
    with pytest.raises(BadInput, match=r"map\.mat .*1000 variables"):
        read_normals(tmp_path / "map.mat")


def test_a_packed_variable_of_countless_elements_takes_no_more_memory_than_its_shape_says(tmp_path: Path) -> None:
    side = 300
    head = struct.pack("<IIII", 6, 8, 6, 0) + struct.pack("<II3i4x", 5, 12, side, side, 3) + struct.pack("<II", 1, 0)
    body = head + bytes(8 * 3 * side * side)
    packed = zlib.compress(struct.pack("<II", 14, len(body)) + body)
    (tmp_path / "map.mat").write_bytes(mat(struct.pack("<II", 15, len(packed)), packed))
    tracemalloc.start()
    with pytest.raises(BadInput, match="unknown type"):
        read_normals(tmp_path / "map.mat")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4 * len(body)


def test_text_beside_a_map_does_no_harm(tmp_path: Path) -> None:
    path = archive(tmp_path / "map.npz", normals=NORMALS, comment=npy(np.array("made by hand")))
    assert read_normals(path).shape == (SIDE, SIDE)


def test_masks_that_are_not_finite_are_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "mask.npy", np.full((4, 4), np.nan))
    with pytest.raises(BadInput, match="not finite"):
        read_mask(tmp_path / "mask.npy")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no FIFOs")
@pytest.mark.parametrize(
    "content",
    ["fifo", "[" * 200_000, '{"pixel_footprint_at_median_depth": 1e999}', "\x00"],
    ids=["a FIFO", "deeply nested", "infinite", "a null byte"],
)
def test_an_invalid_meta_file_is_ignored(tmp_path: Path, content: str) -> None:
    (tmp_path / "normal_map.npy").write_bytes(NORMALS)
    os.mkfifo(tmp_path / "meta.json") if content == "fifo" else (tmp_path / "meta.json").write_text(content)
    done = subprocess.run([*PROGRAM, "info", str(tmp_path)], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr


def test_a_report_that_is_nested_too_deeply_is_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "depth.npy", np.ones((3, 3)))
    (tmp_path / "result.json").write_text("[" * 200_000)
    with pytest.raises(BadInput, match=r"result\.json"):
        read_result(tmp_path)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems take Unicode names only")
def test_a_name_that_is_not_unicode_is_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_image(tmp_path / "map.png", encode(ball(SIDE)[0], 8), {})
    os.rename("map.png", b"\xff\xfe.png")
    words = ["integrate", os.fsdecode(b"\xff\xfe.png"), "--method", "poisson", "--html", "-o", "out"]
    done = subprocess.run([*PROGRAM, *words], capture_output=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(Path("out/result.json").read_text())["status"]
    os.rename(b"\xff\xfe.png", b"\xff.npy")
    done = subprocess.run([*PROGRAM, "batch", os.fsdecode(b"\xff.npy"), "-o", "many", "--html"], capture_output=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
def test_a_full_disk_behind_stdout_is_reported(tmp_path: Path) -> None:
    (tmp_path / "map.npy").write_bytes(NORMALS)
    with open("/dev/full", "w") as full:
        done = subprocess.run([*PROGRAM, "info", str(tmp_path / "map.npy")], stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 4
    assert b"the disk is full" in done.stderr and b"should not happen" not in done.stderr


def test_an_error_without_errno_is_not_reported_as_success() -> None:
    assert "success" not in describe(OSError("300 requested and 0 written"))
    assert "disk" in describe(OSError("300 requested and 0 written"))


def test_texts_of_files_steer_no_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from scipy.io import savemat

    monkeypatch.chdir(tmp_path)
    savemat("map.mat", {"abcd": 1})
    Path("map.mat").write_bytes(Path("map.mat").read_bytes().replace(b"abcd", b"\x1b[2J"))
    Path("map.npy").write_bytes(NORMALS)
    Path("K.txt").write_text("1 PIN\x1b[2JHOLE 24 24 500 500 12 12\n")
    os.rename("map.npy", "red\x1b[31m\nname.npy")
    for words in (
        ["info", "map.mat"],
        ["integrate", "red\x1b[31m\nname.npy", "--camera", "K.txt"],
        ["info", "red\x1b[31m\nname.npy"],
        ["integrate", "red\x1b[31m\nname.npy", "--method", "poisson"],
        ["integrate", "\x1bnothing"],
    ):
        done = CliRunner().invoke(cli, words)
        assert "\x1b" not in done.output and "\x1b" not in done.stderr, words
        assert done.exit_code in (0, 3)


def test_errors_of_files_are_one_line() -> None:
    assert str(BadInput("a\nb")) == "a\\nb" and str(BadOutput("a\x07")) == "a\\x07"


def test_a_full_disk_while_writing_is_not_success(tmp_path: Path) -> None:
    code = (
        "import resource, signal, sys, numpy as np\n"
        "from pathlib import Path\n"
        "from crevasse.files.write import write_npy\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))\n"
        "try: write_npy(Path(sys.argv[1]), np.zeros((300, 300)))\n"
        "except OSError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "a.npy")], capture_output=True, text=True)
    assert "cannot be written" in done.stdout and "success" not in done.stdout, done.stderr
    assert os.listdir(tmp_path) == []


def test_a_folder_is_read_as_before(tmp_path: Path) -> None:
    (tmp_path / "normal_map.npy").write_bytes(NORMALS)
    (tmp_path / "meta.json").write_text('{"pixel_footprint_at_median_depth": 0.5}')
    assert read_folder(tmp_path).footprint == 0.5


@pytest.mark.parametrize("name", ["weights.npy", "depth_gt.npy", "normal_map.npy"])
def test_signalling_nans_are_read_like_others(tmp_path: Path, name: str) -> None:
    normals = ball(SIDE)[0].astype(np.float32)
    parts = {"normal_map.npy": normals, "weights.npy": normals[..., 2].copy(), "depth_gt.npy": normals[..., 2].copy()}
    for part, values in parts.items():
        np.save(tmp_path / part, values)
    parts[name].view(np.uint32)[SIDE // 2, SIDE // 2] = 0x7F800001
    np.save(tmp_path / name, parts[name])
    if name == "weights.npy":
        with pytest.raises(BadInput, match="not finite"):
            read_folder(tmp_path)
        return
    found = read_folder(tmp_path)
    told = found.depth if name == "depth_gt.npy" else np.where(found.mask, 1.0, np.nan)
    assert np.isnan(told[SIDE // 2, SIDE // 2])


@pytest.mark.parametrize("slopes", [True, False])
def test_signalling_nans_of_slopes_and_results_are_read_like_others(tmp_path: Path, slopes: bool) -> None:
    values = np.ones((SIDE, SIDE, 2), np.float32)
    values.view(np.uint32)[3, 4] = 0x7F800001
    np.save(tmp_path / "depth.npy", values if slopes else values[..., 0])
    path = tmp_path / "depth.npy"
    known = read_normals(path, slopes=True).mask if slopes else np.isfinite(read_result(path).depth)
    assert not known[3, 4] and np.count_nonzero(~known) == 1
