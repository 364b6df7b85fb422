"""Estimate the memory that each step needs, and refuse maps that do not fit."""

from __future__ import annotations

import operator
import os
import re
from typing import Any

from crevasse.notices import Notice, Setting

DECODE_BYTES_PER_PIXEL = 150
"""Peak memory of decoding and checking a map, besides the samples of the file."""
FURTHER_ROWS = 3
"""Rows along the longer side that the kernels keep besides those of the map: an empty one on either side
(`native/grid/layout.hpp`), and working space of about one more."""
KNOWN_BYTES_PER_PIXEL = 80
"""What a run takes besides its method's memory if it knows more than the normals."""
HELD_BYTES_PER_PIXEL = 50
"""Memory that a map keeps after reading: samples, decoded vectors, normals, mask."""
RESULT_BYTES_PER_PIXEL = 100
"""Peak memory of a result and its pictures."""
SIDE_BY_SIDE, SIDE_BYTES = 1 << 19, 120
"""Up to this many pixels, pictures are drawn while data are written, which takes this many more bytes per pixel."""
BASE_BYTES = 120 << 20
"""Memory of the program itself, with the libraries that it loads."""
WIDEST_SAMPLE = 32
"""Largest number of bytes per pixel in a file that the page opens: four channels of doubles."""
HARD_LIMIT = 1 << 40

_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


def reading_bytes(shape: tuple[int, int], sample_bytes: int = WIDEST_SAMPLE) -> int:
    """Bytes needed to read and decode an (H, W) map whose pixels take `sample_bytes` in the file."""
    return shape[0] * shape[1] * (sample_bytes + DECODE_BYTES_PER_PIXEL)


def integrating_bytes(sides: tuple[int, int], bytes_per_pixel: int, held: tuple[int, int] = (0, 0)) -> int:
    """Bytes needed to integrate a mask whose bounding box has these sides.

    Parameters
    ----------
    bytes_per_pixel : memory of the method
    held : (H, W) of the map that was read and stays in memory
    """
    short, long = sorted(sides)
    return (short + FURTHER_ROWS) * long * bytes_per_pixel + held[0] * held[1] * HELD_BYTES_PER_PIXEL


def command_bytes(sides: tuple[int, int], bytes_per_pixel: int, shape: tuple[int, int], heavy: int = 0) -> int:
    """Bytes that the whole command needs at its peak: reading, integrating and writing.

    Parameters
    ----------
    sides : of the mask's bounding box
    bytes_per_pixel : memory of the method
    shape : of the map
    heavy : bytes per pixel of the bounding box for files that cannot be written in blocks
    """
    inner, outer = sides[0] * sides[1], shape[0] * shape[1]
    beside = SIDE_BYTES if outer <= SIDE_BY_SIDE else 0
    writing = inner * heavy + outer * (HELD_BYTES_PER_PIXEL + RESULT_BYTES_PER_PIXEL + beside)
    return BASE_BYTES + max(integrating_bytes(sides, bytes_per_pixel, shape), writing)


def parse_size(text: str) -> int:
    """Bytes of a size such as "4G", "500M", "1.5 GB" or "2000000".

    >>> parse_size("1.5G") == 3 * 2**29
    True
    """
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?\s*", text.lower())
    if match is None or float(match[1]) <= 0:
        raise ValueError(f"{text!r} is not a size; write for instance 500M or 4G")
    return int(min(float(match[1]) * _UNITS[match[2]], HARD_LIMIT))


def check_limit(limit: Any) -> int:
    """Refuse a memory limit that is not a whole number of bytes."""
    try:
        count = operator.index(limit)
    except TypeError:
        raise ValueError(f"max_memory is {limit!r:.80}; give a whole number of bytes, or None") from None
    if count < 1 or isinstance(limit, bool):
        raise ValueError(f"max_memory is {limit!r:.80}; it must be at least 1 byte")
    return count


def available_memory() -> int:
    """Memory in bytes that is available without swapping."""
    try:
        with open("/proc/meminfo") as lines:
            for line in lines:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) << 10
    except OSError:
        pass
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 8 << 30


def format_size(count: float) -> str:
    """Format a number of bytes for people.

    >>> format_size(3 * 2**29)
    '1.5 GB'
    """
    for unit in ("bytes", "kB", "MB", "GB"):
        if count < 1024:
            return f"{count:.0f} {unit}" if unit == "bytes" else f"{count:.3g} {unit}"
        count /= 1024
    return f"{count:.4g} TB"


def shortage(needed: int, limit: int | None, what: str) -> Notice | None:
    """Advice if `what` needs more than `limit` bytes (None: the memory available now)."""
    allowed = available_memory() if limit is None else check_limit(limit)
    if needed <= allowed:
        return None
    return Notice(
        f"{what} needs about {format_size(needed)} of memory but only {format_size(allowed)} may be used",
        Setting("max_memory"),
        do="{} to allow more",
        cure="crop or downsample the map",
    )
