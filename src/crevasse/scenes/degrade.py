"""Make an exact normal map worse in a known way."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from crevasse.scenes.scene import Scene


def add_noise(scene: Scene, sigma: float, seed: int = 0) -> Scene:
    """Gaussian noise of this standard deviation on both slopes of each pixel."""
    random = np.random.default_rng(seed)
    right, down = scene.camera.slopes(scene.normals, scene.mask).steepness()
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
