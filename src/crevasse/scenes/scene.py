"""A scene: a normal map whose surface is known exactly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array, Orthographic, Perspective

Mask = NDArray[np.bool_]
Complex = NDArray[np.complex128]
Surface = Callable[[Complex, Complex], Complex]
"""Depth as a function of position, f(u, v); must accept complex numbers, see `differentiate`."""


@dataclass(frozen=True, eq=False)
class Scene:
    """A normal map with its true depth.

    Attributes
    ----------
    name : str
    normals : (H, W, 3) array, exact unit normals, OpenGL frame, 0 outside the mask
    mask : (H, W) array of bool
    camera : the camera that sees it
    depth : (H, W) array, the truth, NaN outside the mask
    description : a sentence
    """

    name: str
    normals: Array
    mask: Mask
    camera: Orthographic | Perspective
    depth: Array
    description: str


def differentiate(surface: Surface, u: Array, v: Array) -> tuple[Array, Array, Array]:
    """Value of a function and its two derivatives, exact to rounding (complex steps: no cancellation).

    The function may branch on real parts only.

    >>> value, right, down = differentiate(lambda u, v: u * u * v, np.array(3.0), np.array(2.0))
    >>> float(value), float(right), float(down)
    (18.0, 12.0, 9.0)
    """
    step = 1e-30
    plain_u, plain_v = np.asarray(u, np.complex128), np.asarray(v, np.complex128)
    right = surface(np.asarray(u + 1j * step, np.complex128), plain_v)
    down = surface(plain_u, np.asarray(v + 1j * step, np.complex128))
    return right.real, right.imag / step, down.imag / step


def unit_square(size: int) -> tuple[Array, Array]:
    """Positions of the pixel centres of a square map: u to the right and v downwards, both from 0 to 1."""
    centres = (np.arange(size) + 0.5) / size
    u, v = np.meshgrid(centres, centres)
    return u, v


def orthographic_scene(
    name: str, surface: Surface, size: int, description: str, mask: Mask | None = None, pixel_size: float = 1.0
) -> Scene:
    """The scene of a surface over the unit square, seen along parallel rays."""
    if size < 2:
        raise ValueError(f"size is {size!r}; a scene needs at least 2 pixels a side")
    camera = Orthographic(pixel_size)
    value, right, down = differentiate(surface, *unit_square(size))
    return masked(
        Scene(name, camera.normals(right, down), _whole(size), camera, value * size * pixel_size, description), mask
    )


def masked(scene: Scene, mask: Mask | None) -> Scene:
    """The scene seen through a mask; None changes nothing."""
    if mask is None:
        return scene
    return replace(
        scene,
        normals=np.where(mask[..., None], scene.normals, 0.0),
        mask=mask,
        depth=np.where(mask, scene.depth, np.nan),
    )


def set_normals(scene: Scene, vectors: Array, remark: str) -> Scene:
    """The scene with other normals, given as vectors of any length, and a remark added to its description."""
    length = np.sqrt(np.square(vectors).sum(axis=-1, keepdims=True))
    normals = np.where(scene.mask[..., None], vectors / np.maximum(length, 1e-12), 0.0)
    return replace(scene, normals=normals, description=f"{scene.description} {remark}")


def _whole(size: int) -> Mask:
    return np.ones((size, size), bool)
