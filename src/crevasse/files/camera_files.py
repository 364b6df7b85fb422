"""Read cameras from files, or make them from focal length, field of view or sensor size."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from crevasse.cameras import Orthographic, Perspective
from crevasse.files.errors import BadInput
from crevasse.files.pixels import read_head
from crevasse.notices import Notice, Setting

LARGEST_FILE = 64 << 20


@dataclass(frozen=True)
class CameraChoice:
    """The given camera parameters; `resolve` makes a camera from them once the size of the map is known.

    Attributes
    ----------
    file : K.txt, transforms.json or COLMAP's cameras.txt
    focal : fx or (fx, fy) in pixels
    center : (cx, cy), counted from the centre of the first pixel; None is the middle
    field_of_view : vertical, in degrees
    focal_mm, sensor_width : focal length and width of the sensor in millimetres
    pixel_size : side of a pixel on the surface, for parallel rays
    """

    file: Path | None = None
    focal: tuple[float, ...] | None = None
    center: tuple[float, float] | None = None
    field_of_view: float | None = None
    focal_mm: float | None = None
    sensor_width: float | None = None
    pixel_size: float | None = None

    @property
    def given(self) -> bool:
        """Whether any parameter is given."""
        return any(getattr(self, field.name) is not None for field in fields(self))

    def check(self) -> None:
        """Refuse settings that contradict each other."""
        ways = {
            "camera": self.file,
            "focal": self.focal,
            "field_of_view": self.field_of_view,
            "focal_mm": self.focal_mm,
            "pixel_size": self.pixel_size,
        }
        named = [name for name, value in ways.items() if value is not None]
        if len(named) > 1:
            settings = map(Setting, named)
            raise ValueError(Notice("the camera is given in several ways", *settings, do="{}, not both"))
        if (self.focal_mm is None) != (self.sensor_width is None):
            found = "a focal length in millimetres and the width of the sensor belong together"
            missing = "focal_mm" if self.focal_mm is None else "sensor_width"
            raise ValueError(Notice(found, Setting(missing), Setting("focal"), do="{} (in pixels)"))
        if self.center is not None and named in ([], ["pixel_size"], ["camera"]):
            lenses = map(Setting, ("focal", "field_of_view", "focal_mm"))
            raise ValueError(Notice("the principal point needs a focal length", *lenses))

    def resolve(self, height: int, width: int) -> Orthographic | Perspective:
        """The camera of an (H, W) map."""
        self.check()
        if self.file is not None:
            return read_camera(self.file, height, width)
        if self.pixel_size is not None:
            return Orthographic(self.pixel_size)
        cx, cy = self.center or ((width - 1) / 2, (height - 1) / 2)
        if self.focal is not None:
            return Perspective(self.focal[0], self.focal[-1], cx, cy)
        if self.field_of_view is not None:
            focal = Perspective.from_field_of_view(self.field_of_view, (height, width)).fx
            return Perspective(focal, focal, cx, cy)
        if self.focal_mm is not None and self.sensor_width is not None:
            if self.focal_mm <= 0 or self.sensor_width <= 0:
                raise ValueError("the focal length and the width of the sensor must be positive (in mm)")
            focal = self.focal_mm / self.sensor_width * width
            return Perspective(focal, focal, cx, cy)
        return Orthographic()


def read_camera(path: Path, height: int, width: int) -> Perspective:
    """The camera of a file: a 3 x 3 matrix as text, transforms.json, or COLMAP's cameras.txt."""
    text = read_text(path)
    try:
        if text.lstrip().startswith("{"):
            return _from_transforms(json.loads(text), height, width)
        lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
        words = lines[0].replace(",", " ").split() if lines else []
        if len(words) > 4 and words[1].isupper():
            return _from_colmap(words, lines, height, width)
        return Perspective.from_matrix(_matrix(lines))
    except (ValueError, TypeError, KeyError, IndexError, OverflowError, RecursionError) as error:
        raise BadInput(f"{path} is not a usable camera: {_sentence(error)}") from None


def read_text(path: Path) -> str:
    """A text file's content."""
    read_head(path, 1)
    if path.stat().st_size > LARGEST_FILE:
        raise BadInput(f"{path} is too large for a text file")
    try:
        return path.read_text("utf-8-sig")
    except UnicodeDecodeError:
        raise BadInput(f"{path} is not a text file") from None


def _matrix(lines: list[str]) -> np.ndarray[Any, np.dtype[np.float64]]:
    numbers = [float(word) for line in lines for word in line.replace(",", " ").replace(";", " ").split()]
    if len(numbers) != 9:
        raise ValueError(f"a 3 x 3 matrix has 9 numbers, the file has {len(numbers)}")
    return np.array(numbers).reshape(3, 3)


def _from_transforms(data: dict[str, Any], height: int, width: int) -> Perspective:
    """NeRF's transforms.json: fl_x, fl_y, cx, cy, w, h, or camera_angle_x; pixel corners are counted."""
    w, h = float(data.get("w", width)), float(data.get("h", height))
    if "fl_x" in data:
        fx = float(data["fl_x"])
    elif "camera_angle_x" in data:
        fx = w / 2 / float(np.tan(float(data["camera_angle_x"]) / 2))
    else:
        raise ValueError("it has neither fl_x nor camera_angle_x")
    fy = float(data.get("fl_y", fx))
    cx, cy = float(data.get("cx", w / 2)) - 0.5, float(data.get("cy", h / 2)) - 0.5
    _require_size(w, h, height, width)
    return Perspective(fx, fy, cx, cy)


def _from_colmap(words: list[str], lines: list[str], height: int, width: int) -> Perspective:
    """COLMAP's cameras.txt: ID MODEL WIDTH HEIGHT PARAMETERS; pixel corners are counted."""
    if len(lines) > 1:
        raise ValueError(f"it lists {len(lines)} cameras; keep the line of the one that saw this map")
    model, numbers = words[1], [float(word) for word in words[4:]]
    _require_size(float(words[2]), float(words[3]), height, width)
    if model in ("SIMPLE_PINHOLE", "SIMPLE_RADIAL", "RADIAL") and len(numbers) >= 3:
        fx = fy = numbers[0]
        cx, cy, rest = numbers[1], numbers[2], numbers[3:]
    elif model in ("PINHOLE", "OPENCV", "FULL_OPENCV") and len(numbers) >= 4:
        fx, fy, cx, cy, *rest = numbers
    else:
        raise ValueError(f"its model {model} is not supported; undistort to PINHOLE")
    if any(abs(value) > 1e-9 for value in rest):
        raise ValueError(f"its model {model} has lens distortion; undistort the map first (to PINHOLE)")
    return Perspective(fx, fy, cx - 0.5, cy - 0.5)


def _require_size(w: float, h: float, height: int, width: int) -> None:
    if (w, h) != (width, height):
        raise ValueError(f"it is for {w:g} x {h:g} pixels but the map has {width} x {height}")


def _sentence(error: Exception) -> str:
    return f"it lacks {error}" if isinstance(error, KeyError) else str(error)
