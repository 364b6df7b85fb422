"""The ablation of the paper: without reweighting, without the filter, without the two passes, on DiLiGenT."""

from record import write_record
from trials import PAPER_ITERATIONS, group, trials

from crevasse import AuxiliaryEdges

SLOW = 1300
"""Without reweighting jumps grow slowly, as the paper says: it gets the supplement's number of iterations."""

METHODS = {
    "all parts": AuxiliaryEdges(iterations=PAPER_ITERATIONS),
    f"no reweighting, {PAPER_ITERATIONS} iterations": AuxiliaryEdges(iterations=PAPER_ITERATIONS, reweighting=False),
    f"no reweighting, {SLOW} iterations": AuxiliaryEdges(iterations=SLOW, reweighting=False),
    "no filter": AuxiliaryEdges(iterations=PAPER_ITERATIONS, filtering=False),
    "no two passes": AuxiliaryEdges(iterations=PAPER_ITERATIONS, two_pass=False),
}


def main() -> None:
    write_record("ablation", list(trials(group("diligent"), METHODS)))


if __name__ == "__main__":
    main()
