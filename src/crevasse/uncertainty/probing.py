"""Propagate random errors to heights by solving the final system for them.

With weights that are inverse variances, the covariance of the heights is the pseudo-inverse of the weighted Laplacian
L = D^T W D. Its diagonal is estimated by probing: for white noise e on the pairs, x = L^+ D^T sqrt(W) e has this
covariance, so that the mean of x^2 over samples tends to the diagonal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from crevasse.cameras import Array
from crevasse.solve import LinearSystem

TOLERANCE = 1e-3
"""Relative residual of a probe. At 1e-2 a part that hardly anything holds still counts as sure: its share of the
residual is as small as its weights."""
ITERATIONS = 40
"""Most iterations of a probe."""


class Fluxes(NamedTuple):
    """Weights times random steps, of the pairs to the right (H, W-1) and downwards (H-1, W)."""

    right: Array
    down: Array


def white_fluxes(right: Array, down: Array, samples: int, seed: int) -> Iterator[Fluxes]:
    """Samples of noise that is independent between pairs, with the variances 1 / w that these weights stand for."""
    random = np.random.default_rng(seed)
    roots = np.sqrt(right), np.sqrt(down)
    for _ in range(samples):
        yield Fluxes(*(root * random.choice([-1.0, 1.0], root.shape) for root in roots))


def probe(system: LinearSystem, fluxes: Iterable[Fluxes], level: Callable[[Array], Array]) -> Array:
    """Root mean square over samples of the heights that these fluxes cause, (H, W).

    Parameters
    ----------
    level : fixes the gauge of heights
    """
    total, count = np.zeros(()), 0
    for flux in fluxes:
        heights = system.solve(*flux, tolerance=TOLERANCE, iterations=ITERATIONS).heights
        total = total + np.square(level(heights))
        count += 1
    return np.asarray(np.sqrt(total / count))
