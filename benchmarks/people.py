"""The paper's experiment with people, seen under 33.4 degrees, on the rendered scenes: errors in pixels."""

from cached_runs import start
from record import write_record
from trials import METHODS, group, trials


def main() -> None:
    write_record("accuracy-scenes", list(trials(group("scenes"), METHODS)))


if __name__ == "__main__":
    start(main)
