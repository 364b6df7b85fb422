"""Read and write what a user knows about the jumps of a map: strokes as JSON, or an array of hints."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from crevasse.arguments import check_hints
from crevasse.files.camera_files import read_text
from crevasse.files.errors import BadInput
from crevasse.files.samples import read_pixels
from crevasse.files.strokes import Painting, paint, read_strokes


def read_hints(path: str | Path, shape: tuple[int, int], max_memory: int | None = None) -> Painting:
    """What a file of hints says about an (H, W) map: pixels to leave out, and hints as `integrate` takes them.

    Parameters
    ----------
    path : a JSON file of strokes, as the page saves it, or an array file with whole numbers from -1 to 3
    """
    path = Path(path)
    try:
        if path.suffix.lower() == ".json":
            return _from_strokes(path, shape)
        values = read_pixels(path, max_memory, "hints").values[..., 0]
        if values.shape != shape:
            raise ValueError(f"it has shape {values.shape} but the map has {shape}")
        hints = check_hints(values, shape)
        assert hints is not None
        return Painting(np.zeros(shape, bool), hints)
    except ValueError as error:
        if isinstance(error, BadInput):
            raise
        raise BadInput(f"{path} holds no hints for this map: {error}") from None


def _from_strokes(path: Path, shape: tuple[int, int]) -> Painting:
    try:
        data = json.loads(read_text(path))
    except RecursionError:
        data = None
    if not isinstance(data, dict) or "strokes" not in data:
        raise ValueError('it has no "strokes"; save it with Save strokes on the page')
    if data.get("size") != list(shape):
        raise ValueError(f"it was painted on a map of size {data.get('size')!r:.40}, this one has {list(shape)}")
    return paint(read_strokes(data["strokes"]), shape)


def strokes_text(strokes: Any, shape: tuple[int, int]) -> str:
    """The text of a JSON file of strokes for an (H, W) map."""
    return json.dumps({"size": list(shape), "strokes": strokes}) + "\n"
