"""Table 1 of the paper: errors on DiLiGenT in millimetres, every method, beside what the paper prints."""

from record import write_record
from trials import METHODS, group, printed, trials


def main() -> None:
    rows = [*printed(), *trials(group("diligent"), METHODS)]
    write_record("accuracy-diligent", rows)


if __name__ == "__main__":
    main()
