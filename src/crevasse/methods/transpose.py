"""Transpose tall narrow maps, because the kernels work along rows and short rows are slow."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Slopes
from crevasse.lattice import Pairs
from crevasse.methods.problem import Outcome, Problem, Run, Step, change_steps, pose

NARROW = 128
"""Number of columns from which rows are long enough for their margins not to matter."""
TALL = 4
"""Ratio of height to width from which a narrow map is transposed."""


def is_tall(shape: tuple[int, ...]) -> bool:
    """Whether a map of this shape is cheaper to solve transposed."""
    height, width = shape
    return width < NARROW and height > TALL * width


def transpose(problem: Problem) -> Problem:
    """The same map with rows and columns exchanged."""
    slopes, domain = problem.slopes, problem.domain
    hints = None if domain.hints is None else _turn(domain.hints)
    weights = None if domain.weights is None else _turn(domain.weights)
    turned = Slopes(_turn(slopes.cosine), _turn(slopes.along), _turn(slopes.across))
    known = (
        None if domain.known is None else domain.known.carried(_turn, lambda at: _turn_pixels(at, domain.mask.shape))
    )
    return pose(turned, _turn(domain.mask), domain.planes.transposed(), problem.threads, hints, weights, known)


def transpose_back(run: Run) -> Run:
    """Transpose the steps and the outcome of a run back."""
    outcome = yield from change_steps(run, _turn_step)
    cuts = None if outcome.cuts is None else Pairs(_turn(outcome.cuts.down), _turn(outcome.cuts.right))
    return Outcome(
        _turn(outcome.heights),
        outcome.status,
        cuts,
        None if outcome.corners is None else _turn(outcome.corners),
        None if outcome.islands is None else _turn(outcome.islands),
        outcome.warnings,
        noise=outcome.noise,
        metric=outcome.metric,
    )


def _turn_step(step: Step) -> Step:
    corners = step.corners
    return step._replace(
        heights=lambda: _turn(step.heights()), corners=None if corners is None else lambda: _turn(corners())
    )


def _turn_pixels(pixels: NDArray[np.int64], shape: tuple[int, ...]) -> NDArray[np.int64]:
    """Flat indices of the same pixels in the transposed map."""
    rows, columns = np.divmod(pixels, shape[1])
    return np.asarray(columns * shape[0] + rows)


def _turn(image: NDArray[Any]) -> NDArray[Any]:
    return np.ascontiguousarray(image.T)
