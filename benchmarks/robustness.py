"""How far bad pixels, many regions and extreme shapes carry: errors in pixels, and memory against the estimate.

python benchmarks/robustness.py --record
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
from typing import Any

import numpy as np
from record import write_record

import crevasse
from crevasse import scenes
from crevasse.memory import integrating_bytes
from crevasse.metrics import made

METHODS = {"graduated": crevasse.Graduated, "poisson": crevasse.Poisson}
SIDE = 128
SHARE = 0.1
"""Of the pixels, those that get a random normal."""
GRAZING_DEGREES = 89.99
"""Angle to the viewer of the one bad pixel."""
REGIONS = 100_000
LONG, SHORT = 100_000, 3
"""Sides of the extreme shapes."""


def with_random_normals(normals: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """A tenth of the normals replaced by random ones that face the viewer."""
    numbers = np.random.default_rng(0)
    vectors = numbers.normal(size=normals.shape)
    vectors[..., 2] = np.abs(vectors[..., 2])
    vectors /= np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.where((numbers.random(mask.shape) < SHARE)[..., None], vectors, normals)


def with_one_bad_pixel(normals: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """One pixel of the middle turned almost away from the viewer."""
    angle = np.radians(GRAZING_DEGREES)
    damaged = normals.copy()
    damaged[mask.shape[0] // 2, mask.shape[1] // 2] = (np.sin(angle), 0.0, np.cos(angle))
    return damaged


def bad_pixels() -> list[dict[str, Any]]:
    """Errors against the truth on scenes with parallel rays, where depth is in pixels."""
    rows = []
    for name in ("smooth", "stairs"):
        scene = scenes.SCENES[name](SIDE)
        for damage, make in (("none", None), ("10 % random", with_random_normals), ("one pixel", with_one_bad_pixel)):
            normals = scene.normals if make is None else make(scene.normals, scene.mask)
            for method, cls in METHODS.items():
                result = crevasse.integrate(normals, scene.mask, scene.camera, cls())
                off = np.abs(result.depth - scene.depth - np.nanmedian(result.depth - scene.depth))
                error = made(result.depth, scene.depth, scene.camera)
                rows.append(
                    {
                        "case": f"{name}, {damage}",
                        "method": method,
                        "pixels": result.pixels,
                        "made": error,
                        "worst": float(np.nanmax(off)),
                        "status": result.status.name,
                    }
                )
    return rows


def measure(shape: tuple[int, int], regions: bool, method: str) -> dict[str, Any]:
    """Integrate a flat slope of this shape in this process: the error, and the memory that it took."""
    mask = np.ones(shape, bool)
    if regions:
        mask[1::2] = mask[:, 1::2] = False
    normals = np.broadcast_to(np.array([0.6, 0.0, 0.8]), (*shape, 3)).astype(np.float64)
    truth = 0.75 * np.arange(shape[1])[None, :] * np.ones(shape)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    result = crevasse.integrate(normals, mask, method=METHODS[method](), threads=1)
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    off = result.depth - truth
    worst = 0.0 if regions else float(np.nanmax(np.abs(off - np.nanmedian(off))))
    estimate = integrating_bytes(shape, METHODS[method].bytes_per_pixel)
    return {
        "method": method,
        "pixels": result.pixels,
        "regions": result.regions,
        "worst": worst,
        "finite": bool(np.isfinite(result.depth[mask]).all()),
        "megabytes": used / 1024,
        "estimated_megabytes": estimate / 2**20,
        "status": result.status.name,
    }


def shapes() -> list[dict[str, Any]]:
    """Many regions and extreme shapes, each in a process of its own, whose memory is its peak."""
    side = 2 * round(REGIONS**0.5)
    rows = []
    for case, shape, regions in (
        (f"{REGIONS} regions of one pixel", (side, side), True),
        (f"{SHORT} x {LONG}", (SHORT, LONG), False),
        (f"{LONG} x {SHORT}", (LONG, SHORT), False),
        (f"1 x {LONG}", (1, LONG), False),
    ):
        for method in METHODS:
            words = [sys.executable, __file__, "--one", json.dumps([shape, regions, method])]
            told = subprocess.run(words, capture_output=True, text=True, check=True).stdout
            rows.append({"case": case, **json.loads(told)})
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--record", action="store_true", help="write benchmarks/results/robustness.json")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.one:
        shape, regions, method = json.loads(chosen.one)
        print(json.dumps(measure((shape[0], shape[1]), regions, method)))
        return
    rows = bad_pixels() + shapes()
    for row in rows:
        print(", ".join(f"{value:.4g}" if isinstance(value, float) else f"{value}" for value in row.values()))
    if chosen.record:
        write_record("robustness", rows)


if __name__ == "__main__":
    main()
