"""The compiled kernels of the method, behind calls that say what they depend on."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array
from crevasse.lattice import Pairs
from crevasse.methods.graduated.evidence import Evidence
from crevasse.methods.graduated.noise import estimate_noise
from crevasse.methods.graduated.terms.term import Term
from crevasse.methods.problem import Problem
from crevasse.native import Graduated as Kernels

Given = tuple[Array, Array, Array, NDArray[np.uint8], NDArray[np.int32] | None, Array, NDArray[np.int8] | None]
"""What the kernels are given of a problem."""


class Weights(NamedTuple):
    """How an outer iteration weighs the pairs, given their jumps."""

    kind: str
    scale: float = 0.0
    """Jump in pixels that is still tolerated."""


FLAT = "flat"
"""Annealed weights as if nothing jumped yet: the first iteration from a flat surface."""
ANNEALED = "annealed"
"""w = 1/2 sum of 1 / (S + K D^2), S = v + scale^2 A."""
REDESCENDING = Weights("redescending")
"""Geman-McClure: w = 1/2 sum of S / (S + K D^2)^2, S = 4 (v + 0.01^2)."""
SETTLED = Weights("settled")
"""The same, flat within the noise: only what sticks out of it counts as a jump."""


class PartMoves(NamedTuple):
    """When a part of the surface is moved.

    The result is insensitive to these values; halving or doubling any of them gives the same surface.
    """

    parts: int = 1000
    """Pixels are merged along their strongest bonds until this many parts are left."""
    gain: float = 20.0
    """Least fall of the energy; opening a contact that nothing speaks for or against costs 1."""
    distance: float = 1.0
    """Shortest move in pixels; the iterations themselves close smaller gaps."""
    candidates: int = 16
    """Open cracks tried for each move."""
    moves: int = 20
    """Most moves per call."""


class IslandRules(NamedTuple):
    """When nothing holds a part in its place."""

    slip: float = 1.0
    """Pixels by which a part is moved to see whether anything holds it."""
    doubt: float = 0.2
    """Energy per contact of its border below which nothing does; a contact that surely opens costs 1."""
    bridge: float = 10.0
    """Energy below which a bridge holds nothing, however long the border is beside it."""
    smallest: int = 64
    """Pixels of the smallest island; smaller parts are joined to a neighbour."""


class Iterated(NamedTuple):
    """What one outer iteration did."""

    energy: float
    """Before the iteration."""
    change: float
    """Sum of the absolute changes of height."""
    solver_iterations: int


class Engine:
    """Holds a surface, the slopes it has to meet and the constants of their pairs.

    Evidence is an argument of every call that depends on it; the kernels recompute it only when it changes. What
    changes the energy itself is explicit: `set_slopes` and `add`.

    Attributes
    ----------
    domain : the pixels
    terms : what the energy contains besides the normals and the hints
    """

    def __init__(self, problem: Problem, noise: Array) -> None:
        curvature = problem.domain.planes.curvature
        assert curvature is not None
        self.domain = problem.domain
        self.terms: tuple[Term, ...] = ()
        self._kernels = Kernels(*_given(problem, noise), curvature, problem.threads)

    @property
    def heights(self) -> Array:
        """A copy of the surface, (H, W)."""
        heights = np.empty(self.domain.mask.shape)
        self._kernels.read(heights)
        return heights

    def warm_start(self, heights: Array) -> None:
        """Continue from this surface."""
        self._kernels.write(heights)

    def clear(self) -> None:
        """Start from a flat surface."""
        self._kernels.write(np.zeros(self.domain.mask.shape))

    def set_slopes(self, problem: Problem) -> None:
        """Give the surface other slopes to meet; the evidence stays with the slopes given at first."""
        for term in self.terms:
            problem = term.without(problem)
        self._kernels.retarget(*_given(problem, estimate_noise(problem)))
        for term in self.terms:
            term.restore(self)

    def add(self, term: Term) -> None:
        """Add a term to the energy."""
        term.apply(self)
        self.terms = (*self.terms, term)

    def add_steps(
        self, pixels: NDArray[np.int64], sources: NDArray[np.int64], pairs: NDArray[np.int64], steps: Array
    ) -> None:
        """Give pixels the planes of their sources, and pairs known steps; see `terms.spanning`."""
        self._kernels.build_walls(pixels, sources, pairs, steps)

    def iterate(
        self, evidence: Evidence, weights: Weights, solver_iterations: int, tolerance: float, rebuild: bool
    ) -> Iterated:
        """One outer iteration: weigh the pairs, then solve for the heights.

        Parameters
        ----------
        solver_iterations, tolerance : when the linear solver ends
        rebuild : whether the solver computes its coarse operators anew
        """
        self._consider(evidence)
        scale = {"settled": -1.0}.get(weights.kind, weights.scale)
        flat = weights.kind == FLAT
        return Iterated(*self._kernels.step(scale, flat, solver_iterations, tolerance, rebuild))

    def energies(self, evidence: Evidence) -> Array:
        """Robust energy of the surface per region, (regions + 1,)."""
        self._consider(evidence)
        energies = np.zeros(self.domain.regions + 1)
        self._kernels.energies(self.domain.several_labels, energies)
        return energies

    def cuts(self, evidence: Evidence) -> Pairs:
        """Pairs whose jump is an outlier or was forced."""
        self._consider(evidence)
        height, width = self.domain.mask.shape
        right, down = np.zeros((height, width - 1), np.uint8), np.zeros((height - 1, width), np.uint8)
        self._kernels.cuts(right, down)
        right, down = _whole(right, (height, width)), _whole(down, (height, width))
        if self.domain.hints is not None:
            h = self.domain.hints
            right[:, :-1] |= _forced(h[:, :-1], h[:, 1:]) & self.domain.pairs[0]
            down[:-1] |= _forced(h[:-1], h[1:]) & self.domain.pairs[1]
        return Pairs(right.view(bool), down.view(bool))

    def move_parts(self, evidence: Evidence, rules: PartMoves) -> bool:
        """Move rigid parts to where the energy is lower; whether any moved."""
        self._consider(evidence)
        return self._kernels.dock(*rules)

    def islands(self, evidence: Evidence, rules: IslandRules) -> tuple[NDArray[np.int32], int]:
        """Parts whose place the energy does not determine: labels from 1, largest first, and their number."""
        self._consider(evidence)
        labels = np.zeros(self.domain.mask.shape, np.int32)
        return labels, self._kernels.islands(*rules, labels)

    def targets(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Difference of height that each pair should have, right and down, (H, W) each."""
        return self._constants(0)

    def variances(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Variance of each target; negative where there is no pair."""
        return self._constants(2)

    def release(self) -> None:
        """Free all memory but that of the heights, which can still be read."""
        self._kernels.release()

    def _constants(self, which: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        height, width = self.domain.mask.shape
        right, down = np.zeros((height, width - 1), np.float32), np.zeros((height - 1, width), np.float32)
        self._kernels.constants(which, right, down)
        return _whole(right, (height, width)), _whole(down, (height, width))

    def _consider(self, evidence: Evidence) -> None:
        self._kernels.begin(math.radians(evidence.angle), *evidence[1:], True)


def _given(problem: Problem, noise: Array) -> Given:
    slopes, domain = problem.slopes, problem.domain
    mask = domain.mask.view(np.uint8)
    return slopes.across, slopes.along, slopes.cosine, mask, domain.several_labels, noise, domain.hints


def _whole(image, shape):
    return np.pad(image, [(0, full - part) for full, part in zip(shape, image.shape, strict=True)])


def _forced(first, second):
    return np.asarray((first == 1) | (second == 1) | ((first > 0) & (second > 0) & (first + second == 5)))
