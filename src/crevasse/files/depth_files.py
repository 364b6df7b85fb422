"""Depth and pictures as files: NPY, float TIFF, EXR, 16-bit PNG."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crevasse.files.errors import BadOutput
from crevasse.files.png import encode_png
from crevasse.files.write import replacing, write_bytes, write_json, write_npy

Array = NDArray[np.float64]
DEPTH_FILES = {"npy": "depth.npy", "tif": "depth.tif", "exr": "depth.exr", "png16": "depth.png"}
"""Formats of depth and the names of their files."""
_OIIO_NAMES = {"uint8": "uint8", "uint16": "uint16", "float32": "float"}


def write_depth(folder: Path, depth: Array, kind: str, unit: str = "not known") -> Path:
    """Write a depth map in one of `DEPTH_FILES`' formats; NaN is outside (0 in the PNG)."""
    path = folder / DEPTH_FILES[kind]
    if kind == "npy":
        write_npy(path, depth)
    elif kind == "png16":
        write_depth_png(path, depth, unit)
    else:
        text = f"depth, NaN outside; unit: {unit}"
        write_image(path, depth.astype(np.float32)[..., None], {"ImageDescription": text})
    return path


def write_depth_png(path: Path, depth: Array, unit: str = "not known") -> None:
    """A 16-bit PNG: 0 is outside, 1 to 65535 run from the nearest to the farthest depth.

    depth = offset + scale * value; both numbers are in the PNG's text and in a file beside it (depth.png.json).
    """
    known = np.isfinite(depth)
    low, high = (float(depth[known].min()), float(depth[known].max())) if known.any() else (0.0, 0.0)
    scale = (high - low) / 65534 or 1.0
    offset = low - scale
    levels = np.where(known, np.rint((np.where(known, depth, low) - offset) / scale), 0).astype(np.uint16)
    facts = {
        "depth": "offset + scale * value, value 0 is outside",
        "offset": offset,
        "scale": scale,
        "unit": unit,
    }
    write_image(path, levels[..., None], {"Description": json.dumps(facts)})
    write_json(path.with_name(path.name + ".json"), facts)


def write_picture(path: Path, picture: NDArray[np.uint8]) -> None:
    """Write an (H, W, 3) picture as PNG."""
    write_image(path, picture, {})


def write_image(path: Path, samples: NDArray[Any], texts: dict[str, str]) -> None:
    """Write (H, W, C) samples of 8 or 16 bits or floats, by the path's suffix."""
    if path.suffix.lower() == ".png":
        write_bytes(path, encode_png(samples, texts))
        return
    import OpenImageIO as oiio

    height, width, channels = samples.shape
    spec = oiio.ImageSpec(width, height, channels, _OIIO_NAMES[samples.dtype.name])
    spec["compression"] = "zip"
    if channels == 1 and samples.dtype.kind == "f":
        spec.channelnames = ("Y",)
    for name, text in texts.items():
        spec[name] = text
    with replacing(path) as temporary:
        output = oiio.ImageOutput.create(str(temporary))
        if output is None:
            raise BadOutput(f"{path} cannot be written: {oiio.geterror()}")
        done = output.open(str(temporary), spec) and output.write_image(np.ascontiguousarray(samples))
        reason = output.geterror()
        done = output.close() and done
        if not done:
            raise BadOutput(f"{path} cannot be written: {reason.strip() or output.geterror() or 'the disk is full'}")
