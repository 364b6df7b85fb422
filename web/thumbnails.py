"""Draws the small pictures of the examples that the page shows; run it after an example has changed."""

from pathlib import Path

import numpy as np

from crevasse.files.depth_files import write_image
from crevasse.scenes import SCENES
from crevasse.web.describe import EXAMPLES

SIDE = 96
folder = Path(__file__).parent / "public" / "examples"
folder.mkdir(parents=True, exist_ok=True)
for name in EXAMPLES:
    scene = SCENES[name](2 * SIDE)
    light = np.clip(scene.normals @ np.array([-0.45, 0.55, 0.7]), 0, 1)
    tint = 0.55 * (scene.normals * 0.5 + 0.5) + 0.45 * light[..., None]
    picture = np.dstack([np.where(scene.mask[..., None], tint, 0), scene.mask])
    small = picture.reshape(SIDE, 2, SIDE, 2, 4).mean(axis=(1, 3))
    write_image(folder / f"{name}.png", (np.clip(small, 0, 1) * 255).astype(np.uint8), {})
