"""Errors on simulated photometric stereo: photographs of scenes, and normals that are estimated from them, in pixels.

Half of the scenes are those that the treatment of smooth errors was chosen on; the others were held out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from statistics import fmean, geometric_mean
from typing import Any

import numpy as np
from cached_runs import cached, start
from cases import Case, measured, unseen
from real import UNAWARE, errors_unaware
from record import write_record
from trials import cached_errors, log

from crevasse import Bilateral, Graduated, Poisson
from crevasse.methods import Method
from crevasse.scenes import (
    SCENES,
    Scene,
    Studio,
    blur_normals,
    estimate_normals,
    photograph,
    quantise,
    turn_normals,
)

TUNING = (
    "scenes/stanford-bunny",
    "scenes/beast-ortho",
    "scenes/cow",
    "scenes/nefertiti",
    "scenes/teapot",
    "scenes2/man",
    "scenes2/hand",
    "scenes2/flighthelmet",
    "scenes2/michelle",
    "scenes2/toycar",
    "built-in/demo",
    "built-in/shingles",
)
HELD_OUT = (
    "scenes/stanford-bunny-ortho",
    "scenes/beast",
    "scenes/spot",
    "scenes/fandisk",
    "scenes/cheburashka",
    "scenes2/boot",
    "scenes2/dino",
    "scenes2/waltmarie",
    "scenes2/knot",
    "scenes2/watch",
    "scenes2/cornell",
    "built-in/relief",
)
SIZE = 208
"""Side of the built-in scenes in pixels."""
LARGEST = 60_000
"""Pixels of a scene; larger ones are subsampled."""
METHODS: dict[str, Method] = {"Poisson": Poisson(), "BiNI": Bilateral(), "graduated": Graduated()}
NAMES = ("Poisson", "BiNI", UNAWARE, "graduated")


def find_scene(name: str, cases: dict[str, Case]) -> Scene:
    """A scene by its name, subsampled to at most `LARGEST` pixels."""
    group, _, short = name.partition("/")
    scene = SCENES[short](SIZE) if group == "built-in" else cases[name].scene
    stride = 1
    while np.count_nonzero(scene.mask[::stride, ::stride]) > LARGEST:
        stride += 1
    if stride == 1:
        return scene
    depth, mask, normals = (image[::stride, ::stride] for image in (scene.depth, scene.mask, scene.normals))
    return replace(scene, normals=normals, mask=mask, depth=depth, camera=scene.camera.scaled(stride, first=0))


def estimates(scene: Scene, seed: int) -> Iterator[tuple[str, Scene]]:
    """The scene with normals as four kinds of estimators deliver them, under random circumstances."""
    random = np.random.default_rng(seed)
    studio = Studio(
        lights=int(random.integers(20, 97)),
        spread=float(random.uniform(35, 60)),
        bounce=float(random.uniform(0.5, 1.5)),
        gloss=float(random.uniform(0, 0.4)),
        shine=float(random.uniform(8, 40)),
        variation=float(random.uniform(0.1, 0.5)),
        bits=int(random.choice([8, 12])),
    )
    photographs = photograph(scene, studio, seed)
    plain = replace(scene, normals=estimate_normals(photographs, scene.mask))
    trimmed = replace(scene, normals=estimate_normals(photographs, scene.mask, (0.25, 0.15)))

    def network(of: Scene) -> Scene:
        return blur_normals(of, float(random.uniform(1, 3)), similar=float(random.uniform(15, 40)))

    yield "least squares", quantise(plain, 8) if seed % 2 else plain
    yield "trimmed", trimmed
    blurred = network(scene)
    turned = turn_normals(blurred, float(random.uniform(4, 10)), float(random.uniform(15, 40)), seed)
    yield "turned, as by a network", quantise(turned, 8)
    yield "trimmed, blurred", quantise(network(trimmed), 8)


def measure(name: str, scene: Scene, seed: int) -> Iterator[dict[str, Any]]:
    """Rows of all methods on all estimates of a scene."""
    for source, found in estimates(scene, seed):
        case = Case(f"{name}, {source}", found, scene.camera.footprint(float(np.nanmedian(scene.depth))))
        errors = {each: cached_errors(case, method)["made"] for each, method in METHODS.items()}
        errors[UNAWARE] = cached(UNAWARE, found, Graduated(), lambda case=case: errors_unaware(case))["made"]
        log(f"{case.name:52s}" + " ".join(f"{errors[each]:8.2f}" for each in NAMES))
        best = min(errors["Poisson"], errors["BiNI"])
        for each in NAMES:
            yield {
                "scene": name,
                "source": source,
                "method": each,
                "pixels": errors[each],
                "ratio": errors[each] / best,
            }


def summarise(rows: list[dict[str, Any]], half: str) -> Iterator[dict[str, Any]]:
    """Per source and method: the mean error and the mean ratio to the better peer."""
    for source in (*dict.fromkeys(row["source"] for row in rows), "all"):
        for name in NAMES:
            found = [row for row in rows if row["method"] == name and source in (row["source"], "all")]
            ratios = [row["ratio"] for row in found]
            yield {
                "scenes": half,
                "source": source,
                "method": name,
                "mean": fmean(row["pixels"] for row in found),
                "ratio": geometric_mean(ratios),
                "maps": len(found),
                "above_1.15": sum(ratio > 1.15 for ratio in ratios),
                "above_1.4": sum(ratio > 1.4 for ratio in ratios),
            }


def main() -> None:
    cases = {case.name: case for group in (measured(), unseen()) for case in group}
    if not cases:
        log("CREVASSE_DATA names no data: skipped, the last record stays")
        return
    rows: list[dict[str, Any]] = []
    summary: list[dict[str, Any]] = []
    for half, names, first in (("tuning", TUNING, 0), ("held-out", HELD_OUT, 100)):
        found = [
            row for seed, name in enumerate(names, first) for row in measure(name, find_scene(name, cases), seed)
        ]
        rows += [{"scenes": half} | row for row in found]
        summary += summarise(found, half)
    write_record("simulated", rows, summary=summary)


if __name__ == "__main__":
    start(main)
