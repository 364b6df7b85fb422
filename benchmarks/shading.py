"""Fig. 8 of the paper in numbers: normals of the mesh, a vertex a pixel against quadrilaterals against the truth."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from cached_runs import start
from cases import Case
from record import write_record
from trials import METHODS, group, log, short

from crevasse import integrate
from crevasse.cameras import Array, Camera
from crevasse.scenes import SCENES

SIZE = 256
WANTED = ("bear", "buddha", "reading")
SHOWN = ("BiNI", "auxiliary edges", "graduated")


def vertex_normals(depth: Array, camera: Camera) -> Array:
    """Unit normals of the mesh with a vertex at each pixel's centre, averaged over the faces around it."""
    rows, columns = np.indices(depth.shape)
    points = camera.points(rows, columns, depth)
    right, down = np.diff(points, axis=1), np.diff(points, axis=0)
    total = np.zeros_like(points)
    for row in (0, 1):
        for column in (0, 1):
            face = np.cross(down[:, column : depth.shape[1] - 1 + column], right[row : depth.shape[0] - 1 + row])
            inner = (slice(1 - row, depth.shape[0] - row), slice(1 - column, depth.shape[1] - column))
            total[inner] += face
    return _unit(total)


def quadrilateral_normals(corners: Array, camera: Camera) -> Array:
    """Unit normals of the pixels' own quadrilaterals, from their diagonals."""
    rows, columns = (np.repeat(np.arange(side // 2), 2) + np.tile([-0.5, 0.5], side // 2) for side in corners.shape)
    rows, columns = np.meshgrid(rows, columns, indexing="ij")
    points = camera.points(rows, columns, corners)
    falling = points[1::2, 1::2] - points[0::2, 0::2]
    rising = points[0::2, 1::2] - points[1::2, 0::2]
    return _unit(np.cross(falling, rising))


def angles(found: Array, case: Case) -> Array:
    """Degrees between normals and those of the map; NaN where either is not known."""
    given = _unit(case.scene.normals * [1.0, -1.0, -1.0])
    cosine = np.clip((found * given).sum(axis=-1), -1, 1)
    degrees: Array = np.degrees(np.arccos(cosine))
    return degrees


def rows_of(case: Case) -> Iterator[dict[str, Any]]:
    scene = case.scene
    meshes = {"truth, a vertex a pixel": vertex_normals(scene.depth, scene.camera)}
    for name in SHOWN:
        result = integrate(scene.normals, scene.mask, scene.camera, METHODS[name])
        log(f"{short(case):24s} {name}")
        meshes[f"{name}, a vertex a pixel"] = vertex_normals(result.depth, scene.camera)
        if name != "BiNI":
            meshes[f"{name}, quadrilaterals"] = quadrilateral_normals(result.corners, scene.camera)
    errors = {name: angles(normals, case) for name, normals in meshes.items()}
    # Pixels with all their neighbours, so that every mesh is judged on the same ones.
    judged = np.logical_and.reduce([np.isfinite(error) for error in errors.values()])
    for name, whole in errors.items():
        error = whole[judged]
        yield {
            "object": short(case),
            "mesh": name,
            "mean_degrees": float(error.mean()),
            "median_degrees": float(np.median(error)),
            "above_10_degrees": float((error > 10).mean()),
        }


def _unit(vectors: Array) -> Array:
    with np.errstate(invalid="ignore", divide="ignore"):
        unit: Array = vectors / np.sqrt(np.square(vectors).sum(axis=-1, keepdims=True))
    return unit


def main() -> None:
    cases = [case for case in group("diligent") if short(case) in WANTED]
    cases += [Case(f"built-in/{name}", SCENES[name](SIZE), 1.0) for name in ("demo", "relief")]
    write_record("shading", [row for case in cases for row in rows_of(case)])


if __name__ == "__main__":
    start(main)
