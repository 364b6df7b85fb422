"""Photographs of a scene under distant lights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from crevasse.cameras import Array
from crevasse.methods.settings import check_settings
from crevasse.scenes.scene import Scene

STEP = 1.18
"""Ratio of successive steps along a ray of light."""
DEEP = 1.0
"""A ray of light is blocked where it lies this many pixels behind the surface."""
PATCHES = 900
"""Number of patches that exchange light."""
DARK = 0.002
"""Read noise relative to a saturated pixel, on top of that of the last bit."""


@dataclass(frozen=True)
class Studio:
    """How photographs are taken, and what the surface is made of.

    Attributes
    ----------
    lights : number of distant lights, spread evenly over a cap around the camera's axis
    spread : degrees from the axis to the outermost lights
    shadows : whether surfaces shade others, besides turning away from a light
    bounce : share of the light from neighbouring surfaces, over what an opaque scene would exchange; 0 for none
    gloss : brightness of the highlight relative to a matt surface of the mean albedo; 0 for none
    shine : exponent of the highlight
    variation : relative standard deviation of the albedo, which varies in spots of all sizes
    bits : of a pixel of the sensor
    """

    lights: int = 48
    spread: float = 50.0
    shadows: bool = True
    bounce: float = 1.0
    gloss: float = 0.1
    shine: float = 20.0
    variation: float = 0.3
    bits: int = 12

    def __post_init__(self) -> None:
        # Three unknowns of a pixel need at least four lights.
        check_settings(
            self,
            lights=(4, 10_000),
            spread=(1e-3, 89.999),
            bounce=(0, 1e3),
            gloss=(0, 1e3),
            shine=(0, 1e6),
            variation=(0, 1e3),
            bits=(2, 32),
        )


class Photographs(NamedTuple):
    """Photographs from one camera, each under one light."""

    images: Array
    """(lights, H, W), from 0 to 1."""
    lights: Array
    """(lights, 3) unit vectors towards the lights, OpenGL frame."""


def photograph(scene: Scene, studio: Studio | None = None, seed: int = 0) -> Photographs:
    """Photographs of a scene: attached and cast shadows, one bounce of light, highlights, albedo, sensor noise."""
    studio = Studio() if studio is None else studio
    if not isinstance(studio, Studio):
        raise ValueError(f"studio is {studio!r:.80}; give a crevasse.scenes.Studio, or None")
    random = np.random.default_rng(seed)
    lights = _cap(studio.lights, studio.spread)
    surface = _Surface.of(scene)
    albedo = _albedo(scene.mask.shape, studio.variation, random)[scene.mask]
    facing = np.maximum(surface.normals @ lights.T, 0.0).T
    if studio.shadows:
        facing *= np.stack([_lit(scene, surface, light) for light in lights])
    bright = albedo * (facing + studio.bounce * _bounced(scene, surface, albedo, facing))
    halfway = lights + surface.views[:, None]
    halfway /= np.linalg.norm(halfway, axis=-1, keepdims=True)
    mirrored = np.maximum(np.einsum("pc,plc->lp", surface.normals, halfway), 0.0) ** studio.shine
    bright += studio.gloss * (facing > 0) * mirrored
    images = np.zeros((studio.lights, *scene.mask.shape))
    images[:, scene.mask] = _sense(bright, studio.bits, random)
    return Photographs(images, lights)


class _Surface(NamedTuple):
    """The pixels of a scene, in the OpenGL frame and in footprints: (pixels, 3) each."""

    points: Array
    normals: Array
    views: Array
    """Towards the camera."""

    @classmethod
    def of(cls, scene: Scene) -> _Surface:
        rows, columns = np.nonzero(scene.mask)
        points = scene.camera.points(rows, columns, scene.depth[scene.mask]) * [1.0, -1.0, -1.0]
        rays = np.subtract(*(scene.camera.points(rows, columns, depth) for depth in (1.0, 2.0))) * [1.0, -1.0, -1.0]
        views = rays / np.linalg.norm(rays, axis=-1, keepdims=True)
        return cls(points / _footprint(scene), scene.normals[scene.mask], views)


def _footprint(scene: Scene) -> float:
    return scene.camera.footprint(float(np.nanmedian(scene.depth)))


def _cap(count: int, spread: float) -> Array:
    """Directions spread evenly over a cap around the axis (Fibonacci's spiral)."""
    number = np.arange(count) + 0.5
    z = 1 - number / count * (1 - np.cos(np.radians(spread)))
    turn = number * np.pi * (3 - np.sqrt(5))
    out = np.sqrt(1 - z * z)
    return np.stack([out * np.cos(turn), out * np.sin(turn), z], axis=-1)


def _lit(scene: Scene, surface: _Surface, light: Array) -> NDArray[np.bool_]:
    """Pixels that a light reaches: rays are traced over the depth map, which counts as solid behind its surface."""
    unit = _footprint(scene)
    first, beside, below = (scene.camera.points(row, column, 1.0) for row, column in ((0, 0), (0, 1), (1, 0)))
    lit = np.ones(len(surface.points), bool)
    going, step = np.arange(len(lit)), 1.5
    while step < np.hypot(*scene.mask.shape) and going.size:
        x, y, depth = ((surface.points[going] + step * light) * [unit, -unit, -unit]).T
        near = np.where(scene.camera.gauge == "scale", np.maximum(depth, 1e-9), 1.0)
        columns = np.rint((x / near - first[0]) / (beside[0] - first[0])).astype(int)
        rows = np.rint((y / near - first[1]) / (below[1] - first[1])).astype(int)
        inside = (columns >= 0) & (rows >= 0) & (rows < scene.mask.shape[0]) & (columns < scene.mask.shape[1])
        going, rows, columns, depth = going[inside], rows[inside], columns[inside], depth[inside]
        hidden = depth - DEEP * unit > scene.depth[rows, columns]
        lit[going[hidden]] = False
        going, step = going[~hidden], step * STEP
    return lit


def _bounced(scene: Scene, surface: _Surface, albedo: Array, direct: Array) -> Array:
    """Light that reaches each pixel from matt neighbours, per light: exchanged by patches, then interpolated."""
    block = max(1, int(np.ceil(np.sqrt(len(albedo) / PATCHES))))
    rows, columns = np.nonzero(scene.mask)
    across = -(-scene.mask.shape[1] // block)
    patch, index, count = np.unique(
        rows // block * across + columns // block, return_inverse=True, return_counts=True
    )

    def mean(values: Array) -> Array:
        return np.stack([np.bincount(index, column) / count for column in values], axis=-1)

    points, normals = mean(surface.points.T), mean(surface.normals.T)
    normals /= np.maximum(np.linalg.norm(normals, axis=-1, keepdims=True), 1e-9)
    area = count / np.maximum(np.einsum("pc,pc->p", normals, mean(surface.views.T)), 0.1)
    way = points[None] - points[:, None]
    square = np.maximum(np.square(way).sum(axis=-1), block**2)
    here, there = np.einsum("ijc,ic->ij", way, normals), -np.einsum("ijc,jc->ij", way, normals)
    form = np.maximum(here, 0) * np.maximum(there, 0) / (np.pi * square**2) * area
    form /= np.maximum(form.sum(axis=1, keepdims=True), 1.0)
    received = form @ mean(albedo * direct)
    grid = np.zeros((direct.shape[0] + 1, -(-scene.mask.shape[0] // block), across))
    grid[1:].reshape(direct.shape[0], -1)[:, patch] = received.T
    grid[0].flat[patch] = 1.0
    where = (rows + 0.5) / block - 0.5, (columns + 0.5) / block - 0.5
    spread = [ndimage.map_coordinates(level, where, order=1, mode="nearest") for level in grid]
    return np.asarray(np.stack(spread[1:]) / np.maximum(spread[0], 1e-9))


def _albedo(shape: tuple[int, ...], variation: float, random: np.random.Generator) -> Array:
    """Spots of all sizes, and patches with sharp borders; mean 0.6."""
    spots = np.zeros(shape)
    for sigma in (2, 6, 18):
        layer = ndimage.gaussian_filter(random.standard_normal(shape), sigma, mode="wrap")
        spots += layer / layer.std()
    patches = ndimage.gaussian_filter(random.standard_normal(shape), 12, mode="wrap") > 0
    field = spots / np.sqrt(3) + np.where(patches, 1.0, -1.0)
    return np.asarray(np.clip(0.6 * (1 + variation / np.sqrt(2) * field), 0.05, 1.0))


def _sense(bright: Array, bits: int, random: np.random.Generator) -> Array:
    """What a sensor reads: exposed so that few pixels saturate, with noise, in steps of the last bit."""
    exposed = bright / np.quantile(bright, 0.999)
    top = 2**bits - 1
    noise = np.hypot(DARK, 0.5 / top) * random.standard_normal(bright.shape)
    return np.asarray(np.rint(np.clip(exposed + noise, 0, 1) * top) / top)
