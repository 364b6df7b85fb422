"""The published method, Algorithm 1 of the paper."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
from scipy.special import expit

from crevasse.cameras import Array
from crevasse.lattice import jumps_across
from crevasse.methods.corners import Pair, lay_out, level_corners, pixel_heights, solve_depth
from crevasse.methods.problem import Outcome, Problem, Run, Step, check_settings
from crevasse.result import Status

CYCLE = 4
"""Iterations of one cycle of the schedule: soft, middle, hard, middle."""


@dataclass(frozen=True)
class AuxiliaryEdges:
    """Discontinuity-preserving integration with auxiliary edges (Kim, Jung, Lee, CVPR 2024), as published.

    Four corners a pixel; inside a pixel they follow the normal, between pixels the auxiliary edges carry jumps.
    Lengths are in pixels, in both cameras.

    Attributes
    ----------
    soft : strength of the jump term that heals wrong jumps (lambda_soft, 0.2)
    hard : strength of the jump term that widens right ones (lambda_hard, 1.2)
    sharpness : how sharply the filter decides what is a local maximum (k, 1000)
    tangency_floor : what a jump counts where the normals do not turn (tau, 0.01)
    iterations : at most so many solves (N_max, 5000)
    reweighting : let large jumps lose weight; False for the ablation
    filtering : carry over filtered jumps; False for the ablation
    two_pass : cycle the strength; False keeps it at the middle, for the ablation
    tolerance : relative residual at which each linear solve stops (not stated in the paper)
    stillness : the run ends when a whole cycle moves no corner by more than this, in pixels
    """

    soft: float = 0.2
    hard: float = 1.2
    sharpness: float = 1000.0
    tangency_floor: float = 1e-2
    iterations: int = 5000
    reweighting: bool = True
    filtering: bool = True
    two_pass: bool = True
    tolerance: float = 1e-6
    stillness: float = 1e-3

    name: ClassVar[str] = "auxiliary"

    def __post_init__(self) -> None:
        strengths = {"soft": (1e-6, 1e6), "hard": (1e-6, 1e6)}
        filters = {"sharpness": (0, 1e12), "tangency_floor": (0, 1e6)}
        ends = {"iterations": (1, 1e9), "tolerance": (1e-12, 0.1), "stillness": (0, 1e6)}
        check_settings(self, **strengths, **filters, **ends)

    def run(self, problem: Problem) -> Run:
        lattice = lay_out(problem)
        tangency = measure_tangency(problem, self.tangency_floor)
        corners = np.zeros(lattice.shape)
        jumps, weights = lattice.no_jumps(), lattice.unit_weights()
        cycle_start, status = corners, Status.ITERATION_LIMIT
        for iteration in range(1, self.iterations + 1):
            before, strength = corners, self.strength(iteration)
            corners, work, energy = solve_depth(lattice, jumps, weights, strength, corners, self.tolerance)
            corners = level_corners(corners, problem)
            steps = lattice.inside(jumps_across(corners))
            if self.reweighting:
                weights = lattice.inside(reweight(steps))
            if self.filtering:
                jumps = filter_jumps(steps, tangency, self.sharpness)

            change = float(np.abs(corners - before).sum() / np.count_nonzero(lattice.mask))
            heights = partial(pixel_heights, corners, lattice)
            now = partial(np.copy, corners)
            yield Step(0, iteration, self.iterations, energy, change, strength, work, heights, now)
            if iteration % CYCLE == 0:
                if np.abs(corners - cycle_start).max() <= self.stillness:
                    status = Status.CONVERGED
                    break
                cycle_start = corners
        return Outcome(pixel_heights(corners, lattice), status, corners=corners)

    def strength(self, iteration: int) -> float:
        """The schedule (Sec. 5): soft, middle, hard, middle, and again."""
        middle = (self.soft + self.hard) / 2
        return (self.soft, middle, self.hard, middle)[(iteration - 1) % CYCLE] if self.two_pass else middle


def reweight(steps: Pair) -> Pair:
    """w = min(1 / D^2, 1)."""
    right, down = (1.0 / np.maximum(np.square(step), 1.0) for step in steps)
    return right, down


def measure_tangency(problem: Problem, floor: float) -> Pair:
    """s = (change of n_z)^2 + tau, per auxiliary edge."""
    cosine = problem.slopes.cosine
    right = np.square(np.diff(cosine, axis=1)) + floor
    down = np.square(np.diff(cosine, axis=0)) + floor
    return right.repeat(2, axis=0), down.repeat(2, axis=1)


def filter_jumps(steps: Pair, tangency: Pair, sharpness: float) -> Pair:
    """g' = f D with f = logistic(k L) where L > 0, else 0: jumps that stick out among those beside them."""
    right = maximality(np.square(tangency[0] * steps[0]))
    down = maximality(np.square(tangency[1] * steps[1]).T).T
    first, second = (np.where(excess > 0, expit(sharpness * excess), 0.0) for excess in (right, down))
    return first * steps[0], second * steps[1]


def maximality(square: Array) -> Array:
    """L = 2 G^2 - G'^2 - G''^2 along the rows of G^2; a neighbour that is missing counts 0."""
    excess = 2 * square
    excess[:, 1:] -= square[:, :-1]
    excess[:, :-1] -= square[:, 1:]
    return excess
