"""Small maps and masks that several tests share."""

from pathlib import Path

import numpy as np

from crevasse.files.depth_files import write_image
from crevasse.scenes import SCENES


def ball(side=64):
    """Normals and mask of a bent ball: silhouettes to all sides, curvatures of all kinds."""
    radius, step = 0.45 * side, 1e-5

    def height(rows, columns):
        y, x = (rows - (side - 1) / 2) / radius, (columns - (side - 1) / 2) / radius
        x, y = x + 0.12 * np.sin(3 * y), y + 0.1 * np.sin(2 * x + 1)
        return 1 - x * x - y * y

    rows, columns = np.mgrid[:side, :side].astype(float)
    mask = height(rows, columns) > 0.02

    def surface(rows, columns):
        return radius * np.sqrt(np.maximum(height(rows, columns), 1e-9))

    right = (surface(rows, columns + step) - surface(rows, columns - step)) / (2 * step)
    up = (surface(rows - step, columns) - surface(rows + step, columns)) / (2 * step)
    normals = np.stack([-right, -up, np.ones_like(up)], axis=-1)
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    return normals * mask[..., None], mask


def scattered_scenes(side=44, shape=(420, 380)):
    """Normals and mask of small scenes with jumps, far apart."""
    normals, mask = np.zeros((*shape, 3)), np.zeros(shape, bool)
    for k, (top, left) in enumerate([(3, 300), (150, 20), (160, 250), (370, 7), (360, 330)]):
        scene = SCENES[("disc", "stairs", "holes", "smooth", "tilted")[k]](side)
        place = slice(top, top + side), slice(left, left + side)
        normals[place], mask[place] = scene.normals, scene.mask
    return normals, mask


def ring(side, width):
    """Mask of a ring that touches all borders."""
    rows, columns = np.mgrid[:side, :side] - (side - 1) / 2
    radius = np.hypot(rows, columns)
    return (radius < side / 2) & (radius > side / 2 - width)


def encode(normals, bits):
    """Normals as integer colours, (n + 1) / 2."""
    return np.rint((np.asarray(normals) + 1) / 2 * ((1 << bits) - 1)).astype(f"uint{bits}")


def write_folder(folder: Path, side=48, bits=16, camera=None, truth=False):
    """A folder in the field's layout; the normals in it."""
    folder.mkdir(parents=True)
    normals, mask = ball(side)
    write_image(folder / "normal_map.png", encode(normals, bits), {})
    write_image(folder / "mask.png", (mask[..., None] * 255).astype(np.uint8), {})
    if camera is not None:
        np.savetxt(folder / "K.txt", camera)
    if truth:
        v, u = np.mgrid[:side, :side]
        np.savez(folder / "depth_gt.npz", depth_gt=np.where(mask, 100.0 + u + v, np.nan))
    return normals
