"""MAT files of version 7.3, read in a process of their own: the HDF5 library crashes on damaged ones.

Run as a program with a file, the wanted role, a layer ("" for none), a memory limit (0 for none) and the output.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from crevasse.files.confine import limit_resources, nothing_opened
from crevasse.files.errors import BadInput
from crevasse.files.variables import choose_variable, require_array_memory
from crevasse.memory import available_memory
from crevasse.notices import Notice, notice_of

TIME_LIMIT = 600
"""Seconds after which the reading of a file is given up."""
PROGRAM = ["-m", "crevasse.files.mat73"]
REFUSED = 3
OVERHEAD = 2 << 30
"""Bytes of address space that Python, NumPy and the HDF5 library take before they read anything."""


def read_mat73(path: Path, limit: int | None, role: str, layer: str | None) -> NDArray[Any]:
    """Read an array of a file, with MATLAB's axes."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "array.npy"
        words = [str(path), role, layer or "", str(limit or 0), str(output)]
        # A file must not make the library load filter plugins from elsewhere.
        environment = {**os.environ, "HDF5_PLUGIN_PRELOAD": "::"}
        program = [sys.executable, *PROGRAM, *words]
        try:
            end = subprocess.run(
                program, capture_output=True, text=True, timeout=TIME_LIMIT, errors="replace", env=environment
            )
        except subprocess.TimeoutExpired:
            raise BadInput(f"{path} is damaged: the HDF5 library does not finish reading it") from None
        if end.returncode == REFUSED:
            raise BadInput(Notice.from_dict(json.loads(end.stdout)))
        if end.returncode != 0:
            raise BadInput(f"{path} is damaged: the HDF5 library crashes on it")
        return np.asarray(np.load(output, allow_pickle=False))


def _extract(path: Path, role: str, layer: str | None, limit: int | None) -> NDArray[Any]:
    import h5py

    allowed = limit or available_memory()
    limit_resources(memory=OVERHEAD + 3 * allowed, file_size=allowed, seconds=TIME_LIMIT)
    with h5py.File(path, "r") as file, nothing_opened():
        refuse_links(file, path)
        items = {name: file[name] for name in file}
        arrays = {name: item for name, item in items.items() if isinstance(item, h5py.Dataset)}
        refuse_pointers(arrays, path)
        # MATLAB stores the last axis first.
        shapes = {name: item.shape[::-1] for name, item in arrays.items() if item.dtype.kind in "biuf"}
        chosen = arrays[choose_variable(shapes, role, layer, path)]
        for shape in (chosen.shape, chosen.chunks or (1, 1)):
            require_array_memory(shape[::-1], chosen.dtype.itemsize, allowed, path)
        return np.asarray(chosen).T


def refuse_links(file: Any, path: Path) -> None:
    """Refuse a file whose variables are links: MATLAB writes none, and they can lead into other files."""
    import h5py

    for name in file:
        if not isinstance(file.get(name, getlink=True), h5py.HardLink):
            raise BadInput(
                f"{path} has a link in place of its variable {name!r}; save the numbers in the file itself"
            )


def refuse_pointers(arrays: dict[str, Any], path: Path) -> None:
    """Refuse a file with an array whose numbers lie in other files (external storage, virtual datasets)."""
    for name, array in arrays.items():
        if array.external is not None or array.is_virtual:
            raise BadInput(
                f"{path} keeps the numbers of {name!r} in another file; save the numbers in the file itself"
            )


def _refuse(notice: Notice) -> NoReturn:
    sys.stdout.write(json.dumps(notice.to_dict()))
    sys.exit(REFUSED)


def main() -> None:
    """Extract an array; a refusal goes to stdout with its own exit code."""
    path, role, layer, limit, output = sys.argv[1:]
    try:
        np.save(output, _extract(Path(path), role, layer or None, int(limit) or None), allow_pickle=False)
    except ImportError:
        _refuse(Notice(f"{path} is a MAT file of version 7.3; install crevasse[mat73] to read it"))
    except BadInput as error:
        _refuse(notice_of(error))
    except Exception as error:  # A damaged file can make the library raise almost any exception.
        reason = " ".join(str(error).split()) or type(error).__name__
        _refuse(Notice(f"{path} is damaged: {reason[:200]}"))


if __name__ == "__main__":
    main()
