"""A camera-based touch sensor: how deep a ball is pressed into the gel, in millimetres.

python examples/tactile_sensor.py
"""

import numpy as np

import crevasse

MILLIMETRES = 0.05  # a pixel on the gel
RADIUS, PRESSED = 60, 12.0  # radius of the ball, and how deep it is pressed in, in pixels

# The gel: flat, with the imprint of a ball in the middle. The camera looks from behind, so the imprint is nearer.
rows, columns = np.mgrid[-80:81, -80:81].astype(float)
inside = np.hypot(rows, columns) < np.sqrt(RADIUS**2 - (RADIUS - PRESSED) ** 2)
height = np.sqrt(np.maximum(RADIUS**2 - rows**2 - columns**2, 1))
normals = np.where(inside[..., None], np.stack([columns / height, -rows / height, np.ones_like(rows)], -1), [0, 0, 1])

result = crevasse.integrate(normals, camera=crevasse.Orthographic(pixel_size=MILLIMETRES))

# Set the zero: gel that is not touched is at depth 0.
depth = result.depth - np.median(result.depth[~inside])
print(f"pressed {-depth.min():.3f} mm")
