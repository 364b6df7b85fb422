"""Memory of this machine, and the refusal of what does not fit into it before it is asked for."""

from __future__ import annotations

import os


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


def shortage(needed: int, limit: int | None, what: str) -> str | None:
    """A sentence if `what` needs more than `limit` bytes (None: what is available now), without its cure."""
    allowed = available_memory() if limit is None else limit
    if needed <= allowed:
        return None
    return f"{what} needs about {format_size(needed)} of memory but only {format_size(allowed)} may be used"
