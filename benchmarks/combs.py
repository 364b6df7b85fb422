"""The supplement's combs: teeth of several frequencies, errors in pixels."""

from cached_runs import start
from cases import Case
from record import write_record
from trials import METHODS, trials

from crevasse.scenes import comb

SIZE = 256
TEETH = (4, 8, 16, 32)


def main() -> None:
    cases = [Case(f"comb/{teeth} teeth", comb(SIZE, teeth), 1.0) for teeth in TEETH]
    write_record("combs", list(trials(cases, METHODS)))


if __name__ == "__main__":
    start(main)
