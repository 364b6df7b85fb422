"""Errors on degraded normal maps: the default method against bilateral integration on the same input."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from cached_runs import start
from cases import Case
from record import write_record
from trials import cached_errors, group, log

from crevasse import Bilateral, Graduated
from crevasse.methods import Method
from crevasse.scenes import Scene, add_noise, quantise

LEVELS: dict[str, Callable[[Scene], Scene]] = {
    "noise 0.02": lambda scene: add_noise(scene, 0.02),
    "noise 0.05": lambda scene: add_noise(scene, 0.05),
    "noise 0.1": lambda scene: add_noise(scene, 0.1),
    "8 bits": lambda scene: quantise(scene, 8),
}

METHODS: dict[str, Method] = {"graduated": Graduated(), "bilateral": Bilateral()}


def measure(case: Case, level: str) -> dict[str, Any]:
    """A row: the errors of both methods on the degraded map."""
    degraded = replace(case, scene=LEVELS[level](case.scene))
    row = {"case": case.name, "level": level} | {
        name: cached_errors(degraded, method)["made"] for name, method in METHODS.items()
    }
    log(f"{case.name:30s} {level:11s} {row['graduated']:8.4f} {row['bilateral']:8.4f}")
    return row


def summarise(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Per level, on how many maps the default is better, how the errors compare, and on which it is not better."""
    found = []
    for level in LEVELS:
        here = [row for row in rows if row["level"] == level]
        lost = [row["case"] for row in here if row["graduated"] >= row["bilateral"]]
        ratio = float(np.median([row["graduated"] / row["bilateral"] for row in here]))
        better = len(here) - len(lost)
        told = {
            "level": level,
            "maps": len(here),
            "better_on": better,
            "median_ratio": ratio,
            "not_on": ", ".join(lost),
        }
        found.append(told)
    return found


def main() -> None:
    cases = [*group("diligent"), *group("scenes")]
    rows = [measure(case, level) for case in cases for level in LEVELS]
    write_record("noise", rows, summary=summarise(rows))


if __name__ == "__main__":
    start(main)
