"""Find the files of a map's folder, and read its meta.json."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from crevasse.cameras import Orthographic, Perspective
from crevasse.files.camera_files import CameraChoice, read_text
from crevasse.files.errors import BadInput
from crevasse.files.pixels import SUFFIXES, describe, is_folder

Viewpoint = CameraChoice | Orthographic | Perspective | None

UNKNOWN_UNIT = "unit of the truth"
"""The unit of a true depth where none is stated."""


def look_into(folder: Path, mask: str | Path | None, camera: Viewpoint) -> tuple[Path, str | Path | None, Viewpoint]:
    """Find the map of a folder, and its mask and camera where none was given."""
    source = find_map(folder)
    if camera is None or (isinstance(camera, CameraChoice) and not camera.given):
        matrix = folder / "K.txt"
        camera = CameraChoice(file=matrix) if matrix.exists() else None
    return source, mask or find_file(folder, "mask"), camera


def input_files(
    path: Path,
    mask: Path | None = None,
    camera: Path | None = None,
    photo: Path | None = None,
    weights: Path | None = None,
    hints: Path | None = None,
    known: Mapping[str, Path | None] = MappingProxyType({}),
) -> dict[str, Path]:
    """The files that a run reads, by their role: those of a folder, and what is given besides.

    Parameters
    ----------
    known : files of what is known besides the normals, by role
    """
    files = {"normal map": path}
    if is_folder(path):
        source = find_map(path)
        own = {"mask": find_file(path, "mask"), "camera": path / "K.txt", "depth_gt": find_file(path, "depth_gt")}
        own["weights"] = find_file(path, "weights")
        files = {"normal map": source} | {
            role: file for role, file in (own | known_files(path)).items() if file is not None and file.exists()
        }
    given = {"mask": mask, "camera": camera, "photo": photo, "weights": weights, "hints": hints, **known}
    return files | {role: file for role, file in given.items() if file is not None}


def known_files(folder: Path) -> dict[str, Path]:
    """The files of a folder that hold what is known besides the normals, by role."""
    points, prior = folder / "points.csv", find_file(folder, "depth_prior")
    found = {"prior": prior} if prior is not None else {}
    return found | ({"points": points} if points.exists() else {})


def has_truth(folder: Path) -> bool:
    """Whether a folder holds a map with its true depth."""
    return find_file(folder, "depth_gt") is not None and find_file(folder, "normal_map") is not None


def find_file(folder: Path, stem: str) -> Path | None:
    """The file of this stem in a folder, with the most exact of the suffixes that a map can have."""
    try:
        names = set(os.listdir(folder))
    except OSError as error:
        raise BadInput(f"{folder} cannot be read: {describe(error)}") from None
    for suffix in SUFFIXES:
        if stem + suffix in names:
            return folder / (stem + suffix)
    return None


def find_map(folder: Path) -> Path:
    """The normal map of a folder; refuses a folder without one."""
    source = find_file(folder, "normal_map")
    if source is None:
        raise BadInput(
            f"{folder} has no normal_map file ({', '.join(SUFFIXES[:7])} ...); name the map normal_map.png"
        )
    return source


def is_map_folder(path: Path) -> bool:
    """Whether a path is a folder that holds a map."""
    return is_folder(path) and find_file(path, "normal_map") is not None


def read_footprint(folder: Path) -> float | None:
    """Width of a pixel on the surface, if meta.json states it."""
    value = _read_meta(folder).get("pixel_footprint_at_median_depth")
    try:
        width = float(value) if isinstance(value, int | float) else 0.0
    except OverflowError:
        return None
    return width if 0 < width < math.inf else None


def truth_unit(folder: Path | None, camera: Orthographic | Perspective) -> str:
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
