"""MAT 7.3 files may hold numbers, never pointers to other files."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from maps import ball

from crevasse.files import BadInput, read_folder, read_normals

h5py = pytest.importorskip("h5py")

SIDE = 24
SECRET = b"correct horse battery staple. " * 40


def external_storage(file: Path, other: Path) -> None:
    other.write_bytes(SECRET)
    with h5py.File(file, "w") as written:
        written.create_dataset("depth", (SIDE, SIDE), "u1", external=[(str(other), 0, SIDE * SIDE)])


def external_link(file: Path, other: Path) -> None:
    _plain(other)
    with h5py.File(file, "w") as written:
        written["depth"] = h5py.ExternalLink(str(other), "depth")


def virtual_dataset(file: Path, other: Path) -> None:
    _plain(other)
    layout = h5py.VirtualLayout((SIDE, SIDE), "f8")
    layout[:] = h5py.VirtualSource(str(other), "depth", (SIDE, SIDE))
    with h5py.File(file, "w") as written:
        written.create_virtual_dataset("depth", layout)


def soft_link(file: Path, other: Path) -> None:
    _plain(file)
    with h5py.File(file, "a") as written:
        written["plain"] = written["depth"]
        del written["depth"]
        written["depth"] = h5py.SoftLink("/plain")


def linked_beside(file: Path, other: Path) -> None:
    """An external link beside a map that is itself all right: the file is still not one to trust."""
    _plain(file)
    _plain(other)
    with h5py.File(file, "a") as written:
        written["other"] = h5py.ExternalLink(str(other), "depth")


def _plain(file: Path) -> None:
    with h5py.File(file, "w") as written:
        written["depth"] = np.arange(SIDE * SIDE, dtype=float).reshape(SIDE, SIDE)


POINTERS = (external_storage, external_link, virtual_dataset, soft_link, linked_beside)


def a_folder(tmp_path: Path) -> Path:
    np.save(tmp_path / "normal_map.npy", ball(SIDE)[0])
    return tmp_path


@pytest.mark.parametrize("make", POINTERS, ids=lambda make: make.__name__)
def test_a_file_that_points_elsewhere_is_refused(tmp_path: Path, make: Callable[[Path, Path], None]) -> None:
    folder = a_folder(tmp_path)
    make(folder / "depth_gt.mat", tmp_path / "other.h5")
    with pytest.raises(BadInput, match=r"depth_gt\.mat .*(depth|other)"):
        read_folder(folder)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks at what a Linux process opens")
@pytest.mark.parametrize("make", (external_storage, external_link, virtual_dataset), ids=lambda make: make.__name__)
def test_the_reader_cannot_open_another_file_even_if_it_wanted(
    tmp_path: Path, make: Callable[[Path, Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    from crevasse.files import mat73

    program = Path(tmp_path / "unchecked.py")
    program.write_text(
        "from crevasse.files import mat73\n"
        "mat73.refuse_links = mat73.refuse_pointers = lambda *given: None\n"
        "mat73.main()\n"
    )
    make(tmp_path / "depth_gt.mat", tmp_path / "other.h5")
    monkeypatch.setattr(mat73, "PROGRAM", [str(program)])
    with suppress(BadInput):
        # The library fills a virtual dataset whose source it cannot open with zeros.
        assert not mat73.read_mat73(tmp_path / "depth_gt.mat", None, "depth", "depth").any()
    _plain(tmp_path / "good.mat")
    assert mat73.read_mat73(tmp_path / "good.mat", None, "depth", "depth")[0, 1] == SIDE


def test_a_chunk_that_needs_more_memory_than_allowed_is_refused(tmp_path: Path) -> None:
    """The array is small, but the library would allocate one of its chunks: 2.4 GB."""
    path = tmp_path / "bomb.mat"
    with h5py.File(path, "w") as file:
        file.create_dataset("normals", (3, SIDE, SIDE), "f8", chunks=(3, 10000, 10000), maxshape=(3, None, None))
    with pytest.raises(BadInput, match="memory"):
        read_normals(path, max_memory=200 << 20)
