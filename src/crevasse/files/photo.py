"""A photograph that is laid over a mesh."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from crevasse.files.errors import BadInput
from crevasse.files.samples import read_pixels

MEDIA_TYPES = {"png": "image/png", "jpeg": "image/jpeg"}
"""Kinds of picture that glTF allows."""
ASPECT = 0.01
"""Difference of aspect ratio from which a photograph and a map cannot show the same view."""


@dataclass(frozen=True, eq=False)
class Photo:
    """A photograph of the same view as the map.

    Attributes
    ----------
    colours : (H, W, 3) array of uint8
    data : bytes of a PNG or JPEG file
    suffix : of a file with these bytes
    """

    colours: NDArray[np.uint8] = field(repr=False)
    data: bytes = field(repr=False)
    suffix: str
    media_type: str

    def sample(self, texture: NDArray[np.float64]) -> NDArray[np.uint8]:
        """Colours (N, 3) at image coordinates (N, 2), interpolated between pixels."""
        height, width = self.colours.shape[:2]
        column = np.clip(texture[:, 0] * width - 0.5, 0, width - 1)
        row = np.clip((1 - texture[:, 1]) * height - 0.5, 0, height - 1)
        left, top = column.astype(np.intp), row.astype(np.intp)
        right, below = np.minimum(left + 1, width - 1), np.minimum(top + 1, height - 1)
        x, y = (column - left)[:, None], (row - top)[:, None]
        upper = self.colours[top, left] * (1 - x) + self.colours[top, right] * x
        lower = self.colours[below, left] * (1 - x) + self.colours[below, right] * x
        return np.asarray(upper * (1 - y) + lower * y + 0.5, np.uint8)


def read_photo(path: Path, shape: tuple[int, int], max_memory: int | None = None) -> Photo:
    """Read a photograph that shows the view of a map of this shape."""
    pixels = read_pixels(path, max_memory, "photo")
    values = pixels.values
    if values.dtype.kind != "u" or values.ndim != 3 or values.shape[2] not in (1, 3):
        raise BadInput(f"{path} is not a photograph with 8 or 16 bits per channel; give a PNG or JPEG")
    height, width = values.shape[:2]
    if abs(width / height * shape[0] / shape[1] - 1) > ASPECT:
        raise BadInput(
            f"{path} has {width} x {height} pixels but the map has {shape[1]} x {shape[0]}; the photograph must show "
            "the same view"
        )
    colours = (values >> (8 * (values.dtype.itemsize - 1))).astype(np.uint8)
    if colours.shape[2] == 1:
        colours = np.repeat(colours, 3, axis=2)
    if pixels.kind in MEDIA_TYPES:
        suffix = ".jpg" if pixels.kind == "jpeg" else ".png"
        return Photo(colours, path.read_bytes(), suffix, MEDIA_TYPES[pixels.kind])
    from crevasse.files.png import encode_png

    return Photo(colours, encode_png(colours, {}), ".png", MEDIA_TYPES["png"])
