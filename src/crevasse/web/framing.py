"""The binary messages between worker, server and page: a JSON header, then arrays as they lie in memory.

A frame is a 4-byte little-endian length, that many bytes of JSON (padded with spaces to a multiple of 4), then the
arrays one after another, each padded to 4 bytes. The header's `arrays` tells name, type, shape and offset of each.

The alternative without a further dependency is NumPy's NPZ. The page would have to unzip it, and its arrays do not
begin at multiples of 4 bytes, so that a browser could use them only as copies.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Header = dict[str, Any]
TYPES = ("float32", "uint8", "int16", "int32")


def pack(header: Header, arrays: Mapping[str, NDArray[Any]] | None = None) -> bytes:
    """The frame of a header and arrays."""
    blocks, listing, offset = [], [], 0
    for name, array in (arrays or {}).items():
        if array.dtype.name not in TYPES:
            raise ValueError(f"array {name!r} has type {array.dtype}; frames hold {', '.join(TYPES)}")
        block = np.ascontiguousarray(array).tobytes()
        listing.append({"name": name, "type": array.dtype.name, "shape": list(array.shape), "offset": offset})
        blocks.append(block + bytes(-len(block) % 4))
        offset += len(blocks[-1])
    text = json.dumps({**header, "arrays": listing}, allow_nan=False).encode()
    text += b" " * (-len(text) % 4)
    return b"".join([struct.pack("<I", len(text)), text, *blocks])


def read_header(frame: bytes) -> Header:
    """The header of a frame."""
    (length,) = struct.unpack_from("<I", frame)
    header = json.loads(frame[4 : 4 + length])
    if not isinstance(header, dict):
        raise ValueError("the header of a frame must be a JSON object")
    return header


def unpack(frame: bytes) -> tuple[Header, dict[str, NDArray[Any]]]:
    """Header and arrays of a frame.

    >>> header, arrays = unpack(pack({"kind": "map"}, {"mask": np.ones((2, 3), np.uint8)}))
    >>> header["kind"], arrays["mask"].shape
    ('map', (2, 3))
    """
    header = read_header(frame)
    (length,) = struct.unpack_from("<I", frame)
    arrays = {}
    for entry in header["arrays"]:
        count = int(np.prod(entry["shape"]))
        flat = np.frombuffer(frame, entry["type"], count, 4 + length + entry["offset"])
        arrays[entry["name"]] = flat.reshape(entry["shape"])
    return header, arrays
