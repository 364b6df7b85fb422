"""Summation along the tree where the surface bends least."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from crevasse.cameras import Array
from crevasse.methods.loops import spanning_tree, sum_along
from crevasse.methods.network import Network, Pair, once
from crevasse.methods.problem import Outcome, Problem, Run
from crevasse.methods.settings import check_settings
from crevasse.status import Status


@dataclass(frozen=True)
class SpanningTree:
    """Sum along the minimum spanning tree of curvature (Fraile, Hancock, ICPR 2006): combinatorial integration.

    Pixels are nodes, neighbours are joined by edges whose cost is how much the surface bends along them. Ours is
    the angle between the two normals, not a curvature from principal directions. The minimum spanning tree avoids
    creases and contours as far as it can, and summing the steps along it gives the heights, without any least
    squares.

    Use it to see where paths are safe; it is the start of other methods too. Errors add up along paths, and two
    neighbours that only a long path joins may be far apart: noise becomes streaks.

    Attributes
    ----------
    steepness : cost of a pair by the steepness of its step, relative to that of the angle
    """

    steepness: float = 0.0

    name: ClassVar[str] = "spanning-tree"
    title: ClassVar[str] = "Fraile-Hancock"
    about: ClassVar[str] = "Sums along the spanning tree of least curvature."
    accepts: ClassVar[frozenset[str]] = frozenset({"mask"})
    bytes_per_pixel: ClassVar[int] = 450

    def __post_init__(self) -> None:
        check_settings(self, steepness=(0, 1e6))

    def run(self, problem: Problem) -> Run:
        network = Network(problem)
        tree = spanning_tree(network, self.costs(problem))
        heights = sum_along(network, tree)
        energy = network.energy(network.residuals(heights), (tree[0].astype(float), tree[1].astype(float)))
        return once(heights, problem, energy, 0, Outcome(heights, Status.CONVERGED))

    def costs(self, problem: Problem) -> Pair:
        """Angle between the normals of each pair in radians, and the angle of their mean steepness."""
        normals = unit_normals(problem)
        slope = np.arccos(np.clip(normals[..., 2], -1, 1))
        turns = _turn(normals[:, :-1], normals[:, 1:]), _turn(normals[:-1], normals[1:])
        steep = (slope[:, :-1] + slope[:, 1:]) / 2, (slope[:-1] + slope[1:]) / 2
        return turns[0] + self.steepness * steep[0], turns[1] + self.steepness * steep[1]


def unit_normals(problem: Problem) -> Array:
    """Unit normals (H, W, 3) of the surface of heights."""
    right, down = problem.slopes.steepness()
    normals = np.stack([-right, -down, np.ones_like(right)], axis=-1)
    unit: Array = normals / np.sqrt(np.square(normals).sum(axis=-1, keepdims=True))
    return unit


def _turn(first: Array, second: Array) -> Array:
    """Angles between unit vectors, exact for small ones too."""
    half = np.sqrt(np.square(first - second).sum(axis=-1)) / 2
    return np.asarray(2 * np.arcsin(np.minimum(half, 1)))
