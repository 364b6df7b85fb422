"""Time and memory against the size of the map: ours, Poisson, and BiNI's formula with the same solver.

    python benchmarks/scaling.py                 256 to 4096 pixels wide; writes the record and the charts
    python benchmarks/scaling.py --draw          the charts only, from the last record

A method is not tried on the next larger map when that would take longer than --patience seconds.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from chart import draw
from own_process import integrate_in_own_process
from record import read_record, write_record
from yardstick import yardstick

IMAGES = Path(__file__).parents[1] / "docs" / "images"
METHODS = {"graduated": "graduated", "poisson": "Poisson", "bilateral, same solver": "BiNI, same solver"}
GROWTH = 5.0
"""By how much more time the next larger map, of four times the pixels, may take."""


def measure(sides: list[int], threads: int, patience: float) -> list[dict[str, Any]]:
    rows = []
    for method, title in METHODS.items():
        for side in sides:
            row = integrate_in_own_process(
                map="shingles", side=side, method=method, threads=threads, repeats=3 if side <= 512 else 1
            )
            rows.append({"map": f"{side} x {side}", "side": side, **row, "method": title})
            print(rows[-1], file=sys.stderr)
            if GROWTH * row["seconds"] > patience:
                break
    return rows


def draw_charts(rows: list[dict[str, Any]]) -> None:
    for name, field, unit in (("time", "yardsticks", "yardsticks"), ("memory", "megabytes", "megabytes")):
        lines = {
            title: [(row["pixels"] / 1e6, row[field]) for row in rows if row["method"] == title]
            for title in METHODS.values()
        }
        draw(IMAGES / f"scaling-{name}.svg", lines, "megapixels", unit)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sides", default="256,512,1024,2048,4096")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--patience", type=float, default=150.0)
    parser.add_argument("--draw", action="store_true", help="only draw the charts, from the last record")
    chosen = parser.parse_args()
    if not chosen.draw:
        units = [yardstick()]
        rows = measure([int(side) for side in chosen.sides.split(",")], chosen.threads, chosen.patience)
        unit = min([*units, yardstick()])
        rows = [row | {"yardsticks": row["seconds"] / unit} for row in rows]
        write_record("scaling", rows, yardstick=unit)
    draw_charts(read_record("scaling")["rows"])


if __name__ == "__main__":
    main()
