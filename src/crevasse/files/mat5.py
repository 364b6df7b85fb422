"""A reader of numeric arrays in MAT files of version 5 that no damaged file can crash.

`scipy.io.loadmat` ends the process with a segmentation fault when the values of an array claim an unknown type, which
no caller can catch.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from itertools import islice
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

HEADER = 128
HEAD = 4096
"""Bytes at the start of a variable that hold its flags, shape and name."""
MOST_VARIABLES = 1000
"""Largest number of elements of a file; each takes time, even an empty one."""

_MATRIX, _COMPRESSED = 14, 15
_STORED = {1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 9: "f8", 12: "i8", 13: "u8"}
_CLASSES = {6: "f8", 7: "f4", 8: "i1", 9: "u1", 10: "i2", 11: "u2", 12: "i4", 13: "u4", 14: "i8", 15: "u8"}
_COMPLEX, _LOGICAL = 0x0800, 0x0200


class Variable(NamedTuple):
    """A numeric array in a file: what it is, and where its bytes are."""

    name: str
    shape: tuple[int, ...]
    kind: str
    body: memoryview
    packed: bool
    order: str


def list_variables(data: bytes) -> dict[str, Variable]:
    """The real numeric arrays of a file, by name; everything else is skipped."""
    order = {b"IM": "<", b"MI": ">"}.get(data[126:128])
    if order is None:
        raise ValueError("its header does not state its byte order")
    found = {}
    for number, (kind, body) in enumerate(_elements(memoryview(data)[HEADER:], order)):
        if number == MOST_VARIABLES:
            raise ValueError(f"it has more than {MOST_VARIABLES} variables; save the map in a file of its own")
        packed = kind == _COMPRESSED
        head = memoryview(_unpack(body, HEAD)) if packed else body[:HEAD]
        variable = _describe(head, body, packed, order)
        if variable is not None:
            found[variable.name] = variable
    return found


def read_variable(variable: Variable) -> NDArray[Any]:
    """The array of a variable."""
    body = variable.body
    if variable.packed:
        # Room for the widest storage of the values, and for the flags, shape and name before them.
        body = memoryview(_unpack(body, 8 * prod(variable.shape) + HEAD))[8:]
    parts = list(islice(_elements(body, variable.order), 4))
    if len(parts) < 4:
        raise ValueError(f"its variable {variable.name} is cut short")
    stored, values = parts[3]
    if stored not in _STORED:
        raise ValueError(f"its variable {variable.name} has values of the unknown type {stored}")
    dtype = np.dtype(variable.order + _STORED[stored])
    count = prod(variable.shape)
    if len(values) < count * dtype.itemsize:
        raise ValueError(f"its variable {variable.name} is cut short")
    flat = np.frombuffer(values, dtype, count)
    with np.errstate(all="ignore"):
        return flat.astype(variable.kind).reshape(variable.shape, order="F")


def _describe(head: memoryview, body: memoryview, packed: bool, order: str) -> Variable | None:
    """The variable described by an element's first bytes, if it is a real numeric array."""
    if packed:
        if len(head) < 8 or struct.unpack(order + "I", head[:4])[0] != _MATRIX:
            return None
        head = head[8:]
    parts = []
    for part in _elements(head, order, cut=True):
        parts.append(part[1])
        if len(parts) == 3:
            break
    if len(parts) < 3 or len(parts[0]) < 4:
        return None
    flags = struct.unpack(order + "I", parts[0][:4])[0]
    kind = _CLASSES.get(flags & 0xFF)
    sides = len(parts[1]) // 4
    shape = struct.unpack(f"{order}{sides}i", parts[1][: 4 * sides])
    if kind is None or flags & _COMPLEX or sides < 2 or sides > 8 or min(shape) < 0:
        return None
    name = bytes(parts[2]).decode("ascii", "replace")
    return Variable(name, shape, "?" if flags & _LOGICAL else kind, body, packed, order)


def _elements(data: memoryview, order: str, cut: bool = False) -> Iterator[tuple[int, memoryview]]:
    """Types and bodies of consecutive elements; `cut` accepts an incomplete last one."""
    start = 0
    while start + 8 <= len(data):
        kind, length = struct.unpack(order + "II", data[start : start + 8])
        if kind >> 16:
            kind, length = kind & 0xFFFF, kind >> 16
            yield kind, data[start + 4 : start + 4 + min(length, 4)]
            start += 8
            continue
        start += 8
        if start + length > len(data) and not cut:
            raise ValueError("it is cut short")
        yield kind, data[start : start + length]
        start += length if kind == _COMPRESSED else length + -length % 8


def _unpack(body: memoryview, most: int) -> bytes:
    """Decompress at most `most` bytes of a packed element."""
    return zlib.decompressobj().decompress(body, most)
