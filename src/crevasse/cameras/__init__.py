"""Cameras: the one place that knows axes, signs and units.

Normals are in the OpenGL frame (x right, y up, z towards the viewer); points are in the OpenCV frame (x right,
y down, z forward); pixel (row, column) has its centre at (row, column). The methods work on *heights*, the depth
in pixel units: depth / pixel_size for an orthographic camera, fx * log(depth) for a perspective one.
"""

from crevasse.cameras.describe import MODELS, from_dict
from crevasse.cameras.orthographic import Orthographic
from crevasse.cameras.perspective import Perspective
from crevasse.cameras.planes import MOST_RISE, PinholePlanes, Planes, corner_heights
from crevasse.cameras.protocol import Camera, Gauge
from crevasse.cameras.slopes import GRAZING, VERTICAL, Array, Real, Slopes

__all__ = [
    "GRAZING",
    "MODELS",
    "MOST_RISE",
    "VERTICAL",
    "Array",
    "Camera",
    "Gauge",
    "Orthographic",
    "Perspective",
    "PinholePlanes",
    "Planes",
    "Real",
    "Slopes",
    "corner_heights",
    "from_dict",
]
