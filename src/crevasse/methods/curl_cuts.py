"""Least squares without the pairs on loops that do not close."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from crevasse.methods.loops import largest_curl, spanning_tree
from crevasse.methods.network import Network, once
from crevasse.methods.problem import Outcome, Problem, Run
from crevasse.methods.settings import check_settings
from crevasse.status import Status


@dataclass(frozen=True)
class CurlCuts:
    """Leave out edges on loops with curl, and connect the rest by a least-curl tree (Agrawal, Raskar, ICCV 2005).

    Around a loop of 2 x 2 pixels the steps of a surface add up to 0. Where their sum, the curl, exceeds the
    threshold, the four pairs of the loop are unknown. If the others do not connect all pixels, unknown ones are
    taken back: those of the minimum spanning tree whose cost is the largest curl of a pair's loops (A. Agrawal,
    R. Raskar, R. Chellappa: An algebraic approach to surface reconstruction from gradient fields). Least squares
    over the known pairs gives the surface. The value of `threshold` is our default.

    Use it where errors are few and each is large: outliers among good slopes. In noise every loop has curl. A jump
    whose height is the same along its edge has none: only its ends are found.

    Attributes
    ----------
    threshold : curl in pixels above which the pairs of a loop are unknown
    tolerance : relative residual at which the linear solver stops
    """

    threshold: float = 0.1
    tolerance: float = 1e-8

    name: ClassVar[str] = "curl-cuts"
    title: ClassVar[str] = "Agrawal-Raskar"
    about: ClassVar[str] = "Leaves out pairs on loops with curl; a least-curl tree connects the rest."
    accepts: ClassVar[frozenset[str]] = frozenset({"mask", "weights"})
    bytes_per_pixel: ClassVar[int] = 450

    def __post_init__(self) -> None:
        check_settings(self, threshold=(0, 1e9), tolerance=(1e-14, 0.1))

    def run(self, problem: Problem) -> Run:
        network = Network(problem)
        costs = largest_curl(network)
        tree = spanning_tree(network, costs)
        right, down = (np.where((cost <= self.threshold) | t, 1.0, 0.0) for cost, t in zip(costs, tree, strict=True))
        solution = network.solve((right, down), np.zeros(problem.mask.shape), self.tolerance, floor=0.0)
        energy = network.energy(network.residuals(solution.heights), (right, down))
        status = Status.CONVERGED if solution.converged else Status.ITERATION_LIMIT
        outcome = Outcome(solution.heights, status, warnings=network.warnings)
        return once(solution.heights, problem, energy, solution.iterations, outcome)
