"""The interface of terms of the energy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array
from crevasse.methods.problem import Domain, Problem
from crevasse.methods.regions import Flags

if TYPE_CHECKING:
    from crevasse.methods.graduated.engine import Engine


PairIndices = tuple[tuple[NDArray[np.int64], NDArray[np.int64]], tuple[NDArray[np.int64], NDArray[np.int64]]]
"""Rows and columns of the first pixels of pairs: right, then down."""


class Term(Protocol):
    """A summand of the energy besides the normals."""

    def apply(self, engine: Engine) -> None:
        """Add the term to an engine that holds the slopes of the map."""
        ...

    def without(self, problem: Problem) -> Problem:
        """The problem without slopes that only this term can explain."""
        ...

    def restore(self, engine: Engine) -> None:
        """Add the term again, to an engine whose slopes are those of `without`."""
        ...

    def regions(self, domain: Domain) -> Flags:
        """Regions that the term concerns, (regions + 1,)."""
        ...

    def known_pairs(self, domain: Domain) -> PairIndices:
        """Pairs whose height difference the term knows."""
        ...

    def cost(self, surface: Array, domain: Domain) -> Array:
        """What the term adds to the judge's energy of a surface, besides what it does to pairs, (regions + 1,)."""
        ...

    def describe(self) -> str | None:
        """What was found, as a sentence for the user."""
        ...
