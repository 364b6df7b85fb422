"""Methods that refuse, break or are interrupted."""

from dataclasses import dataclass
from typing import ClassVar

from crevasse.methods import Poisson


@dataclass(frozen=True)
class Whole(Poisson):
    """Poisson that wants a full rectangle, as Fourier methods do."""

    name: ClassVar[str] = "whole"
    accepts: ClassVar[frozenset[str]] = frozenset()


@dataclass(frozen=True)
class Broken(Poisson):
    name: ClassVar[str] = "broken"

    def run(self, problem):
        raise ZeroDivisionError("no such luck")
        yield


@dataclass(frozen=True)
class Interrupted(Poisson):
    name: ClassVar[str] = "interrupted"

    def run(self, problem):
        raise KeyboardInterrupt
        yield
