"""Table 1 of the paper: errors on DiLiGenT in millimetres, every method, beside what the paper prints."""

from record import write_record
from trials import METHODS, group, printed, trials

from crevasse import AuxiliaryEdges

LONG = {"auxiliary edges": AuxiliaryEdges(iterations=600)}


def main() -> None:
    rows = list(printed())
    for case in group("diligent"):
        rows += trials([case], METHODS | LONG)
        write_record("accuracy-diligent", rows)


if __name__ == "__main__":
    main()
