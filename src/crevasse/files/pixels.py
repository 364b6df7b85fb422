"""Samples as files hold them, and the format of a file by its content rather than its name."""

from __future__ import annotations

import errno
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crevasse.files.errors import BadInput

SUFFIXES = (
    *(".exr", ".npy", ".npz", ".mat", ".tif", ".tiff", ".png"),
    *(".tga", ".bmp", ".webp", ".jpg", ".jpeg"),
)
"""File names a map can have, the most exact kind first."""

_SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"II*\x00", "tiff"),
    (b"MM\x00*", "tiff"),
    (b"II+\x00", "tiff"),
    (b"MM\x00+", "tiff"),
    (b"v/1\x01", "openexr"),
    (b"\xff\xd8\xff", "jpeg"),
    (b"BM", "bmp"),
    (b"\x93NUMPY", "npy"),
    (b"PK\x03\x04", "npz"),
    (b"PK\x05\x06", "npz"),
    (b"MATLAB 7.3 MAT-file", "mat73"),
    (b"\x89HDF\r\n\x1a\n", "mat73"),
    (b"MATLAB 5.0 MAT-file", "mat"),
)


IMAGES = {
    "png": "PNG",
    "tiff": "TIFF",
    "openexr": "EXR",
    "jpeg": "JPEG",
    "webp": "WebP",
    "targa": "TGA",
    "bmp": "BMP",
}
"""Formats of images, and what they are called."""


@dataclass(frozen=True)
class Pixels:
    """Samples as a file holds them.

    Attributes
    ----------
    values : (H, W, C) array, integers as stored or floats
    bits : per sample
    kind : the file's format
    alpha : (H, W) array of float from 0 to 1, or None
    mask : (H, W) array of bool that came with the map, or None
    """

    values: NDArray[Any]
    bits: int
    kind: str
    alpha: NDArray[np.float32] | None = None
    mask: NDArray[np.bool_] | None = None


def recognise(path: Path) -> str:
    """The format of a file, by its first bytes."""
    head = read_head(path)
    for signature, kind in _SIGNATURES:
        if head.startswith(signature):
            return kind
    if not head:
        raise BadInput(f"{path} is empty (0 bytes); export the map again")
    if len(head) >= 128 and head[124:128] in (b"\x00\x01IM", b"\x01\x00MI"):
        return "mat"
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "webp"
    if path.suffix.lower() == ".tga" and _is_targa(head):
        return "targa"
    raise BadInput(
        f"{path} is not a PNG, TIFF, EXR, JPEG, WebP, TGA, BMP, NPY, NPZ or MAT file; convert the map to one of these"
    )


def _is_targa(head: bytes) -> bool:
    """Whether the first bytes can be those of a TGA file, which has no signature, by image type and pixel depth."""
    return len(head) >= 18 and head[1] in (0, 1) and head[2] in (1, 2, 3, 9, 10, 11) and head[16] in (8, 16, 24, 32)


def is_folder(path: Path) -> bool:
    """Whether a path is a folder; refuses a path that cannot be examined."""
    try:
        return path.is_dir()
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {describe(error)}") from None
    except ValueError as error:
        raise BadInput(f"{str(path)!r} is not a file name: {error}") from None


def require_folder(path: Path) -> None:
    """Refuse what is not a folder."""
    if not is_folder(path):
        raise BadInput(f"{path} is not a folder" if path.exists() else f"{path} does not exist")


def read_head(path: Path, count: int = 128) -> bytes:
    """The first bytes of a regular file, or the reason why there are none."""
    try:
        if is_folder(path):
            raise BadInput(f"{path} is a folder; a file is needed here")
        if not path.exists():
            raise BadInput(f"{path} does not exist")
        if not path.is_file():
            raise BadInput(f"{path} is not a regular file")
        with open(path, "rb") as stream:
            return stream.read(count)
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {describe(error)}") from None
    except ValueError as error:
        if isinstance(error, BadInput):
            raise
        raise BadInput(f"{str(path)!r} is not a file name: {error}") from None


def describe(error: OSError) -> str:
    """The reason of an operating system's error, for people."""
    if error.errno == errno.EACCES:
        return "permission denied"
    if error.errno == errno.ENOSPC:
        return "the disk is full"
    if not error.errno:
        # Libraries that write by themselves report how much was written, but not why writing stopped.
        return f"{error or type(error).__name__} (the disk may be full)".lower()
    return (error.strerror or os.strerror(error.errno)).lower()
