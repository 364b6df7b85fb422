"""The outer iterations: anneal from large jumps to small ones, then polish."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from crevasse.methods.graduated.engine import Engine
from crevasse.methods.graduated.evidence import POLISH, Evidence
from crevasse.methods.graduated.progress import Iteration
from crevasse.methods.graduated.rules import REDESCENDING, UNBOUNDED, Bounds, Weights, annealed
from crevasse.methods.regions import level_regions

if TYPE_CHECKING:
    from crevasse.methods.graduated.method import Graduated

FALL = 0.001
"""Factor by which the tolerated jump falls in the course of annealing."""
STRIDE = 3
"""Steps of the schedule that are taken at once while the surface hardly moves."""
REBUILD = 4
"""Iterations between two updates of the solver's coarse operators."""
STILL, STILL_POLISHES = 1 / 2, 6
"""A polish ends after so many iterations that change the surface by less than this share of `skip_below`..."""
FIXED = 1 / 4
"""...or after `REBUILD` in a row below this share: one of them had new coarse operators, so that the surface is a
fixed point, and not just slow to move with the old ones."""
UNRESTRAINED = 8
"""Iterations of a cold start in which a pixel may move anywhere: every weight is large as long as large jumps are
tolerated."""


@dataclass(frozen=True)
class Schedule:
    """Iteratively reweighted least squares with the tolerance of jumps lowered step by step.

    Attributes
    ----------
    skip_below : mean change in pixels below which iterations are skipped; 0 makes all of them
    """

    engine: Engine
    settings: Graduated
    skip_below: float

    def anneal(self, evidence: Evidence, start: int, begin: int = 0, after: int = 0) -> Iterator[Iteration]:
        """Lower the tolerated jump from iteration `begin` of the schedule on (graduated non-convexity).

        Parameters
        ----------
        after : iterations that the stage plans after these
        """
        settings = self.settings
        falling = max(settings.iterations - settings.final_iterations - 5, 1)
        k, made = begin, 0
        bounds = reach(self.engine) if begin else UNBOUNDED
        while k < settings.iterations:
            if begin == 0 and made == UNRESTRAINED:
                bounds = reach(self.engine)
            final = k >= settings.iterations - settings.final_iterations
            scale = settings.scale * FALL ** min(1.0, k / falling)
            weights = REDESCENDING if final else annealed(scale, k == 0)
            step = self._iterate(evidence, weights, start, k, made, bounds)
            skipped = step.change < self.skip_below and k + STRIDE < falling
            stride = STRIDE if skipped else 1
            yield step._replace(left=max(settings.iterations - k - stride, 0) + after)
            made += 1
            k += stride

    def polish(self, start: int, after: int = 0) -> Iterator[Iteration]:
        """Iterate with redescending weights and the lenient evidence until nothing moves."""
        still, fixed, most, bounds = 0, 0, self.settings.polish_iterations, reach(self.engine)
        for made in range(most):
            step = self._iterate(POLISH, REDESCENDING, start, self.settings.iterations + made, made, bounds)
            still += step.change < STILL * self.skip_below
            fixed = fixed + 1 if step.change < FIXED * self.skip_below else 0
            ended = still == STILL_POLISHES or fixed == REBUILD
            yield step._replace(left=after if ended else most - made - 1 + after)
            if ended:
                break

    def _iterate(
        self, evidence: Evidence, weights: Weights, start: int, number: int, made: int, bounds: Bounds
    ) -> Iteration:
        settings, engine = self.settings, self.engine
        found = engine.iterate(
            evidence, weights, settings.solver_iterations, settings.solver_tolerance, made % REBUILD == 0, bounds
        )
        return Iteration(
            start,
            number,
            0,
            found.energy,
            found.change / engine.domain.pixels,
            weights.scale,
            found.solver_iterations,
            lambda: level_regions(engine.heights, engine.domain),
        )


def reach(engine: Engine) -> Bounds:
    """How far any pixel may move: beyond the current surface by as much as its mean slope rises across the map.

    A part that only the smallest weights hold cannot be placed in single precision: its step is a rounding error
    divided by almost nothing, and may lead anywhere.
    """
    heights, (right, down) = engine.heights, engine.domain.steepness
    slope = float(np.abs(right).sum() + np.abs(down).sum()) / engine.domain.pixels
    far = (1 + slope) * sum(heights.shape)
    return Bounds(float(heights.min()) - far, float(heights.max()) + far)
