"""NPY, NPZ and MAT files."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from math import prod
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crevasse.files.errors import BadInput
from crevasse.files.mat5 import list_variables, read_variable
from crevasse.files.mat73 import read_mat73
from crevasse.files.memory import require_memory
from crevasse.files.pixels import Pixels
from crevasse.files.variables import choose_variable, require_array_memory

_PICKLED = "holds Python objects, which can run code when loaded; save the plain numbers with numpy.save"
LONGEST_HEADER = 1 << 16
"""Bytes; NumPy's own headers have 128."""
MOST_MEMBERS = 1000
"""Number of arrays of an archive that are examined."""


class Head(NamedTuple):
    """What an NPY stream says about its array."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]

    @property
    def numeric(self) -> bool:
        return self.dtype.kind in "biuf"


def read_array(path: Path, kind: str, limit: int | None, role: str, layer: str | None) -> Pixels:
    """The samples of an array file; see `samples.read_pixels`."""
    reader = {"npy": _read_npy, "npz": _read_npz, "mat": _read_mat, "mat73": _read_mat73}[kind]
    try:
        values, mask = reader(path, limit, role, layer)
    except BadInput:
        raise
    except Exception as error:  # A damaged file can make the readers raise almost any exception.
        reason = " ".join(str(error).split()) or type(error).__name__
        raise BadInput(f"{path} is damaged: {reason[:200]}") from None
    values = np.asarray(values)
    if values.dtype.kind not in "biuf":
        raise BadInput(f"{path} holds values of type {values.dtype}; real numbers are needed")
    if values.ndim == 3 and values.shape[0] in (2, 3) and values.shape[2] not in (2, 3):
        values = np.moveaxis(values, 0, 2)
    if values.ndim == 2:
        values = values[..., None]
    if values.ndim != 3 or 0 in values.shape:
        raise BadInput(f"{path} holds an array of shape {values.shape}; (H, W, 3) is needed for normals")
    return Pixels(values, 8 * values.dtype.itemsize, kind, mask=mask)


def _read_npy(path: Path, limit: int | None, role: str, layer: str | None) -> tuple[NDArray[Any], None]:
    with open(path, "rb") as stream:
        head = _npy_header(stream, path, path.stat().st_size)
        _require_numeric(head, path)
        require_array_memory(head.shape, head.dtype.itemsize, limit, path)
        stream.seek(0)
        return np.lib.format.read_array(stream, allow_pickle=False), None


def _npy_header(stream: IO[bytes], path: Path, length: int | None = None) -> Head:
    """Parse and check the header of an NPY stream."""
    version = np.lib.format.read_magic(stream)
    read: Callable[..., Any] = (
        np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    )
    count = stream.read(2 if version == (1, 0) else 4)
    # The length comes from the file, and NumPy would allocate it before reading.
    if int.from_bytes(count, "little") > LONGEST_HEADER:
        raise BadInput(f"{path} is damaged: its header says that it is {int.from_bytes(count, 'little')} bytes long")
    shape, _, dtype = read(io.BytesIO(count + stream.read(int.from_bytes(count, "little"))))
    if dtype.hasobject:
        raise BadInput(f"{path} {_PICKLED}")
    if any(side < 0 for side in shape):
        raise BadInput(f"{path} is damaged: its header says shape {shape}")
    needed = prod(shape) * dtype.itemsize
    if length is not None and needed > length - stream.tell():
        held = length - stream.tell()
        raise BadInput(f"{path} is cut short: its header promises {needed} bytes of values but the file has {held}")
    return Head(shape, dtype)


def _require_numeric(head: Head, path: Path, what: str = "") -> None:
    if not head.numeric:
        raise BadInput(f"{path} holds values of type {head.dtype!s:.40}{what}; real numbers are needed")


def _read_npz(path: Path, limit: int | None, role: str, layer: str | None) -> tuple[NDArray[Any], Any]:
    with zipfile.ZipFile(path) as archive:
        names = {name.removesuffix(".npy"): name for name in archive.namelist() if name.endswith(".npy")}
        if len(names) > MOST_MEMBERS:
            raise BadInput(f"{path} holds {len(names)} arrays; save the map in a file of its own")
        heads = {}
        for name, member in names.items():
            with archive.open(member) as stream:
                heads[name] = _npy_header(stream, path)
        shapes = {name: head.shape for name, head in heads.items() if head.numeric}
        chosen = choose_variable(shapes, role, layer, path)
        require_array_memory(shapes[chosen], heads[chosen].dtype.itemsize, limit, path)
        values = _member(archive, names[chosen])
        mask = None
        if role == "normals" and "mask" in names and heads["mask"].shape == values.shape[:2]:
            _require_numeric(heads["mask"], path, " in its mask")
            require_array_memory(shapes["mask"], heads["mask"].dtype.itemsize, limit, path)
            mask = require_finite_mask(_member(archive, names["mask"]), path) != 0
    return values, mask


def require_finite_mask(values: NDArray[Any], path: Path) -> NDArray[Any]:
    """Refuse a mask with values that are neither inside nor outside."""
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        raise BadInput(f"{path} has a mask with values that are not finite; give zero outside and others inside")
    return values


def to_doubles(values: NDArray[Any]) -> NDArray[np.float64]:
    """Copy as doubles, without NumPy's warnings about signalling NaNs and huge numbers in a damaged file."""
    with np.errstate(all="ignore"):
        return np.array(values, np.float64)


def _member(archive: zipfile.ZipFile, name: str) -> NDArray[Any]:
    with archive.open(name) as stream:
        return np.lib.format.read_array(stream, allow_pickle=False)


def _read_mat(path: Path, limit: int | None, role: str, layer: str | None) -> tuple[NDArray[Any], None]:
    require_memory(path.stat().st_size, limit, str(path))
    variables = list_variables(path.read_bytes())
    chosen = variables[choose_variable({name: v.shape for name, v in variables.items()}, role, layer, path)]
    require_array_memory(chosen.shape, 8, limit, path)
    return read_variable(chosen), None


def _read_mat73(path: Path, limit: int | None, role: str, layer: str | None) -> tuple[NDArray[Any], None]:
    return read_mat73(path, limit, role, layer), None
