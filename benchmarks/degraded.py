"""Errors of the default on degraded normals of DiLiGenT and the rendered scenes, in pixels."""

from __future__ import annotations

from collections.abc import Callable
from statistics import fmean, geometric_mean
from typing import Any

import numpy as np
from cached_runs import start
from cases import Case, measured
from record import write_record
from trials import cached_errors, log

from crevasse import Graduated
from crevasse.integration import measure_noise
from crevasse.scenes import (
    Scene,
    add_noise,
    blur_normals,
    compress_normals,
    double_size,
    halve_size,
    median_normals,
    quantise,
)

LARGEST_DOUBLED = 60_000
"""Pixels of a map that is still doubled in size."""
FLOOR = 0.01
"""Pixels added to errors before their geometric mean is taken: exact maps must not decide it."""


DEGRADATIONS: dict[str, Callable[[Scene], Scene]] = {
    "none": lambda scene: scene,
    "8 bits": quantise,
    "blur 1 px": lambda scene: blur_normals(scene, 1.0),
    "blur 2 px": lambda scene: blur_normals(scene, 2.0),
    "half size": halve_size,
    "double size": double_size,
    "JPEG 90": lambda scene: compress_normals(scene, 90),
    "JPEG 75": lambda scene: compress_normals(scene, 75),
    "median 3 x 3": median_normals,
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
