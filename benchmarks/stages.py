"""What each part of the default is worth: errors and iterations with and without it, as means over groups of maps.

Errors are in millimetres on DiLiGenT, in pixels elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from cached_runs import start
from cases import Case, built_in, measured
from record import write_record
from trials import cached_errors, log

from crevasse import Graduated

VARIANTS = {
    "default": Graduated(),
    "without moves of parts": Graduated(parts=0),
    "without spanning pixels": Graduated(spanning=False),
    "without skipped iterations": Graduated(skip_below=0.0),
}


def rows(cases: list[Case]) -> Iterator[dict[str, Any]]:
    groups = list(dict.fromkeys(case.name.split("/")[0] for case in cases))
    for name, method in VARIANTS.items():
        for group in groups:
            found = [cached_errors(case, method) for case in cases if case.name.startswith(f"{group}/")]
            error = sum(each["made"] for each in found) / len(found)
            iterations = sum(each["iterations"] for each in found)
            log(f"{name:30s} {group:10s} {error:8.4f} {iterations:6d}")
            yield {"default": name, "maps": group, "error": error, "iterations": iterations}


def main() -> None:
    write_record("stages", list(rows(list(chain(measured(), built_in())))))


if __name__ == "__main__":
    start(main)
