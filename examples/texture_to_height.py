"""From a game texture (8-bit, DirectX green, tile of a wall) to a 16-bit height map.

python examples/texture_to_height.py [FOLDER]
"""

import sys
from pathlib import Path

import numpy as np

import crevasse
from crevasse import scenes
from crevasse.files.depth_files import write_picture
from crevasse.files.height_files import displacement, write_height

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")

# A texture such as an artist would hand over: y points down, eight bits a channel.
bumps = scenes.smooth(128)
write_picture(folder / "wall_normal.png", ((bumps.normals * [1, -1, 1] + 1) * 127.5 + 0.5).astype(np.uint8))

found = crevasse.read_normals(folder / "wall_normal.png")
print(f"frame {found.frame}")  # detected from the data
# Nothing in a texture hides anything else, so there are no jumps: plain least squares is fast and right.
result = crevasse.integrate(found.normals, found.mask, method=crevasse.Poisson())

write_height(folder, result, "png16")  # height.png, white is high; its description holds the scale
print(displacement(result))
print(f"error {crevasse.metrics.made(result.depth, bumps.depth, result.camera):.3f} px")
