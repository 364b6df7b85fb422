"""Write files atomically, through a temporary name."""

from __future__ import annotations

import json
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crevasse.files.errors import BadOutput
from crevasse.files.pixels import describe
from crevasse.files.processes import is_running


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary name beside `path`, renamed to `path` if the block succeeds and removed if not."""
    temporary = path.with_name(f".{os.getpid()}-{secrets.token_hex(4)}.part{path.suffix}")
    try:
        yield temporary
        with open(temporary, "rb") as stream:
            os.fsync(stream.fileno())
        os.replace(temporary, path)
    except BadOutput:
        temporary.unlink(missing_ok=True)
        raise
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise BadOutput(f"{path} cannot be written: {describe(error)}") from None
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def write_bytes(path: Path, data: bytes) -> None:
    """Write bytes to a file atomically."""
    with replacing(path) as temporary:
        temporary.write_bytes(data)


def write_json(path: Path, data: Any) -> None:
    """Write a JSON document to a file atomically."""
    write_bytes(path, (json.dumps(data, indent=1) + "\n").encode())


def write_npy(path: Path, array: NDArray[Any]) -> None:
    """Write an array to an NPY file atomically."""
    with replacing(path) as temporary, open(temporary, "wb") as stream:
        np.save(stream, array, allow_pickle=False)


def sweep(folder: Path) -> None:
    """Remove temporary files and folders whose process was killed."""
    for path in folder.glob(".*-*.part*"):
        owner = path.name[1:].partition("-")[0]
        if owner.isdigit() and not is_running(int(owner)):
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)


def make_folder(folder: Path) -> None:
    """Create an output folder; refuse one that is not writable."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        sweep(folder)
        probe = folder / f".{os.getpid()}-{secrets.token_hex(4)}.part"
        probe.touch()
        probe.unlink()
    except FileExistsError:
        raise BadOutput(f"{folder} is a file; the results need a folder: choose another -o") from None
    except OSError as error:
        raise BadOutput(f"{folder} cannot be written: {describe(error)}; choose another folder with -o") from None


@contextmanager
def no_empty_folder(folder: Path) -> Iterator[None]:
    """Remove a new folder if nothing was written into it."""
    new = not folder.exists()
    try:
        yield
    finally:
        if new:
            with suppress(OSError):
                folder.rmdir()
