"""MAT files of version 7.3, read in a process of their own: the HDF5 library crashes on damaged ones.

Run as a program with a file, the wanted role, a layer ("" for none), a memory limit (0 for none) and the output.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crevasse.files.errors import BadInput

TIME_LIMIT = 600
REFUSED = 3


def read_mat73(path: Path, limit: int | None, role: str, layer: str | None) -> NDArray[Any]:
    """An array of a file, with MATLAB's axes."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "array.npy"
        words = [str(path), role, layer or "", str(limit or 0), str(output)]
        program = [sys.executable, "-m", "crevasse.files.mat73", *words]
        try:
            end = subprocess.run(program, capture_output=True, text=True, timeout=TIME_LIMIT, errors="replace")
        except subprocess.TimeoutExpired:
            raise BadInput(f"{path} is damaged: the HDF5 library does not come to an end with it") from None
        if end.returncode == REFUSED:
            raise BadInput(end.stdout.strip())
        if end.returncode != 0:
            raise BadInput(f"{path} is damaged: the HDF5 library stumbles over it")
        return np.asarray(np.load(output, allow_pickle=False))


def _extract(path: Path, role: str, layer: str | None, limit: int | None, output: Path) -> None:
    import h5py

    from crevasse.files.arrays import choose_variable, require

    with h5py.File(path, "r") as file:
        # MATLAB stores the last axis first.
        shapes = {name: item.shape[::-1] for name, item in file.items() if isinstance(item, h5py.Dataset)}
        chosen = choose_variable(shapes, role, layer, path)
        require(shapes[chosen], file[chosen].dtype.itemsize, limit, path)
        np.save(output, np.asarray(file[chosen]).T, allow_pickle=False)


def main() -> None:
    """Extract an array; a refusal goes to stdout with its own exit code."""
    path, role, layer, limit, output = sys.argv[1:]
    try:
        _extract(Path(path), role, layer or None, int(limit) or None, Path(output))
    except ImportError:
        sys.stdout.write(f"{path} is a MAT file of version 7.3; install crevasse[mat73] to read it")
        sys.exit(REFUSED)
    except BadInput as error:
        sys.stdout.write(str(error))
        sys.exit(REFUSED)
    except Exception as error:  # The library raises whatever a damaged file makes it stumble over.
        reason = " ".join(str(error).split()) or type(error).__name__
        sys.stdout.write(f"{path} is damaged: {reason[:200]}")
        sys.exit(REFUSED)


if __name__ == "__main__":
    main()
