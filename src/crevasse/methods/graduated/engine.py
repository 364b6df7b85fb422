"""Call the compiled kernels of the method, with every dependency explicit."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import GRAZING, MOST_RISE, Array
from crevasse.lattice import Pairs
from crevasse.methods.graduated.evidence import Evidence
from crevasse.methods.graduated.kernel_arguments import corner_offsets, describe_problem
from crevasse.methods.graduated.noise import NOISY, estimate_noise
from crevasse.methods.graduated.rules import UNBOUNDED, Bounds, IslandRules, Iterated, PartMoves, Weights
from crevasse.methods.graduated.terms.term import Term
from crevasse.methods.graduated.views.denoise import WINDOW
from crevasse.methods.problem import Problem
from crevasse.native import EngineConstants, GraduatedEngine

NOISE_FLOOR = 0.002
"""Smallest noise of slopes in the variances: the discretisation error of exact normals."""
OUTLIER = 5.0
"""Standard deviations from which a jump is an outlier."""
CONSTANTS = EngineConstants(GRAZING, NOISY, WINDOW, NOISE_FLOOR, OUTLIER, MOST_RISE)

Single = NDArray[np.float32]
FarContacts = tuple[NDArray[np.int64], NDArray[np.int64], Single, Single, Single]


class Engine:
    """Holds a surface, the target slopes and the constants of their pairs.

    Evidence is an argument of every call that depends on it; the kernels recompute it only when it changes. What
    changes the energy itself is explicit: `set_slopes` and `add`. Arrays of pairs are (H, W) each, right and down.

    Attributes
    ----------
    domain : the pixels
    terms : what the energy contains besides the normals and the hints
    """

    def __init__(self, problem: Problem, noise: Array) -> None:
        curvature = problem.domain.planes.curvature
        self.domain = problem.domain
        self.terms: tuple[Term, ...] = ()
        self.threads_asked = problem.threads
        self._kernels = GraduatedEngine(
            *describe_problem(problem, noise), curvature or 0.0, CONSTANTS, problem.threads
        )

    @property
    def threads(self) -> int:
        """Number of threads that could be started."""
        return self._kernels.threads

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
        self._kernels.clear()

    def set_slopes(self, problem: Problem) -> None:
        """Replace the target slopes; the evidence stays that of the first slopes."""
        for term in self.terms:
            problem = term.without(problem)
        self._kernels.set_slopes(*describe_problem(problem, estimate_noise(problem)))
        for term in self.terms:
            term.restore(self)

    def set_variances(self, problem: Problem, noise: Array) -> None:
        """Let the variances of all pairs follow from this noise; the evidence stays that of the first noise.

        Parameters
        ----------
        problem : as the engine was given it
        noise : standard deviation of the slopes per region, (regions + 1,)
        """
        self._kernels.set_slopes(*describe_problem(problem, noise))

    def add(self, term: Term) -> None:
        """Add a term to the energy."""
        term.apply(self)
        self.terms = (*self.terms, term)

    def add_steps(
        self, pixels: NDArray[np.int64], sources: NDArray[np.int64], pairs: NDArray[np.int64], steps: Array
    ) -> None:
        """Give pixels the planes of their sources, and pairs known steps; see `terms.spanning`."""
        offsets = None
        if len(pixels) and self.domain.planes.curvature is None:
            right, down = self._pairs(self._kernels.slopes)
            for image in (right, down):
                image.ravel()[pixels] = image.ravel()[sources]
            offsets = corner_offsets(self.domain.planes, right, down)
        self._kernels.add_spanning(pixels, sources, pairs, steps, offsets)

    def iterate(
        self,
        evidence: Evidence,
        weights: Weights,
        solver_iterations: int,
        tolerance: float,
        rebuild: bool,
        bounds: Bounds = UNBOUNDED,
    ) -> Iterated:
        """One outer iteration: weigh the pairs, then solve for the heights.

        Parameters
        ----------
        solver_iterations, tolerance : when the linear solver stops
        rebuild : whether the solver recomputes its coarse operators
        bounds : heights that no pixel may leave
        """
        self._set_evidence(evidence)
        return Iterated(*self._kernels.iterate(*weights, solver_iterations, tolerance, rebuild, *bounds))

    def energies(self, evidence: Evidence) -> Array:
        """Robust energy of the surface per region, (regions + 1,)."""
        self._set_evidence(evidence)
        energies = np.zeros(self.domain.regions + 1)
        self._kernels.energies(self.domain.several_labels, energies)
        return energies

    def cuts(self, evidence: Evidence) -> Pairs:
        """Pairs whose jump is an outlier, known or forced."""
        self._set_evidence(evidence)
        right, down = (np.zeros(self.domain.mask.shape, np.uint8) for _ in range(2))
        self._kernels.cuts(right, down)
        return Pairs(right.view(bool), down.view(bool))

    def move_parts(self, evidence: Evidence, rules: PartMoves, given: FarContacts | None = None) -> bool:
        """Move rigid parts to where the energy is lower; whether any did. Contacts of far pixels may be given."""
        self._set_evidence(evidence)
        return self._kernels.move_parts(*rules, given)

    def set_pins(self, pins: Array | None, known: Array | None) -> None:
        """Pull pixels to known heights from the next iteration on, by pin (height - known)^2; None: no longer."""
        self._kernels.set_pins(pins, known)

    def islands(self, evidence: Evidence, rules: IslandRules) -> tuple[NDArray[np.int32], int]:
        """Parts whose position the energy does not determine: labels from 1, largest first, and their number."""
        self._set_evidence(evidence)
        labels = np.zeros(self.domain.mask.shape, np.int32)
        return labels, self._kernels.islands(*rules, labels)

    def targets(self) -> tuple[Single, Single]:
        """Difference of height that each pair should have."""
        return self._pairs(self._kernels.targets)

    def variances(self) -> tuple[Single, Single]:
        """Variance of each target; negative where there is no pair."""
        return self._pairs(self._kernels.variances)

    def doubts(self, evidence: Evidence) -> tuple[tuple[Single, Single], tuple[Single, Single]]:
        """How likely jumps are (K): with the first pixel of a pair in front, and with the second."""
        self._set_evidence(evidence)
        return self._pairs(self._kernels.doubts_ahead), self._pairs(self._kernels.doubts_behind)

    def weights(self) -> tuple[Single, Single]:
        """Weights of the last iteration."""
        return self._pairs(self._kernels.weights)

    def release(self) -> None:
        """Free all memory but that of the heights, which can still be read."""
        self._kernels.release()

    def _pairs(self, fill: Callable[[Single, Single], None]) -> tuple[Single, Single]:
        right, down = (np.zeros(self.domain.mask.shape, np.float32) for _ in range(2))
        fill(right, down)
        return right, down

    def _set_evidence(self, evidence: Evidence) -> None:
        self._kernels.set_evidence(math.radians(evidence.angle), *evidence[1:])
