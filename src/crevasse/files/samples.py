"""Read the samples of a file in any supported format."""

from __future__ import annotations

from pathlib import Path

from crevasse.files.arrays import read_array
from crevasse.files.errors import BadInput
from crevasse.files.images import read_image
from crevasse.files.pixels import IMAGES, Pixels, recognise


def read_pixels(path: Path, limit: int | None, role: str, layer: str | None = None) -> Pixels:
    """The samples of a file.

    Parameters
    ----------
    limit : bytes of memory that may be used; None is the free memory
    role : expected content: "normals", "mask", "weights", "depth" or "prior"
    layer : name of the channels or of the variable to take
    """
    kind = recognise(path)
    try:
        if kind in IMAGES:
            return read_image(path, kind, limit, role, layer)
        return read_array(path, kind, limit, role, layer)
    except MemoryError:
        raise BadInput(f"{path} does not fit into memory; use a smaller map") from None
