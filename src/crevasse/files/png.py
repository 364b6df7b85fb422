"""PNG files of 8 or 16 bits, with texts, as bytes.

Pillow has no colours of 16 bits. OpenImageIO reports success when the disk is full, and multiplies colours that
come with alpha.
"""

from __future__ import annotations

import struct
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

_COLOUR_TYPES = {1: 0, 2: 4, 3: 2, 4: 6}
_UP = 2


def encode_png(samples: NDArray[Any], texts: dict[str, str]) -> bytes:
    """The bytes of a PNG file.

    Parameters
    ----------
    samples : (H, W, C) array of uint8 or uint16, C from 1 to 4
    texts : keywords and texts to put into it
    """
    height, width, channels = samples.shape
    bits = 8 * samples.dtype.itemsize
    header = struct.pack(">IIBBBBB", width, height, bits, _COLOUR_TYPES[channels], 0, 0, 0)
    rows = np.ascontiguousarray(samples, samples.dtype.newbyteorder(">")).view(np.uint8).reshape(height, -1)
    # Rows compress better as differences to the row above.
    filtered = np.empty((height, rows.shape[1] + 1), np.uint8)
    filtered[:, 0] = _UP
    filtered[:, 1:] = rows
    filtered[1:, 1:] -= rows[:-1]
    chunks = [_chunk(b"IHDR", header)]
    chunks += [
        _chunk(b"tEXt", name.encode("latin-1") + b"\0" + text.encode("latin-1")) for name, text in texts.items()
    ]
    chunks += [_chunk(b"IDAT", zlib.compress(filtered.tobytes(), 6)), _chunk(b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
