"""Detect PNG and JPEG files that are cut short: libpng prints a warning, and JPEG readers fill the rest with grey."""

from __future__ import annotations

import mmap
import struct
from pathlib import Path


def is_cut_short(path: Path, kind: str) -> bool:
    """Whether the file ends before its format says; False for other formats, whose readers notice."""
    if kind == "png":
        return not _png_has_end(path)
    if kind == "jpeg":
        return not _jpeg_has_end(path)
    return False


def _png_has_end(path: Path) -> bool:
    """Whether all chunks up to IEND are there."""
    size = path.stat().st_size
    with open(path, "rb") as stream:
        at = 8
        while at + 12 <= size:
            stream.seek(at)
            length, kind = struct.unpack(">I4s", stream.read(8))
            at += 12 + length
            if kind == b"IEND":
                return bool(at <= size)
    return False


def _jpeg_has_end(path: Path) -> bool:
    """Whether the end of the image follows its last scan; thumbnails, which come before, have their own ends."""
    if path.stat().st_size == 0:
        return False
    with open(path, "rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return data.rfind(b"\xff\xd9") > data.rfind(b"\xff\xda")
