"""Conjugate gradients for systems that are not five-point Laplacians, preconditioned by one that is."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from crevasse.cameras import Array
from crevasse.solve import LinearSystem

INNER = 2
"""Iterations of the five-point solver per application of the preconditioner."""


class Descent(NamedTuple):
    """The solution and the work it took."""

    values: Array
    iterations: int
    """Total iterations of the five-point solver."""
    converged: bool


def descend(
    apply: Callable[[Array], Array],
    side: Array,
    start: Array,
    system: LinearSystem,
    tolerance: float,
    limit: int = 200,
) -> Descent:
    """Solve apply(x) = side to a relative residual, by flexible conjugate gradients.

    Parameters
    ----------
    apply : a symmetric operator, positive semidefinite, with the constants as its null space
    system : the five-point Laplacian that approximates it
    """
    values, residual = start, side - apply(start)
    enough, done = tolerance * _norm(side), 0
    direction, before, product = np.zeros_like(side), residual, 1.0
    while done < limit and _norm(residual) > enough:
        scaled = system.solve_for(residual, tolerance=1e-12, iterations=INNER).heights
        # The preconditioner changes from step to step, hence the difference (Polak, Ribiere).
        turn = float((scaled * (residual - before)).sum()) / product if done else 0.0
        direction = scaled + turn * direction
        product, before = float((scaled * residual).sum()), residual
        image = apply(direction)
        curvature = float((direction * image).sum())
        if curvature <= 0:
            break
        length = float((direction * residual).sum()) / curvature
        values, residual, done = values + length * direction, residual - length * image, done + 1
    return Descent(values, done * INNER, _norm(residual) <= enough)


def _norm(values: Array) -> float:
    return float(np.sqrt(np.square(values).sum()))
