"""How far the true depth of DiLiGenT shows its objects in another pose than their normals do.

The pose is a rigid motion of the true depth after which its normals are those of the map, fitted to the map and the
truth alone. A motion that takes a point X to X + w x (X - c) + t changes, to first order, the depth along the ray r
of a pixel with normal n by n . (w x (X - c) + t) / (n . r). That fails at contours, where n and r are at right
angles: pixels with a cosine below CONTOUR have no part in any error of a row.

The shift along the view is fitted with the rest but not applied. It is all but the scale, which is free, and all but
without effect on normals; what is found of it is mostly that differences of neighbours flatten a surface.

`floor` is the error of the moved truth against the given one, `made` that of a method against the given truth and
`moved` that of the method against the moved truth; `turn` is the size of the rotation and `spread` how far, at most,
that of the upper, lower, left or right half alone is from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from cached_runs import start
from cases import Case
from numpy.typing import NDArray
from record import write_record
from scipy import ndimage
from shading import vertex_normals
from trials import METHODS, OBJECTS, PRINTED, group, log, short

from crevasse import integrate
from crevasse.cameras import Array
from crevasse.metrics import made
from crevasse.scenes import Scene

CONTOUR = 0.1
"""Smallest cosine towards the ray of pixels whose depth can be moved."""
OBLIQUE = 0.4
"""Smallest cosine of pixels that a motion is fitted to."""
BEND = 0.1
"""Largest spread of each component of the normals around them, 3 x 3, on the map and on the truth."""
MARGIN = 3
"""Pixels between them and the end of the mask."""
ROUNDS = 6
"""Fits, each with weights from the residuals of the one before."""
STEP = 1e-5
"""Part of a radian, and of the depth, by which derivatives are taken."""
ALONG_VIEW = 5
SHOWN = {"graduated": "", "BiNI": "BiNI_"}
"""Methods, and what the names of their errors begin with."""

Pixels = NDArray[np.bool_]


def facing(scene: Scene) -> tuple[Array, Array, Array]:
    """Rays of depth 1, normals in the frame of points, and the cosines between both, positive towards the viewer."""
    rows, columns = np.indices(scene.mask.shape)
    ray = scene.camera.points(rows, columns, np.ones(scene.mask.shape))
    normals = scene.normals * [1.0, -1.0, -1.0]
    cosine: Array = -(normals * ray).sum(axis=-1) / np.sqrt(np.square(ray).sum(axis=-1))
    return ray, normals, cosine


def depth_changes(scene: Scene) -> Array:
    """Changes of the true depth, (6, H, W): by turns about its middle per radian, then by shifts; NaN at contours."""
    ray, normals, cosine = facing(scene)
    movable = scene.mask & np.isfinite(scene.depth) & (cosine >= CONTOUR)
    lever = ray * scene.depth[..., None]
    lever -= np.median(lever[movable], axis=0)
    axes = np.eye(3)
    ways = [np.cross(axis, lever) for axis in axes] + [np.broadcast_to(axis, lever.shape) for axis in axes]
    with np.errstate(invalid="ignore", divide="ignore"):
        changes = [(normals * way).sum(axis=-1) / (normals * ray).sum(axis=-1) for way in ways]
    return np.where(movable, changes, np.nan)


def moved(scene: Scene, motion: Array) -> Array:
    """The true depth after a motion but for its shift along the view; NaN at contours."""
    across = np.where(np.arange(6) == ALONG_VIEW, 0.0, motion)
    return scene.depth + np.tensordot(across, depth_changes(scene), axes=1)


def smooth_pixels(scene: Scene) -> Pixels:
    """Pixels inside the mask with a smooth surface around them that is not oblique, on the map and on the truth."""
    _, normals, cosine = facing(scene)
    chosen: Pixels = ndimage.binary_erosion(scene.mask, np.ones((3, 3)), iterations=MARGIN) & (cosine >= OBLIQUE)
    for field in (normals, vertex_normals(scene.depth, scene.camera)):
        spread = [
            ndimage.maximum_filter(part, 3) - ndimage.minimum_filter(part, 3) for part in np.moveaxis(field, -1, 0)
        ]
        chosen &= np.nan_to_num(np.max(spread, axis=0), nan=np.inf) <= BEND
    return chosen


def fit_motion(scene: Scene, pixels: Pixels) -> Array:
    """Turn in radians and shift in units of depth after which the normals of the truth are those of the map."""
    changes, motion = depth_changes(scene), np.zeros(6)
    pixels = pixels & np.isfinite(vertex_normals(scene.depth + changes[0], scene.camera)).all(axis=-1)
    wanted = facing(scene)[1][pixels]

    def normals_after(motion: Array) -> Array:
        return vertex_normals(scene.depth + np.tensordot(motion, changes, axes=1), scene.camera)[pixels]

    steps = np.diag(np.repeat([STEP, STEP * np.median(scene.depth[pixels])], 3))
    still = normals_after(motion)
    slopes = np.stack([(normals_after(step) - still) / step.sum() for step in steps], axis=-1)
    for _ in range(ROUNDS):
        missing = wanted - normals_after(motion)
        size = np.sqrt(np.square(missing).sum(axis=-1))
        weights = 1 / np.hypot(1, size / (2 * np.median(size)))
        system, right = slopes * weights[:, None, None], missing * weights[:, None]
        motion = motion + np.linalg.lstsq(system.reshape(-1, 6), right.ravel(), rcond=None)[0]
    return motion


def halves(pixels: Pixels) -> Iterator[Pixels]:
    """The upper, lower, left and right half of some pixels."""
    rows, columns = np.indices(pixels.shape)
    for place in (rows, columns):
        before = place < np.median(place[pixels])
        yield pixels & before
        yield pixels & ~before


def errors(scene: Scene, other: Array) -> Iterator[tuple[str, float]]:
    """Those of the moved truth and the methods, where the truth could be moved; by names."""
    truth = np.where(np.isfinite(other), scene.depth, np.nan)
    yield "floor", made(other, truth, scene.camera)
    for name, prefix in SHOWN.items():
        depth = integrate(scene.normals, scene.mask, scene.camera, METHODS[name]).depth
        yield f"{prefix}made", made(depth, truth, scene.camera)
        yield f"{prefix}moved", made(depth, other, scene.camera)


def row_of(case: Case) -> dict[str, Any]:
    scene, pixels, name = case.scene, smooth_pixels(case.scene), short(case)
    motion = fit_motion(scene, pixels)
    other, turn = moved(scene, motion), motion[:3]
    row = {
        "object": name,
        "turn_mrad": float(1e3 * np.linalg.norm(turn)),
        "spread_mrad": float(
            1e3 * max(np.linalg.norm(fit_motion(scene, half)[:3] - turn) for half in halves(pixels))
        ),
        **dict(errors(scene, other)),
        "BiNI_printed": PRINTED["BiNI, printed"][OBJECTS.index(name)],
    }
    log(f"{name:8s} " + "  ".join(f"{key} {value:.4f}" for key, value in row.items() if key != "object"))
    turned = dict(zip(("right_mrad", "down_mrad", "forward_mrad"), (1e3 * turn).tolist(), strict=True))
    shifted = dict(zip(("shift_right", "shift_down"), motion[3:ALONG_VIEW].tolist(), strict=True))
    left_out = int((scene.mask & ~np.isfinite(other)).sum())
    return {**row, **turned, **shifted, "fitted_pixels": int(pixels.sum()), "left_out": left_out}


def main() -> None:
    write_record("pose", [row_of(case) for case in group("diligent")])


if __name__ == "__main__":
    start(main)
