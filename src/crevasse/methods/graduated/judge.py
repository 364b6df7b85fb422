"""The judge: compares surfaces by one energy, region by region."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from crevasse.cameras import Array
from crevasse.methods.graduated.engine import Engine
from crevasse.methods.graduated.evidence import JUDGE
from crevasse.methods.graduated.smooth_error import ErrorModel
from crevasse.methods.problem import Domain
from crevasse.methods.regions import Flags, choose


class Candidate(NamedTuple):
    """A surface and its energy per region."""

    heights: Array
    energies: Array
    """(regions + 1,); entry 0 is unused."""

    @classmethod
    def unrated(cls, heights: Array, domain: Domain) -> Candidate:
        """A surface that every rated one improves on."""
        return cls(heights, np.full(domain.regions + 1, np.inf))


class Proposal(NamedTuple):
    """A surface that a stage proposes, and for which regions."""

    candidate: Candidate
    where: Flags
    """Regions in which it may be accepted, (regions + 1,)."""
    compared: bool = True
    """Whether its energy must be lower; not so where the stage has changed the energy itself."""
    errors: ErrorModel | None = None
    """The error model that the stage assumed in place of the given one; None if it kept that."""


class Judge:
    """Rates surfaces by their robust energy under strict evidence, and keeps the better one of two."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def rate(self) -> Candidate:
        """The surface that the engine holds, with its energies."""
        heights, energies = self._engine.heights, self._engine.energies(JUDGE)
        for term in self._engine.terms:
            energies += term.cost(heights, self._engine.domain)
        return Candidate(heights, energies)

    def improves(self, best: Candidate, proposal: Proposal) -> bool:
        """Whether the proposal is accepted in any region."""
        return bool(self._better(best, proposal).any())

    def accept(self, best: Candidate, proposal: Proposal) -> Candidate:
        """The proposal in the regions where it is better, the best surface so far elsewhere."""
        found, better = proposal.candidate, self._better(best, proposal)
        return Candidate(
            choose(better, self._engine.domain, found.heights, best.heights),
            np.where(better, found.energies, best.energies),
        )

    @staticmethod
    def _better(best: Candidate, proposal: Proposal) -> Flags:
        lower = proposal.candidate.energies < best.energies
        return proposal.where & lower if proposal.compared else proposal.where
