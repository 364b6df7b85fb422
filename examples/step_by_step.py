"""A run under your own control: progress, an early stop, and an animation.

python examples/step_by_step.py [FOLDER]
"""

import sys
from pathlib import Path

import crevasse
from crevasse import scenes

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
scene = scenes.disc(96)
film = crevasse.pictures.Film(size=160)

for state in film.watch(crevasse.iterate(scene.normals, scene.mask, scene.camera)):
    if state.iteration % 20 == 0:
        print(f"{state.iteration} of {state.total}: energy {state.energy:.4g}")
    if state.start == 1:  # one start is enough here; without this test the run continues to its end
        break

result = state.result()
print(f"stopped after {state.iteration} iterations: {result.status}")
(folder / "animation.webp").write_bytes(film.encode("webp"))
