"""Built-in scenes as normal maps, as if they had been read from a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from crevasse.files.decode import Decoded
from crevasse.files.normal_map import NormalMap
from crevasse.files.pixels import Pixels


def scene_map(scene: Any) -> NormalMap:
    """The normal map of a scene of `crevasse.scenes`."""
    normals, mask = np.asarray(scene.normals, np.float64), np.asarray(scene.mask, bool)
    return NormalMap(
        normals=normals,
        mask=mask,
        camera=scene.camera,
        depth=scene.depth,
        name=scene.name,
        source=Path(scene.name),
        bits=64,
        encoding="floats",
        frame="opengl",
        warnings=(),
        pixels=Pixels(normals, 64, "scene"),
        decoded=Decoded(normals, mask, mask.astype(float), "floats", ()),
    )
