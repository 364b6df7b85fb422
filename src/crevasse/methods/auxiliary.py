"""The published method, Algorithm 1 of the paper."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np

from crevasse.cameras import Array
from crevasse.methods.corners import Lattice, lay_out, level_corners, pixel_heights
from crevasse.methods.problem import Outcome, Problem, Run, Step, describe_threads
from crevasse.methods.settings import check_settings
from crevasse.native import Auxiliary as Engine
from crevasse.status import Status

CYCLE = 4
"""Iterations of one cycle of the schedule: soft, middle, hard, middle."""

TANGENCIES = ("ray", "normal")
BORDERS = ("nothing", "mirror")
WEIGHTED = ("jump", "residual")


@dataclass(frozen=True)
class AuxiliaryEdges:
    """Discontinuity-preserving integration with auxiliary edges (Kim, Jung, Lee, CVPR 2024), as published.

    Each pixel has four corners, which follow its normal; between pixels, auxiliary edges carry jumps.
    Lengths are in pixels, in both cameras. The settings after `two_pass` are what the paper leaves open.

    Attributes
    ----------
    soft : strength of the jump term that closes false jumps (lambda_soft, 0.2)
    hard : strength of the jump term that widens true jumps (lambda_hard, 1.2)
    sharpness : how sharply the filter decides what is a local maximum (k, 1000)
    tangency_floor : weight of a jump where the normals do not turn (tau, 0.01)
    iterations : maximal number of solves (N_max, 5000)
    reweighting : let large jumps lose weight; False for the ablation
    filtering : carry over filtered jumps; False for the ablation
    two_pass : cycle the strength; False keeps it at the middle, for the ablation
    threshold : jump in pixels from which an auxiliary edge loses weight (the paper: 1, of a unit it does not name; of
        the units tried, a tenth of a pixel comes closest to its Table 1)
    weighted_by : quantity that lowers the weight of an edge when it is large: the "jump", as in the formula, or the
        "residual" of the jump term, as in the text around it
    filter_unit : unit in pixels of the jumps that the filter compares
    tangency : which n_z turns: that towards the viewing ray ("ray") or along the axis ("normal")
    border : how a missing neighbour counts in the filter: "nothing", or as the edge itself ("mirror")
    tolerance : relative residual at which each linear solve stops
    solver_iterations : maximal number of linear solver iterations per solve; each starts from the last solution
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
    threshold: float = 0.1
    weighted_by: str = "jump"
    filter_unit: float = 1.0
    tangency: str = "ray"
    border: str = "nothing"
    tolerance: float = 1e-4
    solver_iterations: int = 200
    stillness: float = 1e-3

    name: ClassVar[str] = "auxiliary"
    title: ClassVar[str] = "Auxiliary edges"
    about: ClassVar[str] = "The published method, with its soft and hard passes."
    accepts: ClassVar[frozenset[str]] = frozenset({"mask"})
    bytes_per_pixel: ClassVar[int] = 700

    def __post_init__(self) -> None:
        strengths = {"soft": (1e-6, 1e6), "hard": (1e-6, 1e6)}
        filters = {"sharpness": (0, 1e12), "tangency_floor": (0, 1e6)}
        units = {"threshold": (1e-6, 1e6), "filter_unit": (1e-6, 1e6)}
        ends = {
            "iterations": (1, 1e9),
            "tolerance": (1e-12, 0.1),
            "solver_iterations": (1, 1e6),
            "stillness": (0, 1e6),
        }
        check_settings(self, **strengths, **filters, **units, **ends)
        for field, choices in (("weighted_by", WEIGHTED), ("tangency", TANGENCIES), ("border", BORDERS)):
            if getattr(self, field) not in choices:
                raise ValueError(f"{field} is {getattr(self, field)!r}; give one of {', '.join(choices)}")

    def run(self, problem: Problem) -> Run:
        lattice = lay_out(problem)
        engine = make_engine(problem, lattice, *measure_tangency(problem, self))
        corners = cycle_start = np.zeros(lattice.shape)
        status, count = Status.ITERATION_LIMIT, np.count_nonzero(lattice.mask)
        for iteration in range(1, self.iterations + 1):
            strength = self.strength(iteration)
            energy, moved, work = self.step(engine, iteration, strength)
            now = partial(read, engine, problem)
            heights = partial(_heights, engine, problem, lattice)
            yield Step(0, iteration, self.iterations, energy, moved / count, strength, work, heights, now)
            if iteration % CYCLE == 0:
                corners = now()
                if np.abs(corners - cycle_start).max() <= self.stillness:
                    status = Status.CONVERGED
                    break
                cycle_start = corners
        corners = read(engine, problem)
        warnings = describe_threads(engine.threads, problem.threads)
        return Outcome(pixel_heights(corners, lattice), status, corners=corners, warnings=warnings)

    def step(self, engine: Engine, iteration: int, strength: float) -> tuple[float, float, int]:
        """One outer iteration: jumps and weights from the current corners, then the solve."""
        return engine.step(
            weight_scale=1.0 / self.threshold,
            filter_scale=1.0 / self.filter_unit,
            sharpness=self.sharpness,
            reweighting=self.reweighting,
            filtering=self.filtering,
            mirrored=self.border == "mirror",
            relative=self.weighted_by == "residual",
            first=iteration == 1,
            phase=(iteration - 1) % CYCLE,
            strength=strength,
            tolerance=self.tolerance,
            limit=self.solver_iterations,
        )

    def strength(self, iteration: int) -> float:
        """The schedule (Sec. 5): soft, middle, hard, middle, repeated."""
        middle = (self.soft + self.hard) / 2
        return (self.soft, middle, self.hard, middle)[(iteration - 1) % CYCLE] if self.two_pass else middle


def make_engine(problem: Problem, lattice: Lattice, right: Array, down: Array) -> Engine:
    """The native state of a problem with its tangency."""
    stiffness = np.ascontiguousarray(lattice.stiffness[0][0::2])
    return Engine(problem.mask.view(np.uint8), stiffness, lattice.offsets, right, down, problem.threads)


def measure_tangency(problem: Problem, settings: AuxiliaryEdges) -> tuple[Array, Array]:
    """s = (change of n_z)^2 + tau, per pair of neighbours: right (H, W-1), down (H-1, W)."""
    cosine = problem.slopes.cosine
    if settings.tangency == "normal":
        square = 1.0 - np.square(problem.slopes.across) - np.square(problem.slopes.along)
        cosine = np.where(problem.mask, np.sqrt(np.maximum(square, 0.0)), 0.0)
    floor = settings.tangency_floor
    return np.square(np.diff(cosine, axis=1)) + floor, np.square(np.diff(cosine, axis=0)) + floor


def read(engine: Engine, problem: Problem) -> Array:
    """The corners, each region shifted to mean 0."""
    corners = np.empty((2 * problem.mask.shape[0], 2 * problem.mask.shape[1]))
    engine.read(corners)
    return level_corners(corners, problem)


def _heights(engine: Engine, problem: Problem, lattice: Lattice) -> Array:
    return pixel_heights(read(engine, problem), lattice)
