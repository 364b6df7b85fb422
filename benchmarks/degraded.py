"""Errors of the default on degraded normals of DiLiGenT and the rendered scenes, in pixels."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from statistics import fmean, geometric_mean
from typing import Any

import numpy as np
from cached_runs import start
from cases import Case, measured
from numpy.typing import NDArray
from PIL import Image
from record import write_record
from scipy import ndimage
from trials import cached_errors, log

from crevasse import Graduated
from crevasse.cameras import Array
from crevasse.integration import measure_noise
from crevasse.scenes import Scene, add_noise, blur_normals, quantise

LARGEST_DOUBLED = 60_000
"""Pixels of a map that is still doubled in size."""
FLOOR = 0.01
"""Pixels added to errors before their geometric mean is taken: exact maps must not decide it."""


def with_normals(scene: Scene, vectors: Array) -> Scene:
    length = np.sqrt(np.square(vectors).sum(axis=-1, keepdims=True))
    return replace(scene, normals=np.where(scene.mask[..., None], vectors / np.maximum(length, 1e-9), 0.0))


def as_jpeg(scene: Scene, quality: int) -> Scene:
    """Normals as a JPEG image of full chroma resolution stores them."""
    flat = np.where(scene.mask[..., None], scene.normals, [0.0, 0.0, 1.0])
    stored = io.BytesIO()
    Image.fromarray(np.rint((flat + 1) * 127.5).astype(np.uint8)).save(stored, "JPEG", quality=quality, subsampling=0)
    return with_normals(scene, np.asarray(Image.open(stored), float) / 127.5 - 1)


def median(scene: Scene) -> Scene:
    """Each component of the normals replaced by its median in windows of 3 x 3 pixels."""
    parts = [ndimage.median_filter(part, 3) for part in np.moveaxis(scene.normals, 2, 0)]
    return with_normals(scene, np.stack(parts, 2))


def halve(scene: Scene) -> Scene:
    """Means of 2 x 2 pixels; those that are not wholly inside the mask are left out."""
    mask = _blocks(scene.mask).all(axis=(1, 3))
    depth = np.where(mask, _blocks(np.nan_to_num(scene.depth)).mean(axis=(1, 3)), np.nan)
    vectors = _blocks(scene.normals).mean(axis=(1, 3))
    return with_normals(replace(scene, mask=mask, depth=depth, camera=scene.camera.scaled(2)), vectors)


def _blocks(image: NDArray[Any]) -> NDArray[Any]:
    height, width = (side // 2 for side in image.shape[:2])
    return image[: 2 * height, : 2 * width].reshape(height, 2, width, 2, *image.shape[2:])


def double(scene: Scene) -> Scene:
    """Normals interpolated linearly between pixels."""
    parts = np.moveaxis(scene.normals, 2, 0)
    vectors = np.stack([ndimage.zoom(part, 2, order=1, grid_mode=True, mode="nearest") for part in parts], 2)
    mask, depth = (np.repeat(np.repeat(image, 2, axis=0), 2, axis=1) for image in (scene.mask, scene.depth))
    return with_normals(replace(scene, mask=mask, depth=depth, camera=scene.camera.scaled(0.5)), vectors)


DEGRADATIONS: dict[str, Callable[[Scene], Scene]] = {
    "none": lambda scene: scene,
    "8 bits": quantise,
    "blur 1 px": lambda scene: blur_normals(scene, 1.0),
    "blur 2 px": lambda scene: blur_normals(scene, 2.0),
    "half size": halve,
    "double size": double,
    "JPEG 90": lambda scene: as_jpeg(scene, 90),
    "JPEG 75": lambda scene: as_jpeg(scene, 75),
    "median 3 x 3": median,
    "noise 0.02": lambda scene: add_noise(scene, 0.02),
    "noise 0.05": lambda scene: add_noise(scene, 0.05),
}


def rows_of(name: str, cases: list[Case]) -> list[dict[str, Any]]:
    """The errors of the default on all maps with one degradation, and whether smooth errors were found."""
    rows = []
    for case in cases:
        if name == "double size" and np.count_nonzero(case.scene.mask) > LARGEST_DOUBLED:
            continue
        scene = DEGRADATIONS[name](case.scene)
        footprint = scene.camera.footprint(float(np.nanmedian(scene.depth)))
        found = Case(f"{case.name}, {name}", scene, footprint)
        rows.append(
            {
                "degradation": name,
                "map": case.name,
                "pixels": cached_errors(found, Graduated())["made"],
                "smooth_error": measure_noise(scene.normals, scene.mask, scene.camera).smooth,
            }
        )
    log(f"{name:16s}" + " ".join(f"{row['pixels']:.2f}" for row in rows))
    return rows


def main() -> None:
    cases = list(measured())
    if not cases:
        log("CREVASSE_DATA names no data: skipped, the last record stays")
        return
    groups = {name: rows_of(name, cases) for name in DEGRADATIONS}
    summary = [
        {
            "degradation": name,
            "maps": len(rows),
            "mean": fmean(row["pixels"] for row in rows),
            "geometric_mean": geometric_mean(row["pixels"] + FLOOR for row in rows),
            "smooth_errors_found": sum(row["smooth_error"] > 0 for row in rows),
        }
        for name, rows in groups.items()
    ]
    write_record("degraded", [row for rows in groups.values() for row in rows], summary=summary)


if __name__ == "__main__":
    start(main)
