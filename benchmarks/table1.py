"""Table 1 of the paper: errors on DiLiGenT in millimetres, every method, beside what the paper prints."""

from cached_runs import start
from record import write_record
from trials import METHODS, group, printed, trials

from crevasse import AuxiliaryEdges, Graduated

LONG = {"auxiliary edges": AuxiliaryEdges(iterations=600)}
PLAIN = {"graduated without spanning pixels": Graduated(spanning=False)}


def main() -> None:
    cases = group("diligent")
    write_record("accuracy-diligent", [*printed(), *trials(cases, METHODS | LONG | PLAIN)])


if __name__ == "__main__":
    start(main)
