"""What spanning pixels give: the default with and without them, on maps with known depth and on maps made from depth.

`steep` counts the steep runs of a map, which may be spanning pixels. `share` is the share of a pixel over which they
spread a jump, by the true depth; where too few agree it is missing, and the map has no spanning pixels. Errors are in
millimetres on DiLiGenT, in pixels elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from cached_runs import start
from cases import Case, built_in, measured
from record import write_record
from trials import cached_errors, log

from crevasse import Graduated
from crevasse.methods.graduated.terms.spanning import find_spanning
from crevasse.methods.graduated.terms.steep_runs import find_steep_runs
from crevasse.methods.problem import pose
from crevasse.scenes import Scene, from_depth
from crevasse.validate import check_input

RECORD = "spanning"
"""Name of the record, which tables of the documentation refer to."""
SIZE = 160
"""Side in pixels of the built-in scenes whose normals are computed from depth."""
JUMPING = ("stairs", "disc", "islands", "comb", "shingles", "demo")


def computed_from_depth() -> Iterator[tuple[str, Case]]:
    """Scenes with jumps, their normals computed from depth in three ways."""
    rendered = [case for case in measured() if case.name.endswith("-ortho")]
    for case in [*rendered, *(case for case in built_in(SIZE) if case.name.split("/")[1] in JUMPING)]:
        yield "central differences", replace(case, scene=from_depth(case.scene, central=True))
        yield "differences to the next", replace(case, scene=from_depth(case.scene))
    for case in built_in(2 * SIZE):
        if case.name.split("/")[1] in JUMPING:
            yield "two cells a pixel", replace(case, scene=from_depth(case.scene, cells=2))


def measure_width(scene: Scene) -> tuple[int, float | None]:
    """How many steep runs a map has, and how wide spanning pixels are by its true depth."""
    valid = check_input(scene.normals, scene.mask, scene.camera)
    problem = pose(valid.slopes, np.ascontiguousarray(valid.mask[valid.window]), scene.camera.planes)
    runs = find_steep_runs(problem)
    if runs is None:
        return 0, None
    known = np.where(problem.mask, scene.depth[valid.window], 1.0)
    spanning = find_spanning(runs, scene.camera.to_heights(known))
    return len(runs.before), None if spanning is None else spanning.width


def row_of(kind: str, case: Case) -> dict[str, Any]:
    steep, width = measure_width(case.scene)
    found = {spanning: cached_errors(case, Graduated(spanning=spanning))["made"] for spanning in (True, False)}
    row = {
        "map": case.name,
        "normals": kind,
        "steep": steep,
        "share": width,
        "with": found[True],
        "without": found[False],
    }
    log("  ".join(f"{value:.4f}" if isinstance(value, float) else str(value) for value in row.values()))
    return row


def main() -> None:
    given = [("as they are", case) for case in measured()]
    write_record(RECORD, [row_of(kind, case) for kind, case in [*given, *computed_from_depth()]])


if __name__ == "__main__":
    start(main)
