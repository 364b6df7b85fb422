"""The shortest way: a normal map in, depth and a mesh out.

python examples/one_call.py [FOLDER]
"""

import sys
from pathlib import Path

import crevasse
from crevasse import scenes
from crevasse.files import write_mesh

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
scene = scenes.demo(192)  # or crevasse.read_folder("scan"), crevasse.read_normals("bust.png")

result = crevasse.integrate(scene.normals, scene.mask, scene.camera)

write_mesh(folder / "mesh.ply", result.mesh())
(folder / "preview.png").write_bytes(crevasse.pictures.to_png(crevasse.pictures.preview(result)))
print(result.status)
pixel = crevasse.metrics.footprint(scene.depth, scene.camera)
print(f"error {crevasse.metrics.made(result.depth, scene.depth, scene.camera) / pixel:.3f} px")
