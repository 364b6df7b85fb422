"""Estimate normals from photographs by photometric stereo.

Least squares assumes that every pixel is matt and fully lit. Shadows, light from neighbouring surfaces and gloss
violate this over whole neighbourhoods, so the errors of such normals vary smoothly, unlike noise.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from crevasse.cameras import Array
from crevasse.scenes.photographs import Photographs, Studio, photograph
from crevasse.scenes.scene import Mask, Scene


def estimate_normals(photographs: Photographs, mask: Mask, trim: tuple[float, float] = (0.0, 0.0)) -> Array:
    """Normals (H, W, 3) by least squares from photographs of a matt surface; 0 outside the mask.

    Parameters
    ----------
    trim : shares of the photographs that each pixel leaves out, where it is darkest and where it is brightest
    """
    seen, lights = photographs.images[:, mask].T, photographs.lights
    low, high = round(trim[0] * len(lights)), len(lights) - round(trim[1] * len(lights))
    if high - low < 3:
        raise ValueError(f"trim is {trim!r}; at least three photographs must be left")
    rank = seen.argsort(axis=1).argsort(axis=1)
    kept = ((rank >= low) & (rank < high)).astype(float)
    outer = lights[:, :, None] * lights[:, None, :]
    normal = np.tensordot(kept, outer, 1) + 1e-9 * np.eye(3)
    found = np.linalg.solve(normal, ((kept * seen) @ lights)[..., None])[..., 0]
    length = np.linalg.norm(found, axis=-1, keepdims=True)
    normals = np.zeros((*mask.shape, 3))
    normals[mask] = np.where(length > 0, found / np.maximum(length, 1e-12), [0.0, 0.0, 1.0])
    return normals


def estimated(
    scene: Scene, studio: Studio | None = None, trim: tuple[float, float] = (0.0, 0.0), seed: int = 0
) -> Scene:
    """The scene with normals estimated from its photographs by least squares."""
    normals = estimate_normals(photograph(scene, studio, seed), scene.mask, trim)
    return replace(scene, normals=normals, description=f"{scene.description} Normals by photometric stereo.")
