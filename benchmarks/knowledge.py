"""What rough depth and points give besides the normals: errors with each kind of knowledge, by map.

Errors are mean absolute errors of heights in pixels after a median shift of the whole map. `normals`: from normals
alone; `prior`: of the prior itself, where it is known.

`python benchmarks/knowledge.py [kind,... [map,...]]` prints errors; without arguments it writes the record.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from cases import Case, measured
from record import write_record

import crevasse
from crevasse import scenes
from crevasse.scenes import Scene

RECORD = "knowledge"
METHOD = crevasse.Graduated(spanning=False)
TURNED = ("bear", "cat", "pot2", "reading", "spot", "cow", "nefertiti", "analytic-smooth")
"""Maps whose normals are turned smoothly by two degrees, over 60 pixels."""
Knowledge = Callable[[Scene, int], dict[str, Any]]
KINDS: dict[str, Knowledge] = {
    "mvs": lambda scene, seed: {"prior": scenes.stereo_depth(scene, seed)},
    "rgbd": lambda scene, seed: {"prior": scenes.rgbd_depth(scene, seed)},
    "network": lambda scene, seed: {"prior": scenes.network_depth(scene, seed=seed)},
    "points-20": lambda scene, seed: {"points": scenes.measured_points(scene, 20, seed=seed)},
    "points-100": lambda scene, seed: {"points": scenes.measured_points(scene, 100, seed=seed)},
}


def error(scene: Scene, depth: Any) -> float:
    """Mean absolute error of heights after a median shift."""
    with np.errstate(all="ignore"):
        off = scene.camera.to_heights(np.asarray(depth)) - scene.camera.to_heights(scene.depth)
    off = off[scene.mask & np.isfinite(off)]
    return float(np.abs(off - np.median(off)).mean())


def maps(turned: bool) -> Iterator[Case]:
    for case in measured():
        name = case.name.split("/")[-1]
        if not turned:
            yield case
        elif name in TURNED:
            yield replace(case, scene=scenes.turn_normals(case.scene, 2.0, 60.0))


def prior_error(scene: Scene, knowledge: dict[str, Any]) -> float | None:
    """The error of the prior itself, once the best scale and shift are known."""
    prior = knowledge.get("prior")
    if prior is None:
        return None
    depth = np.asarray(prior.depth)
    if prior.unknown != "nothing":
        both = scene.mask & np.isfinite(depth)
        slope, shift = np.polyfit(depth[both], scene.depth[both], 1)
        depth = slope * depth + shift
    return error(scene, depth)


def rows_of(case: Case, kinds: list[str], seed: int, turned: bool) -> Iterator[dict[str, Any]]:
    scene, began = case.scene, time.process_time()
    alone = crevasse.integrate(scene.normals, scene.mask, scene.camera, METHOD)
    seconds = time.process_time() - began
    group = "turned" if turned else "exact"
    normals = error(scene, alone.depth)
    yield {"map": case.name, "group": group, "kind": "normals alone", "error": normals}
    for kind in kinds:
        knowledge, began = KINDS[kind](scene, seed), time.process_time()
        found = crevasse.integrate(scene.normals, scene.mask, scene.camera, METHOD, **knowledge)
        row = {
            "map": case.name,
            "group": group,
            "kind": kind,
            "error": error(scene, found.depth),
            "normals": normals,
            "prior": prior_error(scene, knowledge),
            "times": (time.process_time() - began) / seconds,
            "metric": found.metric,
        }
        print(f"{case.name:28} {group:7} {kind:10} normals {normals:8.3f} prior {row['prior'] or 0:8.3f}"
              f" both {row['error']:8.3f}  x{row['times']:.2f}", flush=True)  # fmt: skip
        yield row


def summary(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Means by kind, and on how many maps knowledge makes things worse than either alone."""
    found = []
    for group, kind in dict.fromkeys((row["group"], row["kind"]) for row in rows if "normals" in row):
        here = [row for row in rows if (row["group"], row["kind"]) == (group, kind)]
        priors = [row["prior"] for row in here if row["prior"] is not None]
        found.append(
            {
                "normals": group,
                "known": kind,
                "maps": len(here),
                "normals_alone": float(np.mean([row["normals"] for row in here])),
                "prior_alone": float(np.mean(priors)) if priors else None,
                "both": float(np.mean([row["error"] for row in here])),
                "worse_than_normals": sum(row["error"] > 1.02 * row["normals"] for row in here),
                "worse_than_prior": sum(row["error"] > row["prior"] for row in here) if priors else None,
                "times_the_work": float(np.median([row["times"] for row in here])),
            }
        )
    return found


def measure(kinds: list[str], names: list[str], seed: int = 0) -> list[dict[str, Any]]:
    rows = []
    for turned in (False, True):
        which = [kind for kind in kinds if not turned or kind in ("mvs", "rgbd")]
        for case in maps(turned):
            if which and (not names or case.name.split("/")[-1] in names):
                rows += rows_of(case, which, seed, turned)
    return rows


if __name__ == "__main__":
    chosen = [word.split(",") for word in sys.argv[1:]]
    found = measure(chosen[0] if chosen else list(KINDS), chosen[1] if len(chosen) > 1 else [])
    if not chosen:
        print(write_record(RECORD, found, summary=summary(found)))
