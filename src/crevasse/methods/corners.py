"""The lattice's linear system: corners that follow the normals inside pixels and jumps between them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array, corner_heights
from crevasse.lattice import jumps_across
from crevasse.methods.one_sided import GRAZING, cosines
from crevasse.methods.problem import Problem
from crevasse.methods.regions import level_regions
from crevasse.solve import solve

Pair = tuple[Array, Array]
"""Values of the edges to the right, and of those downwards."""

Edges = tuple[NDArray[np.bool_], NDArray[np.bool_]]
"""Flags of the edges that exist, to the right and downwards."""


@dataclass(frozen=True, eq=False)
class Lattice:
    """Corners of the pixels, (2H, 2W), and their pixel edges.

    Along a row of corners, edges alternate: even ones are pixel edges, odd ones auxiliary edges.
    """

    mask: NDArray[np.bool_]
    """(2H, 2W): corners of pixels in the mask."""
    offsets: Array
    """(2H, 2W): height of a corner over its pixel's centre on the plane of the normal."""
    stiffness: Pair
    """n_z^2 per pixel edge: right (2H, W), down (H, 2W); 0 outside."""
    connected: Edges
    """Auxiliary edges that exist: right (2H, W-1), down (H-1, 2W)."""

    @property
    def shape(self) -> tuple[int, ...]:
        return self.mask.shape

    def inside(self, values: Pair) -> Pair:
        """A value per auxiliary edge, 0 where there is no edge."""
        right, down = (np.where(edge, value, 0.0) for edge, value in zip(self.connected, values, strict=True))
        return right, down

    def unit_weights(self) -> Pair:
        return self.connected[0].astype(np.float64), self.connected[1].astype(np.float64)

    def no_jumps(self) -> Pair:
        return np.zeros(self.connected[0].shape), np.zeros(self.connected[1].shape)


def lay_out(problem: Problem) -> Lattice:
    """The lattice of a problem (Sec. 4 of the paper)."""
    cosine = cosines(problem)
    offsets = corner_heights(problem.domain.planes, *problem.slopes.steepness(GRAZING))
    stiffness = np.square(cosine)
    beside, below = problem.domain.pairs
    return Lattice(
        mask=problem.mask.repeat(2, axis=0).repeat(2, axis=1),
        offsets=offsets,
        stiffness=(stiffness.repeat(2, axis=0), stiffness.repeat(2, axis=1)),
        connected=(beside.repeat(2, axis=0), below.repeat(2, axis=1)),
    )


def solve_depth(
    lattice: Lattice, jumps: Pair, weights: Pair, strength: float, start: Array, tolerance: float
) -> tuple[Array, int, float]:
    """Corners that minimise E_v + strength * E_disc, the solver's iterations, and that energy.

    Parameters
    ----------
    jumps, weights : target difference and weight of each auxiliary edge
    start : (2H, 2W) corners to start from
    """
    weight_right, flux_right = _interleave(
        lattice.stiffness[0], lattice.offsets[:, 1::2] - lattice.offsets[:, 0::2], strength * weights[0], jumps[0]
    )
    weight_down, flux_down = _interleave(
        lattice.stiffness[1].T,
        (lattice.offsets[1::2] - lattice.offsets[0::2]).T,
        strength * weights[1].T,
        jumps[1].T,
    )
    solution = solve(
        weight_right, weight_down.T.copy(), flux_right, flux_down.T.copy(), start=start, tolerance=tolerance
    )
    return solution.heights, solution.iterations, energy(lattice, solution.heights, jumps, weights, strength)


def energy(lattice: Lattice, corners: Array, jumps: Pair, weights: Pair, strength: float) -> float:
    """E_v + strength * E_disc."""
    bent = corners - lattice.offsets
    inner = (bent[:, 1::2] - bent[:, 0::2], bent[1::2] - bent[0::2])
    total = sum(float((k * np.square(e)).sum()) for k, e in zip(lattice.stiffness, inner, strict=True))
    across = lattice.inside(jumps_across(corners))
    parts = zip(weights, across, jumps, strict=True)
    return total + strength * sum(float((w * np.square(step - jump)).sum()) for w, step, jump in parts)


def pixel_heights(corners: Array, lattice: Lattice) -> Array:
    """The mean of each pixel's corners, minus the mean of the corners of its plane."""
    over = np.where(lattice.mask, corners - lattice.offsets, 0.0)
    return (over[0::2, 0::2] + over[0::2, 1::2] + over[1::2, 0::2] + over[1::2, 1::2]) / 4


def level_corners(corners: Array, problem: Problem) -> Array:
    """Fix the gauge: each region's corners have mean height 0; outside is 0."""
    mean = (corners[0::2, 0::2] + corners[0::2, 1::2] + corners[1::2, 0::2] + corners[1::2, 1::2]) / 4
    shift = level_regions(mean, problem.domain) - mean
    moved = corners + shift.repeat(2, axis=0).repeat(2, axis=1)
    return np.where(problem.mask.repeat(2, axis=0).repeat(2, axis=1), moved, 0.0)


def _interleave(inner_weight: Array, inner_target: Array, outer_weight: Array, outer_target: Array) -> Pair:
    """Weights and fluxes along rows of corners: pixel edges at even places, auxiliary edges at odd ones."""
    shape = (inner_weight.shape[0], 2 * inner_weight.shape[1] - 1)
    weight, flux = np.empty(shape), np.empty(shape)
    weight[:, 0::2], weight[:, 1::2] = inner_weight, outer_weight
    flux[:, 0::2], flux[:, 1::2] = inner_weight * inner_target, outer_weight * outer_target
    return weight, flux
