"""Scenes without jumps: planes, quadratics, smooth hills, masks with holes."""

from __future__ import annotations

import numpy as np

from crevasse.cameras import Perspective
from crevasse.scenes.scene import Complex, Mask, Scene, Surface, orthographic_scene, unit_square


def planes(size: int = 128) -> Scene:
    """Four planes that meet in creases between pixels; a method that is exact on planes is exact here."""

    def roof(u: Complex, v: Complex) -> Complex:
        return 0.3 * _fold(u - 0.5) - 0.2 * _fold(v - 0.5) + 0.1 * u

    return orthographic_scene("planes", roof, 2 * (size // 2), "Four planes joined by two creases.")


def tilted(size: int = 128) -> Scene:
    """One tilted plane, seen by a perspective camera."""
    camera = Perspective.from_field_of_view(40.0, (size, size))
    normal = np.array([0.35, -0.25, 0.9]) / np.linalg.norm([0.35, -0.25, 0.9])
    rows, columns = np.mgrid[:size, :size]
    rays = camera.points(rows, columns, 1.0) * [1.0, -1.0, -1.0]
    depth = 100.0 / (rays @ -normal)
    normals = np.broadcast_to(normal, (size, size, 3)).copy()
    return Scene("tilted", normals, np.ones((size, size), bool), camera, depth, "One plane in perspective.")


def quadratic(size: int = 128) -> Scene:
    """A saddle: trapezoid differences are exact on it."""

    def saddle(u: Complex, v: Complex) -> Complex:
        return 0.6 * (u - 0.4) ** 2 - 0.8 * (v - 0.5) ** 2 + 0.5 * u * v + 0.1 * u

    return orthographic_scene("quadratic", saddle, size, "A quadratic saddle.")


def smooth(size: int = 256) -> Scene:
    """Fourteen round hills and hollows."""
    return orthographic_scene("smooth", hills(), size, "A sum of 14 Gaussians, no jumps.")


def holes(size: int = 256) -> Scene:
    """The hills seen through a mask with one large hole, forty small ones and two slits."""
    return orthographic_scene(
        "holes",
        hills(),
        size,
        "Smooth hills; the mask has a large hole, 40 small ones and two slits.",
        hole_mask(size),
    )


def regions(size: int = 128) -> Scene:
    """Hills seen through three windows that do not touch: the offset between them is free."""
    u, v = unit_square(size)
    mask = ((u < 0.45) & (v < 0.6)) | ((u > 0.52) & (v < 0.4)) | ((u - 0.7) ** 2 + (v - 0.75) ** 2 < 0.04)
    return orthographic_scene("regions", hills(), size, "Smooth hills in three separate regions.", mask)


def hills(seed: int = 14, count: int = 14) -> Surface:
    """A sum of Gaussians over the unit square."""
    random = np.random.default_rng(seed)
    centres = random.uniform(0.05, 0.95, (count, 2))
    widths = random.uniform(0.06, 0.22, count)
    heights = random.uniform(-1.0, 1.0, count) * widths

    def surface(u: Complex, v: Complex) -> Complex:
        total = 0.1 * u
        for (x, y), width, height in zip(centres, widths, heights, strict=True):
            total = total + height * np.exp(-((u - x) ** 2 + (v - y) ** 2) / (2 * width**2))
        return total

    return surface


def hole_mask(size: int, seed: int = 3) -> Mask:
    """An ellipse with one large hole, forty small ones and two slits."""
    u, v = unit_square(size)
    mask = ((u - 0.5) / 0.46) ** 2 + ((v - 0.5) / 0.42) ** 2 < 1
    mask &= (u - 0.36) ** 2 + (v - 0.42) ** 2 > 0.0144
    random = np.random.default_rng(seed)
    for x, y, radius in zip(*random.uniform([0.1] * 2 + [0.006], [0.9] * 2 + [0.022], (40, 3)).T, strict=True):
        mask &= (u - x) ** 2 + (v - y) ** 2 > radius**2
    slit = (np.abs(u - 0.62 - 0.3 * (v - 0.5)) < 1.5 / size) & (np.abs(v - 0.5) < 0.28)
    return mask & ~slit & ~((np.abs(v - 0.72) < 1.0 / size) & (np.abs(u - 0.4) < 0.15))


def _fold(x: Complex) -> Complex:
    return np.where(x.real > 0, x, -x)
