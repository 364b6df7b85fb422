"""Table 1 of the paper: errors on DiLiGenT in millimetres, every method, beside what the paper prints."""

from kept import start
from record import write_record
from trials import METHODS, group, printed, trials

from crevasse import AuxiliaryEdges

LONG = {"auxiliary edges": AuxiliaryEdges(iterations=600)}


def main() -> None:
    cases = group("diligent")
    write_record("accuracy-diligent", [*printed(), *trials(cases, METHODS | LONG)])


if __name__ == "__main__":
    start(main)
