"""Decode the input of a page: uploaded files, or a built-in example."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array, Orthographic, Perspective
from crevasse.memory import reading_bytes
from crevasse.web.preview import slopes_of_depth
from crevasse.web.surface_messages import FrameEvidence
from crevasse.web.upload_folder import role_of
from crevasse.web.wording import page_text

ENCODINGS: dict[str, dict[str, Any]] = {
    "auto": {},
    "127.5": {"centre": "127.5"},
    "128": {"centre": "128"},
    "srgb": {"srgb": True},
    "slopes": {"slopes": True},
}
"""How a file may store its normals, as options of its reader."""


@dataclass(frozen=True, eq=False)
class Source:
    """A map to work on.

    Attributes
    ----------
    normals, mask, camera : what `integrate` takes
    truth : (H, W) array of depths, or None
    recognised : what the page says about it
    beside : what else was dropped and not every method can use, by argument of `integrate`
    made : how to get it again: {"example": name} or {"files": ..., "options": ...}
    """

    normals: Array
    mask: NDArray[np.bool_]
    camera: Orthographic | Perspective
    truth: Array | None
    recognised: dict[str, Any]
    made: dict[str, Any]
    beside: dict[str, Any] = field(default_factory=dict)


def open_example(name: str) -> Source:
    """A built-in scene."""
    from crevasse.scenes import SCENES

    if name not in SCENES:
        raise ValueError(f"there is no example {name!r}")
    scene = SCENES[name]()
    recognised = _recognised(name, 64)
    return Source(scene.normals, scene.mask, scene.camera, scene.depth, recognised, {"example": name})


def open_files(folder: Path, names: dict[str, str], options: dict[str, Any], pixels: int) -> Source:
    """The uploaded files of a folder.

    Parameters
    ----------
    names : by file in the folder, the name that the user knows it by
    options : frame ("auto" or a name), encoding (one of `ENCODINGS`), camera: {"kind": "auto" | "orthographic" |
        "field_of_view" | "focal" | "focal_mm", ...}
    pixels : the largest map that is decoded
    """
    try:
        return _open_files(folder, names, options, pixels)
    except ValueError as error:
        raise ValueError(_with_names(page_text(error), folder, names)) from error


def open_depth(path: Path, pixels: int) -> Source:
    """A depth map to look at: a file, or the folder that `crevasse integrate` wrote."""
    from crevasse.files.read_result import read_result

    found = read_result(path, reading_bytes((1, pixels)))
    mask = np.isfinite(found.depth)
    heights = np.where(mask, found.camera.to_heights(np.where(mask, found.depth, 1.0)), np.nan)
    normals = found.camera.normals(*slopes_of_depth(heights)) * mask[..., None]
    recognised = _recognised(found.name, 64)
    return Source(normals, mask, found.camera, found.depth, recognised, {"depth": str(path)})


def _recognised(name: str, bits: int) -> dict[str, Any]:
    """What there is to say about a map that did not come from a file of normals."""
    detected = FrameEvidence(detected="opengl", sure=True, evidence=())
    known = {"used_frame": "opengl", "bit_depth": bits, "encoding": "floats", "camera_source": "file", "warnings": ()}
    return {"name": name, "frame": detected, **known}


def _open_files(folder: Path, names: dict[str, str], options: dict[str, Any], pixels: int) -> Source:
    from crevasse.files import ReadOptions, open_map
    from crevasse.files.map_runs import beside

    frame = str(options.get("frame", "auto"))
    camera = _camera_choice(folder, options.get("camera") or {})
    encoding = str(options.get("encoding", "auto"))
    if encoding not in ENCODINGS:
        raise ValueError(f"encoding is {encoding!r}; give one of {', '.join(ENCODINGS)}")
    read = ReadOptions(camera=camera, frame=frame, max_memory=reading_bytes((1, pixels)), **ENCODINGS[encoding])
    found, detection = open_map(folder, read)
    if found.mask.size > pixels:
        height, width = found.mask.shape
        raise ValueError(f"the map has {width} x {height} pixels; this server takes at most {pixels}")
    name = next((known for file, known in names.items() if file.startswith("normal_map")), "map")
    recognised = {
        "name": name,
        "frame": FrameEvidence(detected=detection.detected, sure=detection.sure, evidence=tuple(detection.evidence)),
        "used_frame": found.frame,
        "bit_depth": found.bits,
        "encoding": found.encoding,
        "camera_source": _camera_source(camera, names),
        "warnings": tuple(_with_names(page_text(text), folder, names) for text in found.warnings),
    }
    made = {"files": dict(names), "options": options}
    return Source(found.normals, found.mask, found.camera, found.depth, recognised, made, beside(found))


def _camera_choice(folder: Path, choice: dict[str, Any]) -> Any:
    from crevasse.files import CameraChoice

    kind = choice.get("kind", "auto")
    if kind == "orthographic":
        return Orthographic(float(choice.get("pixel_size", 1.0)))
    if kind == "field_of_view":
        return CameraChoice(field_of_view=float(choice["degrees"]))
    if kind == "focal":
        return CameraChoice(focal=(float(choice["pixels"]),))
    if kind == "focal_mm":
        return CameraChoice(focal_mm=float(choice["millimetres"]), sensor_width=float(choice["sensor_width"]))
    if kind != "auto":
        raise ValueError(f"camera is {kind!r}; give auto, orthographic, field_of_view, focal or focal_mm")
    other = next((path for path in sorted(folder.glob("camera.*"))), None)
    return None if other is None else CameraChoice(file=other)


def _camera_source(choice: Any, names: dict[str, str]) -> str:
    """Where a camera comes from, as `MapHeader` says it."""
    if choice is not None and getattr(choice, "file", None) is None:
        return "chosen"
    return "file" if any(role_of(file) == "camera" for file in names) else "assumed"


def _with_names(message: str, folder: Path, names: dict[str, str]) -> str:
    """A message about files of the folder, under the names that the user knows."""
    for file, name in names.items():
        message = message.replace(str(folder / file), name)
    return message.replace(f"{folder}/", "").replace(str(folder), "the upload")
