"""Solve for all heights together: normals keep the detail, known heights the rest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from crevasse.cameras import Array
from crevasse.methods.graduated.evidence import POLISH
from crevasse.methods.graduated.gauge import known_heights
from crevasse.methods.graduated.judge import Candidate, Proposal
from crevasse.methods.graduated.noise import is_noisy
from crevasse.methods.graduated.rules import REDESCENDING, SETTLED, Bounds, frozen
from crevasse.methods.graduated.stages.place_parts import refresh
from crevasse.methods.graduated.stages.stage import Context, Iterating, Once
from crevasse.methods.graduated.terms.prior import KnownHeights

if TYPE_CHECKING:
    from crevasse.methods.graduated.method import Graduated

SOFTNESS = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0)
"""Errors of the normals' slopes, in pixels per pair, that are tried where normals may err smoothly."""
ROUNDS = 5
"""Times that known heights are weighed anew."""
SOLVER_ITERATIONS = 12
DRIFT = 2.0
"""Square of the deviation of block means, relative to what noise of the prior explains, from which normals err..."""
EXPLAINED = 1.3
"""...and down to which they follow the prior then."""
BLOCK, SAMPLES = 24, 6
"""Least side of these blocks in pixels, and in samples of the prior."""
FEWEST_POINTS = 8
"""Points that can tell whether a surface drifts."""
MIDDLE = 0.455
"""Median of a squared standard normal variable."""


@dataclass(frozen=True)
class JointSolve(Once):
    """The change of the surface that brings it to known heights, with the weights of the pairs as they are.

    Where the surface drifts away from the prior, slopes get a further error: the least with which means over blocks
    differ from the prior by no more than its noise explains. More would follow the noise itself. A surface that does
    not drift keeps its shape, unless depths are fixed.
    """

    def planned(self, settings: Graduated) -> int:
        return 0

    def propose(self, context: Context, best: Candidate) -> Iterating[Proposal]:
        yield from ()
        term = known_heights(context.engine)
        if term is None:
            return Proposal(best, ~context.every_region)
        context.engine.warm_start(best.heights)
        term = refresh(context, term)
        drifts = measure_drift(term, best.heights) > DRIFT
        if not drifts and not term.is_fixed:
            return Proposal(best, ~context.every_region)
        heights = self._solve(context, term, best.heights, 0.0)
        for softness in SOFTNESS if drifts else ():
            if measure_drift(term, heights) < EXPLAINED:
                break
            heights = self._solve(context, term, best.heights, softness)
        context.engine.warm_start(heights)
        return Proposal(context.judge.rate(), context.every_region, compared=False)

    def _solve(self, context: Context, term: KnownHeights, surface: Array, softness: float) -> Array:
        engine, tolerance = context.engine, context.settings.solver_tolerance
        weights = REDESCENDING if is_noisy(context.noise).any() else SETTLED
        engine.warm_start(surface)
        engine.iterate(POLISH, weights, 1, tolerance, True)
        change = np.zeros_like(surface)
        engine.clear()
        for number in range(ROUNDS):
            pins, pulls = term.pins(surface + change)
            known = change + pulls
            if not (pins > 0).any():
                break
            at = known[pins > 0]
            engine.set_pins(pins, known)
            bounds = Bounds(min(float(at.min()), 0.0), max(float(at.max()), 0.0))
            engine.iterate(POLISH, frozen(0.0 if number else softness), SOLVER_ITERATIONS, tolerance, True, bounds)
            change = engine.heights
        engine.set_pins(None, None)
        return np.where(context.domain.mask, surface + change, 0.0)


def _point_drift(term: KnownHeights, surface: Array) -> float:
    """The same for points."""
    found = term.points(surface)
    return float(np.median(found.squares)) / MIDDLE if len(found.gap) >= FEWEST_POINTS else 0.0


def measure_drift(term: KnownHeights, surface: Array) -> float:
    """Squared deviation of block means of the gaps, relative to what the noise of the prior explains."""
    if term.heights is None or not term.follow:
        return _point_drift(term, surface)
    gaps, known = term.gaps(surface)
    side = int(max(BLOCK, SAMPLES * term.error.spacing))
    rows, columns = np.nonzero(known)
    values, sigma = gaps[known], term.sigma[known] if isinstance(term.sigma, np.ndarray) else term.sigma
    blocks = (rows // side) * (known.shape[1] // side + 1) + columns // side
    order = np.lexsort((values, blocks))
    _, first, count = np.unique(blocks[order], return_index=True, return_counts=True)
    enough = count >= side * side / 4
    if np.count_nonzero(enough) < 8:
        return 0.0
    middle = values[order][(first + count // 2)[enough]]
    expected = np.pi / 2 * np.mean(np.square(sigma)) / (count[enough] * term.share)
    return float(np.median(np.square(middle - np.median(middle)) / expected)) / MIDDLE
