"""From photographs under known lights to a mesh: photometric stereo, then integration.

The photographs are computed here; put your own (H, W) grey images and (K, 3) light directions in their place.

    python examples/photometric_stereo.py [FOLDER]
"""

import sys
from pathlib import Path

import numpy as np

import crevasse
from crevasse import scenes
from crevasse.files import write_mesh

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
scene = scenes.demo(160)

# Twelve lights on a ring around the viewer; x right, y up, z towards the viewer, like the normals.
angles = np.linspace(0, 2 * np.pi, 12, endpoint=False)
lights = np.stack([0.5 * np.cos(angles), 0.5 * np.sin(angles), np.full(12, 0.866)], axis=1)
photographs = np.maximum(scene.normals @ lights.T, 0) * 0.8  # (H, W, 12), albedo 0.8

# Least squares over the lights that reach the pixel: brightness = albedo * (light . normal).
lit = photographs > 0.02
normals = np.zeros_like(scene.normals)
for row, column in zip(*np.nonzero(scene.mask & (lit.sum(axis=2) >= 3)), strict=True):
    seen = lit[row, column]
    normals[row, column] = np.linalg.lstsq(lights[seen], photographs[row, column, seen], rcond=None)[0]

result = crevasse.integrate(normals, camera=scene.camera)  # vectors need not be of unit length; zeros are outside

write_mesh(folder / "mesh.glb", result.mesh())
pixel = crevasse.metrics.footprint(scene.depth, scene.camera)
print(f"error {crevasse.metrics.made(result.depth, scene.depth, scene.camera) / pixel:.3f} px")
