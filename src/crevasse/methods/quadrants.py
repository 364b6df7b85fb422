"""Tensors that mix the steps along the rows and along the columns that meet in a pixel, over its four quadrants."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from crevasse.cameras import Array
from crevasse.methods.network import Network, Pair

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


def flux(network: Network, tensors: Tensors, steps: Pair) -> Pair:
    """The steps as the tensors of the pixels at their ends transform them, a quarter for each quadrant of a pixel."""
    right, down = padded(np.where(network.inside[0], steps[0], 0.0), np.where(network.inside[1], steps[1], 0.0))
    shares = padded(*(np.sqrt(np.where(i, w, 0.0)) for i, w in zip(network.inside, network.weights, strict=True)))
    sums = np.zeros_like(right), np.zeros_like(down)
    for (rows, columns), tensor in zip(QUADRANTS, tensors, strict=True):
        first, second = shares[0][:, columns] * right[:, columns], shares[1][rows] * down[rows]
        sums[0][:, columns] += (tensor.right * first + tensor.mixed * second) * shares[0][:, columns] / 4
        sums[1][rows] += (tensor.mixed * first + tensor.down * second) * shares[1][rows] / 4
    return sums[0][:, 1:-1], sums[1][1:-1]


def spread(network: Network, tensors: Tensors) -> Pair:
    """The weights of the pairs alone, without what is mixed."""
    sums = padded(*(np.zeros_like(weights) for weights in network.weights))
    for (rows, columns), tensor in zip(QUADRANTS, tensors, strict=True):
        sums[0][:, columns] += tensor.right / 4
        sums[1][rows] += tensor.down / 4
    return network.weights[0] * sums[0][:, 1:-1], network.weights[1] * sums[1][1:-1]


def padded(right: Array, down: Array) -> Pair:
    """Images of pairs with none at both ends, so that each pixel has two along each axis."""
    return np.pad(right, ((0, 0), (1, 1))), np.pad(down, ((1, 1), (0, 0)))
