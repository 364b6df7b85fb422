"""Normal maps from files and folders."""

from __future__ import annotations

import json
import math
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Orthographic, Perspective
from crevasse.files.arrays import require_finite_mask, to_doubles
from crevasse.files.camera_files import CameraChoice, read_text
from crevasse.files.decode import LENGTH_TOLERANCE, MOST_VIOLATIONS, Decoded, decode, from_srgb
from crevasse.files.errors import BadInput
from crevasse.files.frames import Frame
from crevasse.files.pixels import SUFFIXES, Pixels, describe, is_folder
from crevasse.files.samples import read_pixels

Array = NDArray[np.float64]
Viewpoint = CameraChoice | Orthographic | Perspective | None

UNKNOWN_UNIT = "unit of the truth"
"""The unit of a true depth where none is stated."""


@dataclass(frozen=True, eq=False)
class NormalMap:
    """A normal map, ready to be integrated.

    Attributes
    ----------
    normals : (H, W, 3) array, unit vectors in the OpenGL frame, 0 where there is none
    mask : (H, W) array of bool
    camera : `Orthographic()` unless a camera is given
    depth : (H, W) array, the true depth, or None where it is not known
    name, source : a short name, and the file that was read
    bits, encoding : how the file stores its numbers
    frame : the frame the file was read in
    warnings : sentences that the caller should see
    """

    normals: Array
    mask: NDArray[np.bool_]
    camera: Orthographic | Perspective
    depth: Array | None
    name: str
    source: Path
    bits: int
    encoding: str
    frame: str
    warnings: tuple[str, ...]
    pixels: Pixels
    decoded: Decoded
    srgb: bool = False
    footprint: float | None = None
    """Width of a pixel on the surface in depth units, if the folder's meta.json states it."""
    truth_unit: str = "px"
    """Unit of the true depth, if the folder states it."""
    unit: str | None = None
    """Unit of integrated depths, where it is known."""
    distance: float | None = None
    """Millimetres from the camera to the object's centre."""
    ruler: tuple[float, ...] | None = None
    """Row, column, row, column of two pixels, and the millimetres between them."""
    weights: Array | None = None
    """(H, W) confidence of the normals, where it is known; 0 or larger."""

    def __repr__(self) -> str:
        height, width = self.shape
        pixels, camera = np.count_nonzero(self.mask), type(self.camera).__name__
        return f"NormalMap({self.name!r}, {height} x {width}, {pixels:,} pixels, {camera}, {self.frame})"

    @property
    def shape(self) -> tuple[int, int]:
        return self.mask.shape[0], self.mask.shape[1]


@dataclass(frozen=True)
class ReadOptions:
    """How to read a map.

    Attributes
    ----------
    mask : a file, non-zero inside; None is the alpha channel, or the pixels that hold a normal
    camera : None is orthographic
    frame : "auto", "opengl", "directx", "opencv", or three signed axes such as "-x,y,z"
    slopes : whether the file holds (p, q), the rise towards the viewer per pixel to the right and upwards
    srgb : whether the colours went through the sRGB curve, which is undone then
    centre : the 8-bit value that means 0: "127.5", "128", or "auto" for what the data show
    layer : the EXR layer or the variable of an array file to take, where there are several
    max_memory : bytes that may be used; None is what is free
    weights : a file, the confidence of the normals; None is the folder's own, or none
    """

    mask: str | Path | None = None
    camera: Viewpoint = None
    frame: str = "auto"
    slopes: bool = False
    srgb: bool = False
    centre: str = "auto"
    layer: str | None = None
    max_memory: int | None = None
    weights: str | Path | None = None


def read_map(path: str | Path, options: ReadOptions) -> NormalMap:
    """Read a map from a file or a folder; the frame "auto" is read as OpenGL here and settled later."""
    mask, camera, max_memory = options.mask, options.camera, options.max_memory
    folder = Path(path) if is_folder(Path(path)) else None
    source = Path(path)
    if folder is not None:
        source, mask, camera = _look_into(folder, mask, camera)
    turn = Frame.parse("opengl" if options.frame == "auto" else options.frame)
    pixels = read_pixels(source, max_memory, "normals", options.layer)
    decoded = decode(pixels, options.slopes, str(source), options.srgb, options.centre)
    inside, notes = _inside(pixels, decoded, mask, max_memory, source)
    _refuse_photographs(pixels, decoded, inside, source)
    normals = turn.apply(decoded.vectors)
    normals[~inside] = 0.0
    height, width = inside.shape
    seen = camera.resolve(height, width) if isinstance(camera, CameraChoice) else camera or Orthographic()
    return NormalMap(
        normals=normals,
        mask=inside,
        camera=seen,
        depth=None if folder is None else _read_truth(folder, inside, source, max_memory),
        name=source.stem if folder is None else folder.resolve().name or "map",
        source=source,
        bits=pixels.bits,
        encoding=decoded.encoding,
        frame=turn.name,
        warnings=decoded.notes + notes,
        pixels=pixels,
        decoded=decoded,
        srgb=options.srgb,
        footprint=None if folder is None else _read_footprint(folder),
        truth_unit=_truth_unit(folder, seen),
        weights=_read_weights(options.weights or (folder and _find(folder, "weights")), inside, max_memory),
    )


def _look_into(folder: Path, mask: str | Path | None, camera: Viewpoint) -> tuple[Path, str | Path | None, Viewpoint]:
    """Find the map of a folder, and its mask and camera where none was given."""
    source = _find_map(folder)
    if camera is None or (isinstance(camera, CameraChoice) and not camera.given):
        matrix = folder / "K.txt"
        camera = CameraChoice(file=matrix) if matrix.exists() else None
    return source, mask or _find(folder, "mask"), camera


def input_files(
    path: Path,
    mask: Path | None = None,
    camera: Path | None = None,
    photo: Path | None = None,
    weights: Path | None = None,
) -> dict[str, Path]:
    """The files that a run reads, by their role: those of a folder, and what is given besides."""
    files = {"normal map": path}
    if is_folder(path):
        source = _find_map(path)
        own = {"mask": _find(path, "mask"), "camera": path / "K.txt", "depth_gt": _find(path, "depth_gt")}
        own["weights"] = _find(path, "weights")
        files = {"normal map": source} | {
            role: file for role, file in own.items() if file is not None and file.exists()
        }
    given = {"mask": mask, "camera": camera, "photo": photo, "weights": weights}
    return files | {role: file for role, file in given.items() if file is not None}


def has_truth(folder: Path) -> bool:
    """Whether a folder holds a map with its true depth."""
    return _find(folder, "depth_gt") is not None and _find(folder, "normal_map") is not None


def read_mask(path: str | Path, max_memory: int | None = None) -> NDArray[np.bool_]:
    """A mask from any file that can hold one: non-zero is inside."""
    pixels = read_pixels(Path(path), max_memory, "mask")
    inside = np.any(require_finite_mask(pixels.values, Path(path)) != 0, axis=-1)
    if pixels.alpha is not None and inside.all():
        return np.asarray(pixels.alpha > 0.5)
    return np.asarray(inside)


def _find(folder: Path, stem: str) -> Path | None:
    try:
        names = set(os.listdir(folder))
    except OSError as error:
        raise BadInput(f"{folder} cannot be read: {describe(error)}") from None
    for suffix in SUFFIXES:
        if stem + suffix in names:
            return folder / (stem + suffix)
    return None


def _find_map(folder: Path) -> Path:
    source = _find(folder, "normal_map")
    if source is None:
        raise BadInput(
            f"{folder} has no normal_map file ({', '.join(SUFFIXES[:7])} ...); name the map normal_map.png"
        )
    return source


def is_map_folder(path: Path) -> bool:
    """Whether a path is a folder that holds a map."""
    return is_folder(path) and _find(path, "normal_map") is not None


def _inside(
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


def _refuse_photographs(pixels: Pixels, decoded: Decoded, inside: NDArray[np.bool_], source: Path) -> None:
    """Refuse colours that are no normals, unless the sRGB curve explains them (the checks warn of that)."""
    unlike = np.count_nonzero(inside & (np.abs(decoded.lengths - 1) > LENGTH_TOLERANCE)) / np.count_nonzero(inside)
    background = float(np.mean(~decoded.mask))
    if unlike < MOST_VIOLATIONS and not (unlike > MOST_VIOLATIONS / 2 and background > 0.02):
        return
    if pixels.values.dtype.kind in "iu" and pixels.values.shape[2] == 3:
        lengths = np.sqrt(np.square(from_srgb(pixels.values)[inside]).sum(axis=-1))
        if float(np.median(np.abs(lengths - 1))) < 0.05:
            return
    raise BadInput(
        f"{source} looks like a colour photograph, not like a normal map: {unlike:.0%} of its colours are far from "
        "unit length when decoded as normals; give the normal map"
    )


def _read_truth(folder: Path, inside: NDArray[np.bool_], source: Path, max_memory: int | None) -> Array | None:
    path = _find(folder, "depth_gt")
    if path is None:
        return None
    depth = to_doubles(read_pixels(path, max_memory, "depth").values[..., 0])
    if depth.shape != inside.shape:
        raise BadInput(f"{path} has shape {depth.shape} but the map {source} has {inside.shape}")
    return np.where(inside, depth, np.nan)


def _read_weights(path: str | Path | None, inside: NDArray[np.bool_], max_memory: int | None) -> Array | None:
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


def _read_footprint(folder: Path) -> float | None:
    """Width of a pixel on the surface, if meta.json states it."""
    value = _read_meta(folder).get("pixel_footprint_at_median_depth")
    try:
        width = float(value) if isinstance(value, int | float) else 0.0
    except OverflowError:
        return None
    return width if 0 < width < math.inf else None


def _truth_unit(folder: Path | None, camera: Orthographic | Perspective) -> str:
    """The unit of a folder's true depth: from meta.json, else pixels for parallel rays, else unknown."""
    unit = None if folder is None else _read_meta(folder).get("depth_unit")
    if isinstance(unit, str):
        return "px" if unit in ("pixel", "pixels") else unit
    return "px" if isinstance(camera, Orthographic) else UNKNOWN_UNIT


def _read_meta(folder: Path) -> dict[str, Any]:
    """Contents of a folder's meta.json; empty if it cannot be read."""
    try:
        meta = json.loads(read_text(folder / "meta.json"))
    except (OSError, ValueError, RecursionError):
        return {}
    return meta if isinstance(meta, dict) else {}
