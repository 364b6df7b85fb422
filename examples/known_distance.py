"""A person in perspective: camera from the field of view, size from one measured distance.

python examples/known_distance.py
"""

import numpy as np

import crevasse
from crevasse import scenes

scene = scenes.demo(160)

# Renderers of people often state only the field of view. Vertical, in degrees; the principal point is the middle.
camera = crevasse.Perspective.from_field_of_view(
    np.degrees(2 * np.arctan(160 / 2 / scene.camera.fy)), scene.mask.shape
)
result = crevasse.integrate(scene.normals, scene.mask, camera)

# A perspective depth is known up to a factor; one measured distance (here of the middle of the map) fixes it.
row, column = 80, 80
result = result.scaled(scene.depth[row, column] / result.depth[row, column], "m")
vertices = result.mesh().vertices  # the whole mesh grows with it, x and y too

print(f"distance {vertices[:, 2].min():.2f} to {vertices[:, 2].max():.2f} {result.unit}")
print(f"islands {result.island_count}")
