"""The ablation of the paper: without reweighting, without the filter, without the two passes, on DiLiGenT."""

from dataclasses import replace

from cached_runs import start
from record import write_record
from trials import PAPER_ITERATIONS, group, trials

from crevasse import AuxiliaryEdges

SLOW = 600
"""Without reweighting jumps grow slowly, as the paper says: it gets more iterations."""

ALL = AuxiliaryEdges(iterations=PAPER_ITERATIONS)
PIXELS = replace(ALL, threshold=1.0)
"""The reading in which the paper's ablation holds."""

METHODS = {
    "all parts": ALL,
    "no reweighting": replace(ALL, reweighting=False),
    f"no reweighting, {SLOW} iterations": replace(ALL, reweighting=False, iterations=SLOW),
    "no filter": replace(ALL, filtering=False),
    "no two passes": replace(ALL, two_pass=False),
    "threshold 1, all parts": PIXELS,
    "threshold 1, no filter": replace(PIXELS, filtering=False),
    "threshold 1, no two passes": replace(PIXELS, two_pass=False),
}


def main() -> None:
    write_record("ablation", list(trials(group("diligent"), METHODS)))


if __name__ == "__main__":
    start(main)
