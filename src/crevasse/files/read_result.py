"""Read depth maps that `crevasse integrate` or another program wrote."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Orthographic, Perspective
from crevasse.files.arrays import to_doubles
from crevasse.files.camera_files import read_camera, read_text
from crevasse.files.errors import BadInput, BadOutput
from crevasse.files.result_folder import COMPLETE, claimed
from crevasse.files.samples import read_pixels

NAMES = ("depth.npy", "depth.tif", "depth.exr", "depth_gt.npz")


@dataclass(frozen=True, eq=False)
class DepthMap:
    """A depth map (H, W), NaN outside, with the camera that it was made for."""

    depth: NDArray[np.float64] = field(repr=False)
    camera: Orthographic | Perspective
    name: str


def read_result(path: str | Path, max_memory: int | None = None) -> DepthMap:
    """Read the depth of a result's folder, or a depth file; result.json or K.txt beside it tells the camera."""
    place = Path(path)
    if not place.exists():
        raise BadInput(f"{place} does not exist; give the folder that crevasse integrate wrote, or a depth file")
    source = place
    if place.is_dir():
        _finish(place)
        source = next((place / name for name in NAMES if (place / name).exists()), place)
    if source.is_dir():
        raise BadInput(f"{place} holds no {', '.join(NAMES)}; give the folder that crevasse integrate wrote")
    values = read_pixels(source, max_memory, "depth").values[..., 0]
    if values.dtype.kind != "f":
        raise BadInput(f"{source} holds whole numbers, not depths; give depth.npy or depth.tif")
    depth = to_doubles(np.where(np.isfinite(values), values, np.nan))
    camera = _read_camera(source.parent, depth.shape)
    if isinstance(camera, Perspective):
        depth = np.where(depth > 0, depth, np.nan)
    if not np.isfinite(depth).any():
        raise BadInput(f"{source} holds no finite depth")
    return DepthMap(depth, camera, place.resolve().name)


def _finish(folder: Path) -> None:
    """Finish moving a complete result into place if its writer was killed."""
    if (folder / COMPLETE).is_dir():
        with suppress(BadOutput), claimed(folder, [], overwrite=True):
            pass


def _read_camera(folder: Path, shape: tuple[int, ...]) -> Orthographic | Perspective:
    if not (folder / "result.json").exists():
        return _camera_beside(folder, shape)
    try:
        settings = json.loads(read_text(folder / "result.json"))["camera"]
        model = settings.pop("model")
        return Perspective(**settings) if model == "perspective" else Orthographic(**settings)
    except (ValueError, TypeError, KeyError, AttributeError, OSError, RecursionError):
        raise BadInput(
            f"{folder / 'result.json'} does not say which camera was used; remove it to go on without"
        ) from None


def _camera_beside(folder: Path, shape: tuple[int, ...]) -> Orthographic | Perspective:
    if (folder / "K.txt").exists():
        return read_camera(folder / "K.txt", shape[0], shape[1])
    return Orthographic()
