"""Solve weighted Laplacian systems on a pixel grid."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from crevasse.cameras import Array
from crevasse.lattice import divergence
from crevasse.native import Solver


class Solution(NamedTuple):
    """Solution of a system, and the work it took."""

    heights: Array
    iterations: int
    residual: float
    """Norm of the last residual over that of the right side."""
    converged: bool
    threads: int
    """Number of threads that could be started."""


class LinearSystem:
    """Minimises sum w (difference)^2 - 2 flux (difference) over pairs of neighbouring points of an (H, W) grid.

    Parameters
    ----------
    weight_right, weight_down : (H, W-1) and (H-1, W) arrays, >= 0; 0 where there is no pair
    threads : how many threads the solver may use; the result does not depend on it
    """

    def __init__(self, weight_right: Array, weight_down: Array, threads: int = 1) -> None:
        self._solver = Solver(np.ascontiguousarray(weight_right), np.ascontiguousarray(weight_down), threads)

    def reweight(self, weight_right: Array, weight_down: Array) -> None:
        """Replace the weights of the same pairs."""
        self._solver.load(np.ascontiguousarray(weight_right), np.ascontiguousarray(weight_down))

    def solve(
        self,
        flux_right: Array,
        flux_down: Array,
        start: Array | None = None,
        tolerance: float = 1e-8,
        iterations: int = 200,
    ) -> Solution:
        """Solve for the heights.

        Parameters
        ----------
        flux_right, flux_down : weight * target difference, shaped as the weights
        start : (H, W) array to start from
        tolerance : relative residual at which to stop
        iterations : maximal number of iterations
        """
        return self.solve_for(divergence(flux_right, flux_down), start, tolerance, iterations)

    def solve_for(
        self, side: Array, start: Array | None = None, tolerance: float = 1e-8, iterations: int = 200
    ) -> Solution:
        """Solve with this right side, (H, W), whose sum over each connected part is 0."""
        heights = np.zeros_like(side) if start is None else np.array(start, float)
        done, residual = self._solver.solve(side, heights, tolerance, iterations)
        return Solution(heights, done, residual, residual <= tolerance, self._solver.threads)


def solve(
    weight_right: Array,
    weight_down: Array,
    flux_right: Array,
    flux_down: Array,
    *,
    start: Array | None = None,
    tolerance: float = 1e-8,
    iterations: int = 200,
    threads: int = 1,
) -> Solution:
    """Solve one system; see `LinearSystem`."""
    system = LinearSystem(weight_right, weight_down, threads)
    return system.solve(flux_right, flux_down, start, tolerance, iterations)
