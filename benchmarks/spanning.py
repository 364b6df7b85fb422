"""What walls give: the default with and without them, on the maps with known depth and on scenes made from depth.

`steep` counts what may be walls on a map. `share` is the part of a pixel that they are wide by the true depth; where
too few agree it is missing, and the map has no walls. Errors are in millimetres on DiLiGenT, in pixels elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from cases import Case, built_in, measured
from kept import start
from record import write_record
from trials import kept_errors, tell

from crevasse import Graduated
from crevasse.methods.problem import Problem
from crevasse.methods.steep import find_runs
from crevasse.methods.walls import find_walls
from crevasse.scenes import Scene, from_depth
from crevasse.validate import check_input

SIZE = 160
"""Side in pixels of the built-in scenes that are made from depth."""
JUMPING = ("stairs", "disc", "islands", "comb", "shingles", "demo")


def made_from_depth() -> Iterator[tuple[str, Case]]:
    """Scenes with jumps, their normals made from depth in three ways."""
    rendered = [case for case in measured() if case.name.endswith("-ortho")]
    for case in [*rendered, *(case for case in built_in(SIZE) if case.name.split("/")[1] in JUMPING)]:
        yield "central differences", replace(case, scene=from_depth(case.scene, central=True))
        yield "differences to the next", replace(case, scene=from_depth(case.scene))
    for case in built_in(2 * SIZE):
        if case.name.split("/")[1] in JUMPING:
            yield "two cells a pixel", replace(case, scene=from_depth(case.scene, cells=2))


def tell_share(scene: Scene) -> tuple[int, float | None]:
    """How many steep pixels may be walls, and how wide they are by the truth."""
    valid = check_input(scene.normals, scene.mask, scene.camera)
    problem = Problem(valid.slopes, valid.mask[valid.window], scene.camera.curvature, 1)
    runs = find_runs(problem)
    if runs is None:
        return 0, None
    known = np.where(problem.mask, scene.depth[valid.window], 1.0)
    walls = find_walls(runs, scene.camera.to_heights(known))
    return len(runs.before), None if walls is None else walls.share


def row_of(kind: str, case: Case) -> dict[str, Any]:
    steep, share = tell_share(case.scene)
    found = {walls: kept_errors(case, Graduated(walls=walls))["made"] for walls in (True, False)}
    row = {
        "map": case.name,
        "normals": kind,
        "steep": steep,
        "share": share,
        "with": found[True],
        "without": found[False],
    }
    tell("  ".join(f"{value:.4f}" if isinstance(value, float) else str(value) for value in row.values()))
    return row


def main() -> None:
    given = [("as they are", case) for case in measured()]
    write_record("walls", [row_of(kind, case) for kind, case in [*given, *made_from_depth()]])


if __name__ == "__main__":
    start(main)
