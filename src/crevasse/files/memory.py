"""Memory estimates, so that a map that cannot fit is refused before anything is allocated."""

from __future__ import annotations

import re

from crevasse.files.errors import BadInput
from crevasse.memory import shortage

BYTES_PER_PIXEL = 200
"""What an integration needs at its peak for a pixel of the mask's bounding box."""
DECODE_BYTES_PER_PIXEL = 150
"""What decoding and checking a map need at their peak, on top of the file's own samples."""
HELD_BYTES_PER_PIXEL = 50
"""What a map that was read keeps: samples, decoded vectors, normals, mask."""
RESULT_BYTES_PER_PIXEL = 100
"""What a result and the pictures of it need at most."""
SIDE_BY_SIDE, SIDE_BYTES = 1 << 19, 100
"""Pixels up to which pictures are drawn while data are written, and the bytes per pixel that this takes on top."""
BASE_BYTES = 120 << 20
"""What the program itself takes, with the libraries that it loads."""
HARD_LIMIT = 1 << 40

_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


def parse_size(text: str) -> int:
    """Bytes of a size such as "4G", "500M", "1.5 GB" or "2000000".

    >>> parse_size("1.5G") == 3 * 2**29
    True
    """
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?\s*", text.lower())
    if match is None or float(match[1]) <= 0:
        raise ValueError(f"{text!r} is not a size; write for instance 500M or 4G")
    return min(int(float(match[1]) * _UNITS[match[2]]), HARD_LIMIT)


def require_memory(needed: int, limit: int | None, what: str) -> None:
    """Refuse `what` when it needs more than `limit` bytes (None: what is available now)."""
    short = shortage(needed, limit, what)
    if short is not None:
        raise BadInput(f"{short}; crop or downsample the map, or allow more with --max-memory")


def reading_estimate(height: int, width: int, sample_bytes: int) -> int:
    """Bytes needed to read and decode a map whose pixels take `sample_bytes` in the file."""
    return height * width * (sample_bytes + DECODE_BYTES_PER_PIXEL)


def command_estimate(sides: tuple[int, int], shape: tuple[int, int], heavy: int = 0) -> int:
    """Bytes that the whole command needs at its peak: reading, integrating and writing.

    Parameters
    ----------
    sides : of the mask's bounding box
    shape : of the map
    heavy : bytes per pixel of the bounding box that files which are made as a whole take
    """
    inner, outer = sides[0] * sides[1], shape[0] * shape[1]
    integrating = inner * BYTES_PER_PIXEL + outer * HELD_BYTES_PER_PIXEL
    beside = SIDE_BYTES if outer <= SIDE_BY_SIDE else 0
    writing = inner * heavy + outer * (HELD_BYTES_PER_PIXEL + RESULT_BYTES_PER_PIXEL + beside)
    return BASE_BYTES + max(integrating, writing)
