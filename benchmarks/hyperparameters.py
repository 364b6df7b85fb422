"""The supplement's table of hyperparameters (k, soft, hard) on DiLiGenT."""

from dataclasses import replace

from cached_runs import start
from record import write_record
from trials import METHODS, OBJECTS, group, trials

PRINTED = {
    (1000, 0.2, 1.2): (0.45, 0.67, 0.24, 0.06, 2.44, 0.57, 0.19, 0.15, 9.02),
    (100, 0.2, 1.2): (0.49, 0.41, 0.20, 0.21, 2.94, 0.60, 0.17, 0.42, 9.15),
    (2000, 0.2, 1.2): (0.48, 0.78, 0.23, 0.10, 2.98, 0.62, 0.20, 0.16, 9.00),
    (100, 0.1, 1.1): (0.36, 1.64, 0.14, 0.13, 4.38, 0.58, 0.20, 0.40, 9.04),
    (1000, 0.1, 1.1): (0.30, 2.40, 0.16, 0.13, 4.93, 0.70, 0.24, 0.52, 7.95),
    (2000, 0.1, 1.1): (0.14, 2.44, 0.15, 0.15, 5.21, 0.81, 0.25, 0.65, 7.90),
}


def main() -> None:
    cases = group("diligent")
    base = METHODS["auxiliary edges"]
    methods = {
        f"k {k}, soft {soft}, hard {hard}": replace(base, sharpness=float(k), soft=soft, hard=hard)  # type: ignore[type-var]
        for k, soft, hard in PRINTED
    }
    rows = [
        {"object": thing, "method": f"{name}, printed", "made": value}
        for name, values in zip(methods, PRINTED.values(), strict=True)
        for thing, value in zip(OBJECTS, values, strict=True)
    ]
    write_record("hyperparameters", [*rows, *trials(cases, methods)])


if __name__ == "__main__":
    start(main)
