"""Bilaterally weighted integration (BiNI), from its published formulas."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array
from crevasse.lattice import divergence
from crevasse.methods.one_sided import System, assemble, differences, energy
from crevasse.methods.problem import Outcome, Problem, Run, Step
from crevasse.methods.regions import level_regions
from crevasse.methods.settings import check_settings
from crevasse.solve import solve
from crevasse.status import Status

if TYPE_CHECKING:
    from scipy.sparse import csr_array

EXACT = 1e-8
"""Relative residual of an exact solve."""

ROUNDING = 1e-16
"""Energy per pixel, in square pixels, below which it is only rounding."""


@dataclass(frozen=True)
class Bilateral:
    """Bilateral normal integration (Cao et al., ECCV 2022): of a pixel's two sides, the one that jumps loses weight.

    As in its authors' code the linear solves are inexact: conjugate gradients start from the last heights and stop
    early, which is part of the method, not only a saving; `exact` leads to other surfaces.

    Attributes
    ----------
    k : how sharply the smoother of a pixel's two sides is preferred (k of the paper, 2)
    iterations : maximal number of solves and reweightings (the paper: 150)
    energy_change : relative change of the energy at which the run ends (the paper: 1e-4)
    tolerance : relative residual at which each linear solve stops (the authors' code: 1e-3)
    exact : solve each system exactly instead
    """

    k: float = 2.0
    iterations: int = 150
    energy_change: float = 1e-4
    tolerance: float = 1e-3
    exact: bool = False

    name: ClassVar[str] = "bilateral"
    title: ClassVar[str] = "BiNI"
    about: ClassVar[str] = "Bilaterally weighted integration."
    accepts: ClassVar[frozenset[str]] = frozenset({"mask", "weights"})
    bytes_per_pixel: ClassVar[int] = 525

    def __post_init__(self) -> None:
        check_settings(self, k=(0, 1e6), iterations=(1, 1e6), energy_change=(0, 1), tolerance=(1e-12, 0.5))

    def run(self, problem: Problem) -> Run:
        halves = np.full(problem.mask.shape, 0.5)
        shares, heights, last = (halves, halves), np.zeros(problem.mask.shape), 0.0
        status = Status.ITERATION_LIMIT
        for iteration in range(1, self.iterations + 1):
            before = heights
            heights, work = self.solve_depth(problem, shares, heights)
            shares = reweight(problem, heights, self.k)
            now = energy(problem, heights, shares)
            change = float(np.abs(level_regions(heights - before, problem.domain)[problem.mask]).mean())
            yield Step(
                0,
                iteration,
                self.iterations,
                now,
                change,
                self.k,
                work,
                partial(level_regions, heights, problem.domain),
            )
            # Below the floor the energy and its change are only rounding.
            floor = ROUNDING * problem.domain.pixels
            if iteration > 1 and (abs(now - last) <= self.energy_change * last or now <= floor):
                status = Status.CONVERGED
                break
            last = now
        return Outcome(level_regions(heights, problem.domain), status)

    def solve_depth(self, problem: Problem, shares: tuple[Array, Array], start: Array) -> tuple[Array, int]:
        """Heights of least energy for these shares, and the iterations it took."""
        system = assemble(problem, shares)
        if not self.exact:
            return descend(system, start, self.tolerance)
        solution = solve(*system, threads=problem.threads, start=start, tolerance=EXACT)
        return solution.heights, solution.iterations


def reweight(problem: Problem, heights: Array, k: float) -> tuple[Array, Array]:
    """Share of the next side, per axis: near 0 where the next side steps more than the previous one."""
    from scipy.special import expit

    right, down = (
        expit(k * (np.square(previous_side) - np.square(next_side)))
        for next_side, previous_side in differences(problem, heights)
    )
    return right, down


def descend(system: System, start: Array, tolerance: float, iterations: int = 5000) -> tuple[Array, int]:
    """Conjugate gradients preconditioned by the diagonal, from `start` to a relative residual of `tolerance`."""
    points, matrix = laplacian_inside(system)
    inverse = 1.0 / matrix.diagonal()
    goal = divergence(system.flux_right, system.flux_down).ravel()[points]
    found = start.ravel()[points]
    residual = goal - matrix @ found
    direction, product = np.zeros_like(found), 1.0
    enough, done = tolerance**2 * _dot(goal, goal), 0
    while done < iterations and _dot(residual, residual) > enough:
        preconditioned = inverse * residual
        last, product = product, _dot(residual, preconditioned)
        direction *= product / last if done else 0.0
        direction += preconditioned
        image = matrix @ direction
        curvature = _dot(direction, image)
        # What is left may be so small that its square is 0.
        if min(product, curvature) <= 0:
            break
        step = product / curvature
        found += np.multiply(step, direction, out=preconditioned)
        residual -= np.multiply(step, image, out=image)
        done += 1
    heights = start.copy()
    heights.reshape(-1)[points] = found
    return heights, done


def laplacian_inside(system: System) -> tuple[NDArray[np.intp], csr_array]:
    """Flat indices of the pixels that have a neighbour, and the matrix of their pairs."""
    from scipy.sparse import csr_array

    width = system.weight_down.shape[1]
    points = np.flatnonzero(sum(_weights(system, side) for side in range(4)))
    number = np.zeros(system.weight_right.shape[0] * width, np.int32)
    number[points] = own = np.arange(len(points), dtype=np.int32)
    # Five entries in every row; a neighbour that is missing is an entry of 0 at the pixel itself.
    entries, columns = np.zeros((len(points), 5)), np.empty((len(points), 5), np.int32)
    for side, step in enumerate((-1, 1, -width, width)):
        weight = _weights(system, side)[points]
        entries[:, side] = -weight
        columns[:, side] = np.where(weight > 0, number.take(points + step, mode="clip"), own)
    columns[:, 4] = own
    entries[:, 4] = -entries.sum(axis=1)
    starts = np.arange(0, 5 * len(points) + 1, 5, dtype=np.int32)
    return points, csr_array((entries.ravel(), columns.ravel(), starts), shape=(len(points), len(points)))


def _weights(system: System, side: int) -> Array:
    """The weight of each pixel's pair with its left, right, upper or lower neighbour, flat; 0 where there is none."""
    pad = (1, 0) if side % 2 == 0 else (0, 1)
    padded = np.pad(system.weight_right, ((0, 0), pad)) if side < 2 else np.pad(system.weight_down, (pad, (0, 0)))
    return padded.ravel()


def _dot(a: Array, b: Array) -> float:
    # Not by BLAS, whose sums depend on its number of threads.
    return float(np.einsum("i,i", a, b))
