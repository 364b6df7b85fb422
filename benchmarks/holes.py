"""The supplement's normal maps with holes, many small ones or one large one: errors before and after."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from cached_runs import start
from cases import Case
from record import write_record
from trials import METHODS, group, short, trials

from crevasse.scenes import SCENES, Scene

SIZE = 256
WANTED = ("bear", "buddha", "reading")


def small_holes(scene: Scene, share: float = 0.002) -> Scene:
    """Discs of 2 to 4 pixels cut out at random, about one for every 500 pixels."""
    random = np.random.default_rng(0)
    rows, columns = np.nonzero(scene.mask)
    mask = scene.mask.copy()
    for at in random.choice(len(rows), round(share * len(rows)), replace=False):
        _cut(mask, rows[at], columns[at], random.uniform(2, 4))
    return replace(scene, mask=mask)


def large_hole(scene: Scene) -> Scene:
    """One disc of a fifth of the object's extent, over its middle."""
    rows, columns = np.nonzero(scene.mask)
    mask = scene.mask.copy()
    _cut(mask, rows.mean(), columns.mean(), 0.1 * (np.ptp(rows) + np.ptp(columns)))
    return replace(scene, mask=mask)


def _cut(mask: np.ndarray, row: float, column: float, radius: float) -> None:
    y, x = np.ogrid[: mask.shape[0], : mask.shape[1]]
    mask[(y - row) ** 2 + (x - column) ** 2 <= radius**2] = False


def variants(case: Case) -> list[Case]:
    made = {"whole": case.scene, "small holes": small_holes(case.scene), "large hole": large_hole(case.scene)}
    return [replace(case, name=f"{short(case)}, {how}", scene=scene) for how, scene in made.items()]


def main() -> None:
    cases = [case for case in group("diligent") if short(case) in WANTED]
    cases += [Case(f"built-in/{name}", SCENES[name](SIZE), 1.0) for name in ("demo", "smooth")]
    write_record("holes", [row for case in cases for row in trials(variants(case), METHODS)])


if __name__ == "__main__":
    start(main)
