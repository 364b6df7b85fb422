"""Errors on degraded normal maps: the default method against bilateral integration on the same input.

python benchmarks/noise.py [--keep-bilateral]    the option keeps the last record's figures of Bilateral
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

from cases import Case, built_in, data_folder, measured
from record import RESULTS, read_record, write_record

from crevasse import Bilateral, Graduated, integrate
from crevasse.methods import Method
from crevasse.metrics import made
from crevasse.scenes import Scene, add_noise, quantise

LEVELS: dict[str, Callable[[Scene], Scene]] = {
    "noise 0.02": lambda scene: add_noise(scene, 0.02),
    "noise 0.05": lambda scene: add_noise(scene, 0.05),
    "noise 0.1": lambda scene: add_noise(scene, 0.1),
    "8 bits": lambda scene: quantise(scene, 8),
}


def error(scene: Scene, footprint: float, method: Method) -> float:
    result = integrate(scene.normals, scene.mask, scene.camera, method)
    return made(result.depth, scene.depth, scene.camera) / footprint


def measure(cases: Iterator[Case], known: dict[tuple[str, str], float]) -> Iterator[dict[str, Any]]:
    """A row per case and level; errors of Bilateral in `known` are not measured again."""
    for case in cases:
        for level, degrade in LEVELS.items():
            scene = degrade(case.scene)
            other = known.get((case.name, level))
            row = {
                "case": case.name,
                "level": level,
                "graduated": error(scene, case.footprint, Graduated()),
                "bilateral": error(scene, case.footprint, Bilateral()) if other is None else other,
            }
            print(f"{case.name:30s} {level:11s} {row['graduated']:8.4f} {row['bilateral']:8.4f}", flush=True)
            yield row


def summarise(rows: list[dict[str, Any]]) -> list[str]:
    lines = []
    for level in LEVELS:
        here = [row for row in rows if row["level"] == level]
        won = [row for row in here if row["graduated"] < row["bilateral"]]
        lost = ", ".join(row["case"] for row in here if row not in won)
        lines.append(f"{level}: better on {len(won)} of {len(here)}; not on {lost or 'none'}")
    return lines


def main() -> None:
    known = {}
    if "--keep-bilateral" in sys.argv and (RESULTS / "noise.json").exists():
        known = {(row["case"], row["level"]): row["bilateral"] for row in read_record("noise")["rows"]}
    rows: list[dict[str, Any]] = []
    for row in measure(measured() if data_folder() else built_in(), known):
        rows.append(row)
        # Written as it grows: what is stopped early can go on with --keep-bilateral.
        write_record("noise", rows, summary=summarise(rows))
    print("\n".join(summarise(rows)))


if __name__ == "__main__":
    main()
