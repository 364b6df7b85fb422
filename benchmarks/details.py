"""The supplement's surfaces with fine detail: bas-reliefs whose overlaps are a few pixels deep, errors in pixels."""

from cached_runs import start
from cases import Case
from record import write_record
from trials import METHODS, trials

from crevasse.scenes import relief, shingles, spiral

SIZE = 256


def main() -> None:
    cases = [Case(f"relief/{petals} petals", relief(SIZE, petals), 1.0) for petals in (5, 7, 13)]
    cases += [Case("relief/shingles", shingles(SIZE), 1.0), Case("relief/spiral", spiral(SIZE), 1.0)]
    write_record("details", list(trials(cases, METHODS)))


if __name__ == "__main__":
    start(main)
