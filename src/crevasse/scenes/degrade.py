"""Degrade an exact normal map in a known way."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from crevasse.cameras import VERTICAL, Array
from crevasse.scenes.scene import Scene


def add_noise(scene: Scene, sigma: float, seed: int = 0) -> Scene:
    """Gaussian noise of this standard deviation on both slopes of each pixel."""
    random = np.random.default_rng(seed)
    right, down = scene.camera.slopes(scene.normals, scene.mask).steepness(VERTICAL)
    noisy = (slope + sigma * random.standard_normal(slope.shape) for slope in (right, down))
    normals = np.where(scene.mask[..., None], scene.camera.normals(*noisy), 0.0)
    return replace(scene, normals=normals, description=f"{scene.description} Noise {sigma:g} on slopes.")


def quantise(scene: Scene, bits: int = 8) -> Scene:
    """Normals as an integer image of this many bits holds them, decoded again."""
    if not 2 <= bits <= 32:
        raise ValueError(f"bits is {bits!r}; give a number from 2 to 32")
    top = 2**bits - 1
    decoded = np.rint((scene.normals + 1) / 2 * top) / top * 2 - 1
    decoded /= np.sqrt(np.square(decoded).sum(axis=-1, keepdims=True))
    normals = np.where(scene.mask[..., None], decoded, 0.0)
    return replace(scene, normals=normals, description=f"{scene.description} Normals of {bits} bits.")


def from_depth(scene: Scene, cells: int = 1, central: bool = False) -> Scene:
    """The scene as a height field shows it: its normals are differences of its own depth, also across jumps.

    Parameters
    ----------
    cells : cells of the height field per pixel: of this many pixels in each direction only the first is kept
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
