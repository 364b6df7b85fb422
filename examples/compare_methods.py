"""Four methods on one map whose true depth is known, on one sheet.

python examples/compare_methods.py [FOLDER]
"""

import sys
from pathlib import Path

import crevasse
from crevasse import pictures, scenes

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
scene = scenes.relief(128)
methods = {
    "Poisson": crevasse.Poisson(),
    "BiNI": crevasse.Bilateral(),
    "auxiliary edges": crevasse.AuxiliaryEdges(iterations=40),
    "crevasse": crevasse.Graduated(),
}

results = {
    title: crevasse.integrate(scene.normals, scene.mask, scene.camera, method) for title, method in methods.items()
}

for title, result in results.items():
    print(f"{title:>16}  {crevasse.metrics.made(result.depth, scene.depth, scene.camera):.3f} px")
(folder / "sheet.png").write_bytes(pictures.to_png(pictures.sheet(results, scene.depth)))
