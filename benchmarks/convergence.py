"""The supplement's convergence: error and time against iterations of the published method, BiNI's level marked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cases import Case
from chart import draw
from record import write_record
from trials import METHODS, PRINTED, group, short, trial

from crevasse import AuxiliaryEdges, iterate
from crevasse.metrics import made

PICTURE = Path(__file__).parent.parent / "docs" / "images" / "convergence.svg"
MARKS = (1, 2, 4, 8, 16, 24, 40, 60, 100, 160, 240, 400, 640, 1000, 1300)


def follow(case: Case) -> Iterator[dict[str, Any]]:
    """A row at each mark: error in millimetres, seconds since the start without the measuring."""
    scene = case.scene
    method = AuxiliaryEdges(iterations=MARKS[-1], stillness=0.0)
    wanted = set(MARKS)
    for state in iterate(scene.normals, scene.mask, scene.camera, method):
        # The end of a run is told once more, as a state of its own.
        if state.iteration in wanted:
            wanted.remove(state.iteration)
            error = made(state.depth, scene.depth, scene.camera)
            yield {
                "object": short(case),
                "iteration": state.iteration,
                "made": error,
                "seconds": state.seconds,
                "solver_iterations": int(state.result().history["solver_iterations"].sum()),
            }


def mean_lines(rows: list[dict[str, Any]]) -> list[tuple[float, float]]:
    """Mean error over the objects at each mark."""
    found = defaultdict(list)
    for row in rows:
        found[row["iteration"]].append(row["made"])
    most = max(len(values) for values in found.values())
    return [(float(mark), sum(values) / most) for mark, values in found.items() if len(values) == most]


def main() -> None:
    cases = group("diligent")
    if not cases:
        return
    rows = [row for case in cases for row in follow(case)]
    level = [trial(case, "BiNI", METHODS["BiNI"])["made"] for case in cases]
    levels = {"BiNI": sum(level) / len(level)}
    levels |= {name: sum(values) / len(values) for name, values in PRINTED.items() if "auxiliary" in name}
    draw(PICTURE, {"auxiliary edges": mean_lines(rows)}, "iteration", "mean error on DiLiGenT, mm", levels)
    write_record("convergence", rows, levels=levels)


if __name__ == "__main__":
    main()
