"""Degrade an exact normal map in a known way."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy import ndimage

from crevasse.cameras import VERTICAL, Array
from crevasse.cameras.checks import require_finite, require_within
from crevasse.scenes.scene import Scene, set_normals

SIZES = (1e-6, 1e4)
"""Smallest and largest noise of slopes, blur and length in pixels that make sense, besides 0."""
ANGLES = (1e-3, 360.0)
"""The same of degrees by which normals may differ."""


def add_noise(scene: Scene, sigma: float, seed: int = 0) -> Scene:
    """Gaussian noise of this standard deviation on both slopes of each pixel."""
    _require_size("sigma", sigma)
    random = np.random.default_rng(seed)
    right, down = scene.camera.slopes(scene.normals, scene.mask).steepness(VERTICAL)
    noisy = (slope + sigma * random.standard_normal(slope.shape) for slope in (right, down))
    normals = np.where(scene.mask[..., None], scene.camera.normals(*noisy), 0.0)
    return replace(scene, normals=normals, description=f"{scene.description} Noise {sigma:g} on slopes.")


def quantise(scene: Scene, bits: int = 8) -> Scene:
    """Normals rounded as an integer image of this many bits stores them."""
    if not 2 <= bits <= 32:
        raise ValueError(f"bits is {bits!r}; give a number from 2 to 32")
    top = 2**bits - 1
    decoded = np.rint((scene.normals + 1) / 2 * top) / top * 2 - 1
    decoded /= np.sqrt(np.square(decoded).sum(axis=-1, keepdims=True))
    normals = np.where(scene.mask[..., None], decoded, 0.0)
    return replace(scene, normals=normals, description=f"{scene.description} Normals of {bits} bits.")


def from_depth(scene: Scene, cells: int = 1, central: bool = False) -> Scene:
    """The scene with normals computed by differences of its depth, also across jumps, as from a height field.

    Parameters
    ----------
    cells : cells of the height field per pixel; of every `cells` samples along each axis the first is kept
    central : central differences; else forward differences
    """
    if cells < 1:
        raise ValueError(f"cells is {cells!r}; give 1 or more")
    heights = scene.camera.to_heights(scene.depth)
    right, down = (_differences(heights, axis, central) for axis in (1, 0))
    known = scene.mask & np.isfinite(right) & np.isfinite(down)
    normals = scene.camera.normals(np.where(known, right, 0.0), np.where(known, down, 0.0))
    left = (slice(None, None, cells), slice(None, None, cells))
    return replace(
        scene,
        normals=np.where(known[..., None], normals, 0.0)[left],
        mask=known[left],
        depth=np.where(known, scene.depth, np.nan)[left],
        camera=scene.camera.scaled(cells, first=0),
        description=f"{scene.description} Normals made from depth, {cells} cells per pixel.",
    )


def _differences(heights: Array, axis: int, central: bool) -> Array:
    """Differences per pixel; NaN where a neighbour is unknown."""
    found = np.full(heights.shape, np.nan)
    steps, levels = np.moveaxis(found, axis, 0), np.moveaxis(heights, axis, 0)
    if central:
        steps[1:-1] = (levels[2:] - levels[:-2]) / 2
    else:
        steps[:-1] = levels[1:] - levels[:-1]
    return found


def blur_normals(scene: Scene, sigma: float, similar: float | None = None) -> Scene:
    """Normals averaged over a Gaussian window, as scaled images and networks do.

    Parameters
    ----------
    sigma : of the window in pixels
    similar : degrees by which normals may differ from a pixel's own and still count, for edges that are kept; None
        averages them all
    """
    _require_size("sigma", sigma)
    if similar is not None:
        require_finite("similar", similar)
        require_within("similar", similar, ANGLES, "give degrees")
    if sigma == 0:
        return scene
    reach = min(int(np.ceil(2.5 * sigma)), max(scene.mask.shape))
    sums = np.zeros_like(scene.normals)
    padded = np.pad(scene.normals, ((reach, reach), (reach, reach), (0, 0)))
    height, width = scene.mask.shape
    for y in range(-reach, reach + 1):
        for x in range(-reach, reach + 1):
            there = padded[reach + y : reach + y + height, reach + x : reach + x + width]
            weight = np.full((height, width, 1), np.exp(-(x * x + y * y) / (2 * sigma**2)))
            if similar is not None:
                apart = np.square(there - scene.normals).sum(axis=-1, keepdims=True)
                weight *= np.exp(-apart / (2 * np.radians(similar) ** 2))
            sums += weight * there
    return set_normals(scene, sums, f"Normals blurred by {sigma:g} px.")


def turn_normals(scene: Scene, degrees: float, length: float, seed: int = 0) -> Scene:
    """Normals turned by an angle that varies smoothly over the map: an error without any noise.

    Parameters
    ----------
    degrees : root mean square of the turn
    length : pixels over which it changes
    """
    require_finite("degrees", degrees)
    _require_size("length", length)
    random = np.random.default_rng(seed)
    turns = np.stack([_smooth_field(scene.mask.shape, length, random) for _ in range(2)])
    turns *= np.radians(degrees) / np.sqrt(np.square(turns).sum(axis=0).mean())
    right, down = scene.camera.slopes(scene.normals, scene.mask).steepness(VERTICAL)
    angles = (np.arctan(slope) + turn for slope, turn in zip((right, down), turns, strict=True))
    limit = np.pi / 2 - 0.03
    slopes = (np.tan(np.clip(angle, -limit, limit)) for angle in angles)
    turned = scene.camera.normals(*slopes)
    return set_normals(scene, turned, f"Normals turned by {degrees:g} degrees over {length:g} px.")


def _require_size(name: str, value: float) -> None:
    require_finite(name, value)
    if value != 0:
        require_within(name, value, SIZES, "give 0 or a number")


def _smooth_field(shape: tuple[int, ...], length: float, random: np.random.Generator) -> Array:
    field = ndimage.gaussian_filter(random.standard_normal(shape), length / 2, mode="reflect")
    return np.asarray(field / max(float(field.std()), 1e-12))
