"""Memory estimates, so that a map that cannot fit is refused before anything is allocated."""

from __future__ import annotations

import os
import re

from crevasse.files.errors import BadInput

BYTES_PER_PIXEL = 200
"""What an integration needs at its peak for a pixel of the mask's bounding box."""
DECODE_BYTES_PER_PIXEL = 150
"""What decoding and checking a map need at their peak, on top of the file's own samples."""
HELD_BYTES_PER_PIXEL = 70
"""What a map that was read keeps: samples, decoded vectors, normals, mask."""
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


def format_size(count: float) -> str:
    """A number of bytes for people.

    >>> format_size(3 * 2**29)
    '1.5 GB'
    """
    for unit in ("bytes", "kB", "MB", "GB"):
        if count < 1024:
            return f"{count:.0f} {unit}" if unit == "bytes" else f"{count:.3g} {unit}"
        count /= 1024
    return f"{count:.4g} TB"


def available_memory() -> int:
    """Bytes that can be used now without swapping."""
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


def require_memory(needed: int, limit: int | None, what: str) -> None:
    """Refuse `what` when it needs more than `limit` bytes (None: what is available now)."""
    allowed = available_memory() if limit is None else limit
    if needed > allowed:
        raise BadInput(
            f"{what} needs about {format_size(needed)} of memory but only {format_size(allowed)} may be used; "
            f"use a smaller map, or allow more with --max-memory"
        )


def reading_estimate(height: int, width: int, sample_bytes: int) -> int:
    """Bytes needed to read and decode a map whose pixels take `sample_bytes` in the file."""
    return height * width * (sample_bytes + DECODE_BYTES_PER_PIXEL)


def integration_estimate(sides: tuple[int, int], shape: tuple[int, int]) -> int:
    """Bytes needed to integrate a map of this shape whose mask has a bounding box with these sides."""
    return sides[0] * sides[1] * BYTES_PER_PIXEL + shape[0] * shape[1] * HELD_BYTES_PER_PIXEL
