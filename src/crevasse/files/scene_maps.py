"""Wrap built-in scenes and arrays as `NormalMap`s, as if they had been read from a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Orthographic
from crevasse.files.decode import Decoded
from crevasse.files.map_folder import UNKNOWN_UNIT
from crevasse.files.normal_map import NormalMap
from crevasse.files.pixels import Pixels
from crevasse.validate import check_normals


def scene_map(scene: Any) -> NormalMap:
    """The normal map of a scene of `crevasse.scenes`."""
    return _as_map(np.asarray(scene.normals, np.float64), np.asarray(scene.mask, bool), scene, scene.name)


def array_map(normals: NDArray[Any]) -> NormalMap:
    """The normal map of an (H, W, 3) array along parallel rays."""
    vectors = check_normals(normals).astype(np.float64)
    mask = np.asarray(np.isfinite(vectors).all(axis=-1) & vectors.any(axis=-1))
    return _as_map(vectors, mask, None, "map")


def _as_map(normals: NDArray[np.float64], mask: NDArray[np.bool_], scene: Any, name: str) -> NormalMap:
    camera = Orthographic() if scene is None else scene.camera
    return NormalMap(
        normals=normals,
        mask=mask,
        camera=camera,
        depth=None if scene is None else scene.depth,
        name=name,
        source=Path(name),
        bits=64,
        encoding="floats",
        frame="opengl",
        warnings=(),
        pixels=Pixels(normals, 64, "scene"),
        decoded=Decoded(normals, mask, mask.astype(float), "floats", ()),
        truth_unit="px" if camera.gauge == "offset" else UNKNOWN_UNIT,
    )
