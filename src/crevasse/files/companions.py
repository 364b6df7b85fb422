"""Read what accompanies a map: its mask, its true depth, the confidence of its normals."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from crevasse.files.arrays import require_finite_mask, to_doubles
from crevasse.files.decode import Decoded
from crevasse.files.errors import BadInput
from crevasse.files.map_folder import find_file
from crevasse.files.pixels import Pixels
from crevasse.files.samples import read_pixels

Array = NDArray[np.float64]


def read_mask(path: str | Path, max_memory: int | None = None) -> NDArray[np.bool_]:
    """A mask from any file that can hold one: non-zero is inside."""
    pixels = read_pixels(Path(path), max_memory, "mask")
    inside = np.any(require_finite_mask(pixels.values, Path(path)) != 0, axis=-1)
    if pixels.alpha is not None and inside.all():
        return np.asarray(pixels.alpha > 0.5)
    return np.asarray(inside)


def pixels_inside(
    pixels: Pixels, decoded: Decoded, mask: str | Path | None, max_memory: int | None, source: Path
) -> tuple[NDArray[np.bool_], tuple[str, ...]]:
    """The pixels to integrate, and warnings about pixels that were left out."""
    wanted = None
    if mask is not None:
        wanted = read_mask(mask, max_memory)
        if wanted.shape != decoded.mask.shape:
            sizes = [f"{shape[1]} x {shape[0]}" for shape in (wanted.shape, decoded.mask.shape)]
            raise BadInput(
                f"the mask {mask} has {sizes[0]} pixels but the map {source} has {sizes[1]}; they must agree"
            )
        if not wanted.any():
            raise BadInput(f"the mask {mask} is zero everywhere; non-zero pixels are inside")
    elif pixels.mask is not None:
        wanted = pixels.mask
    elif pixels.alpha is not None:
        wanted = np.asarray(pixels.alpha > 0.5)
    inside = decoded.mask if wanted is None else wanted & decoded.mask
    if not inside.any():
        raise BadInput(f"{source} holds no normal inside the mask: every pixel is black, white, grey, zero or NaN")
    lost = 0 if wanted is None else int(np.count_nonzero(wanted & ~decoded.mask))
    notes = (f"{lost} pixels inside the mask hold no normal (black, white, grey or NaN); they were left out.",)
    return inside, notes if lost else ()


def read_truth(folder: Path, inside: NDArray[np.bool_], source: Path, max_memory: int | None) -> Array | None:
    """The true depth of a folder, NaN outside the mask; None where the folder has none."""
    path = find_file(folder, "depth_gt")
    if path is None:
        return None
    depth = to_doubles(read_pixels(path, max_memory, "depth").values[..., 0])
    if depth.shape != inside.shape:
        raise BadInput(f"{path} has shape {depth.shape} but the map {source} has {inside.shape}")
    return np.where(inside, depth, np.nan)


def read_weights(path: str | Path | None, inside: NDArray[np.bool_], max_memory: int | None) -> Array | None:
    """Confidence of the normals: numbers as they are, integer images from 0 to 1; 0 outside the mask."""
    if path is None:
        return None
    values = read_pixels(Path(path), max_memory, "weights").values[..., 0]
    if values.shape != inside.shape:
        raise BadInput(f"{path} has shape {values.shape} but the map has {inside.shape}")
    full = np.iinfo(values.dtype).max if values.dtype.kind in "iu" else 1.0
    weights = np.where(inside, to_doubles(values) / full, 0.0)
    if not np.isfinite(weights).all() or weights.min() < 0 or not weights.any():
        raise BadInput(f"{path} holds weights that are negative, not finite, or 0 everywhere; give numbers from 0 on")
    return weights
