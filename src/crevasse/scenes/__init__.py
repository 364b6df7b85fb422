"""Normal maps whose surfaces are known exactly, made by formulas: for tests, benchmarks, docs and the demo."""

from collections.abc import Callable
from functools import partial

from crevasse.scenes.degrade import add_noise, blur_normals, from_depth, quantise, turn_normals
from crevasse.scenes.image_processing import compress_normals, double_size, halve_size, median_normals
from crevasse.scenes.jumps import comb, disc, islands, relief, shingles, spiral, stairs
from crevasse.scenes.knowledge import measured_points, network_depth, relief_of, rgbd_depth, stereo_depth
from crevasse.scenes.photographs import Photographs, Studio, photograph
from crevasse.scenes.rendered import demo
from crevasse.scenes.scene import Scene
from crevasse.scenes.smooth import holes, planes, quadratic, regions, smooth, tilted
from crevasse.scenes.stereo import estimate_normals, estimated

SCENES: dict[str, Callable[..., Scene]] = {
    "planes": planes,
    "tilted": tilted,
    "quadratic": quadratic,
    "smooth": smooth,
    "holes": holes,
    "regions": regions,
    "stairs": stairs,
    "disc": disc,
    "islands": islands,
    "comb": comb,
    "comb-4": partial(comb, teeth=4),
    "comb-16": partial(comb, teeth=16),
    "spiral": spiral,
    "shingles": shingles,
    "relief": relief,
    "demo": demo,
}
"""The scenes by name; each function takes the size, the side of the square map in pixels."""

__all__ = [
    "SCENES",
    "Photographs",
    "Scene",
    "Studio",
    "add_noise",
    "blur_normals",
    "comb",
    "compress_normals",
    "demo",
    "disc",
    "double_size",
    "estimate_normals",
    "estimated",
    "from_depth",
    "halve_size",
    "holes",
    "islands",
    "measured_points",
    "median_normals",
    "network_depth",
    "photograph",
    "planes",
    "quadratic",
    "quantise",
    "regions",
    "relief",
    "relief_of",
    "rgbd_depth",
    "shingles",
    "smooth",
    "spiral",
    "stairs",
    "stereo_depth",
    "tilted",
    "turn_normals",
]
