"""Small scenes, their mirror images and transposes, exact planes and random masks, for properties of all methods."""

import numpy as np

from crevasse import scenes
from crevasse.cameras import Orthographic, Perspective
from crevasse.scenes.scene import masked


def plane(camera, shape, right, down):
    """Normals and depth of a plane through the middle of the view."""
    rows, columns = np.mgrid[: shape[0], : shape[1]]
    normal = np.array([right, -down, 1.0])
    if isinstance(camera, Orthographic):
        return np.broadcast_to(normal, (*shape, 3)), right * columns + down * rows
    rays = camera.points(rows, columns, 1.0)
    facing = rays @ np.array([-right, -down, 1.0])
    return np.broadcast_to(normal, (*shape, 3)), 10 / facing


def random_mask(shape, seed):
    """A mask with holes whose largest part is kept."""
    from crevasse.lattice import label_islands, pairs

    mask = np.random.default_rng(seed).random(shape) < 0.8
    none = tuple(np.zeros(side.shape, bool) for side in pairs(mask))
    return label_islands(mask, none) == 1


def mirrored(scene):
    """The scene seen in a mirror beside it."""
    camera = scene.camera
    if isinstance(camera, Perspective):
        camera = Perspective(camera.fx, camera.fy, scene.mask.shape[1] - 1 - camera.cx, camera.cy)
    normals = scene.normals[:, ::-1] * [-1, 1, 1]
    return scenes.Scene("mirrored", normals, scene.mask[:, ::-1], camera, scene.depth[:, ::-1], "")


def upside_down(scene):
    camera = scene.camera
    if isinstance(camera, Perspective):
        camera = Perspective(camera.fx, camera.fy, camera.cx, scene.mask.shape[0] - 1 - camera.cy)
    normals = scene.normals[::-1] * [1, -1, 1]
    return scenes.Scene("upside down", normals, scene.mask[::-1], camera, scene.depth[::-1], "")


def transposed(scene):
    camera = scene.camera
    if isinstance(camera, Perspective):
        camera = Perspective(camera.fy, camera.fx, camera.cy, camera.cx)
    normals = scene.normals.transpose(1, 0, 2)[..., [1, 0, 2]] * [-1, -1, 1]
    return scenes.Scene("transposed", normals, scene.mask.T, camera, scene.depth.T, "")


def in_perspective(scene):
    """A surface with the same heights, seen by a perspective camera a little beside its middle."""
    size = scene.mask.shape[0]
    camera = Perspective(4.0 * size, 4.0 * size, 0.4 * size, 0.55 * size)
    normals = camera.normals(*scene.camera.slopes(scene.normals, scene.mask).steepness())
    normals[~scene.mask] = 0.0
    return scenes.Scene("perspective", normals, scene.mask, camera, camera.to_depth(scene.depth), "")


# A little noise, since on exact data the weights go to their limits and magnify rounding.
SAMPLES = {
    "stairs": scenes.add_noise(scenes.stairs(36), 0.01),
    "holes": scenes.holes(40),
    "perspective": in_perspective(masked(scenes.add_noise(scenes.disc(60), 0.01), scenes.holes(60).mask)),
    "relief": scenes.add_noise(scenes.relief(36), 0.05),
}
