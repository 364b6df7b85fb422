"""Tensors that mix the steps along the rows and along the columns that meet in a pixel, over its four quadrants."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from crevasse.cameras import Array
from crevasse.lattice import divergence
from crevasse.methods.krylov import Descent, descend
from crevasse.methods.network import Network, Pair
from crevasse.solve import LinearSystem

SIDES = (slice(None, -1), slice(1, None))
QUADRANTS = tuple((rows, columns) for rows in SIDES for columns in SIDES)
"""A pixel's upper or lower pair with its left or right one, in images of pairs padded at both ends."""


class Tensor(NamedTuple):
    """A symmetric 2 x 2 matrix per pixel, (H, W) each: along the rows, mixed, along the columns."""

    right: Array
    mixed: Array
    down: Array


Tensors = tuple[Tensor, ...]
"""A tensor for each of the quadrants, in their order."""


def solve(network: Network, tensors: Tensors, start: Array, tolerance: float, limit: int = 200) -> Descent:
    """Heights whose residuals have the least energy, up to the tolerance."""
    near = LinearSystem(*spread(network, tensors), network.threads)
    side = divergence(*flux(network, tensors, network.targets))
    return descend(neighbours(network, tensors).apply, side, start, near, tolerance, limit)


def energy(network: Network, tensors: Tensors, residuals: Pair) -> float:
    """Sum of r' D r."""
    through = flux(network, tensors, residuals)
    return sum(float((a * b).sum()) for a, b in zip(residuals, through, strict=True))


def flux(network: Network, tensors: Tensors, steps: Pair) -> Pair:
    """Steps transformed by the tensors of the pixels at their ends, a quarter for each quadrant of a pixel."""
    right, down = padded(np.where(network.inside[0], steps[0], 0.0), np.where(network.inside[1], steps[1], 0.0))
    shares = padded(*(np.sqrt(np.where(i, w, 0.0)) for i, w in zip(network.inside, network.weights, strict=True)))
    sums = np.zeros_like(right), np.zeros_like(down)
    for (rows, columns), tensor in zip(QUADRANTS, tensors, strict=True):
        first, second = shares[0][:, columns] * right[:, columns], shares[1][rows] * down[rows]
        sums[0][:, columns] += (tensor.right * first + tensor.mixed * second) * shares[0][:, columns] / 4
        sums[1][rows] += (tensor.mixed * first + tensor.down * second) * shares[1][rows] / 4
    return sums[0][:, 1:-1], sums[1][1:-1]


class Neighbours(NamedTuple):
    """A system of tensors as weighted differences between each pixel and its eight neighbours."""

    right: Array
    """(H, W-1)"""
    down: Array
    """(H-1, W)"""
    falling: Array
    """(H-1, W-1), from the upper left to the lower right pixel; negative ones too"""
    rising: Array
    """(H-1, W-1), from the lower left to the upper right pixel"""

    def apply(self, heights: Array) -> Array:
        """The divergence of the flux of the heights' own steps, (H, W)."""
        total = divergence(self.right * np.diff(heights, axis=1), self.down * np.diff(heights, axis=0))
        falling = self.falling * (heights[1:, 1:] - heights[:-1, :-1])
        total[1:, 1:] += falling
        total[:-1, :-1] -= falling
        rising = self.rising * (heights[:-1, 1:] - heights[1:, :-1])
        total[:-1, 1:] += rising
        total[1:, :-1] -= rising
        return total


def neighbours(network: Network, tensors: Tensors) -> Neighbours:
    """The system of the tensors: steps p and q from one pixel mix as 2 p q = p^2 + q^2 - (p - q)^2."""
    right, down = spread(network, tensors)
    sides = np.sqrt(network.weights[0]), np.sqrt(network.weights[1])
    above, below, left, beside = sides[0][:-1], sides[0][1:], sides[1][:, :-1], sides[1][:, 1:]
    # A square of 2 x 2 pixels is one quadrant of each of its four pixels.
    lower_right, lower_left, upper_right, upper_left = (tensor.mixed / 4 for tensor in tensors)
    lower_right = lower_right[1:, 1:] * below * beside
    lower_left = lower_left[1:, :-1] * below * left
    upper_right = upper_right[:-1, 1:] * above * beside
    upper_left = upper_left[:-1, :-1] * above * left
    right[:-1] += upper_left - upper_right
    right[1:] += lower_right - lower_left
    down[:, :-1] += upper_left - lower_left
    down[:, 1:] += lower_right - upper_right
    return Neighbours(right, down, upper_right + lower_left, -(upper_left + lower_right))


def spread(network: Network, tensors: Tensors) -> Pair:
    """The weights of the pairs, without the mixed terms."""
    sums = padded(*(np.zeros_like(weights) for weights in network.weights))
    for (rows, columns), tensor in zip(QUADRANTS, tensors, strict=True):
        sums[0][:, columns] += tensor.right / 4
        sums[1][rows] += tensor.down / 4
    return network.weights[0] * sums[0][:, 1:-1], network.weights[1] * sums[1][1:-1]


def padded(right: Array, down: Array) -> Pair:
    """Images of pairs padded with zeros at both ends, so that each pixel has two pairs along each axis."""
    return np.pad(right, ((0, 0), (1, 1))), np.pad(down, ((1, 1), (0, 0)))
