"""Algorithm 1 of the paper step by step in NumPy, the plain twin of the native kernel."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array
from crevasse.lattice import jumps_across
from crevasse.methods.auxiliary import AuxiliaryEdges, measure_tangency
from crevasse.methods.corners import Edges, Pair, lay_out, level_corners, solve_depth
from crevasse.methods.problem import Problem


def run_plainly(settings: AuxiliaryEdges, problem: Problem, iterations: int) -> tuple[Array, float]:
    """Corners after an iteration, and the energy of the last solve."""
    lattice = lay_out(problem)
    right, down = measure_tangency(problem, settings)
    tangency = right.repeat(2, axis=0), down.repeat(2, axis=1)
    corners, energy = np.zeros(lattice.shape), 0.0
    jumps, weights = lattice.no_jumps(), lattice.unit_weights()
    for iteration in range(1, iterations + 1):
        strength = settings.strength(iteration)
        corners, _, energy = solve_depth(lattice, jumps, weights, strength, corners, settings.tolerance)
        steps = lattice.inside(jumps_across(corners))
        if settings.reweighting:
            left = (steps[0] - jumps[0], steps[1] - jumps[1]) if settings.weighted_by == "residual" else steps
            weights = lattice.inside(reweight(left, settings.threshold))
        if settings.filtering:
            units = steps[0] / settings.filter_unit, steps[1] / settings.filter_unit
            first, second = filter_jumps(units, tangency, lattice.connected, settings)
            jumps = first * steps[0], second * steps[1]
    return level_corners(corners, problem), energy


def reweight(steps: Pair, threshold: float) -> Pair:
    """w = min(1 / D^2, 1), D in thresholds."""
    right, down = (1.0 / np.maximum(np.square(step / threshold), 1.0) for step in steps)
    return right, down


def filter_jumps(steps: Pair, tangency: Pair, connected: Edges, settings: AuxiliaryEdges) -> Pair:
    """f = logistic(k L) where L > 0, else 0: keeps jumps that are local maxima."""
    from scipy.special import expit

    mirrored = settings.border == "mirror"
    right = maximality(np.square(tangency[0] * steps[0]), connected[0], mirrored)
    down = maximality(np.square(tangency[1] * steps[1]).T, connected[1].T, mirrored).T
    first, second = (np.where(excess > 0, expit(settings.sharpness * excess), 0.0) for excess in (right, down))
    return first, second


def maximality(square: Array, connected: NDArray[np.bool_], mirrored: bool) -> Array:
    """L = 2 G^2 - G'^2 - G''^2 along the rows of G^2; a missing neighbour counts as 0, or as the edge itself."""
    before, after = np.zeros_like(square), np.zeros_like(square)
    before[:, 1:], after[:, :-1] = square[:, :-1], square[:, 1:]
    if mirrored:
        missing_before, missing_after = np.ones(square.shape, bool), np.ones(square.shape, bool)
        missing_before[:, 1:], missing_after[:, :-1] = ~connected[:, :-1], ~connected[:, 1:]
        before, after = np.where(missing_before, square, before), np.where(missing_after, square, after)
    return 2 * square - before - after
