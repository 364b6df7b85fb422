"""One-sided differences: the slope of each pixel compared with the steps to its next and previous neighbours."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from crevasse.cameras import Array
from crevasse.methods.problem import Problem

UNKNOWN = 1e-6
"""Weight, relative to the largest, of a level step between two pixels with unknown normals."""

GRAZING = 1e-3
"""Smallest cosine that residuals are scaled with, so that every pixel stays attached; also of back-facing pixels."""

AXES = (
    ((slice(None), slice(None, -1)), (slice(None), slice(1, None))),
    ((slice(None, -1), slice(None)), (slice(1, None), slice(None))),
)
"""Flags of the pixels with a next and with a previous neighbour, along each axis."""


class Sides(NamedTuple):
    """Steps to the neighbours along one axis that each pixel's plane predicts, (H, W), scaled by the cosine."""

    next: Array
    previous: Array


class System(NamedTuple):
    """Weights and fluxes (weight * target) of the pairs of neighbours, right and down, as `solve` takes them."""

    weight_right: Array
    weight_down: Array
    flux_right: Array
    flux_down: Array


def cosines(problem: Problem) -> Array:
    """Cosine towards the viewing ray by which residuals are scaled; 0 outside the mask."""
    return np.where(problem.mask, np.maximum(problem.slopes.cosine, GRAZING), 0.0)


def targets(problem: Problem) -> list[Sides]:
    """n (height gained to the next pixel) and n (height gained from the previous one), per axis.

    Along parallel rays both are c, the normal's component; along rays that spread a plane is not straight in
    heights, and these are its exact values.
    """
    cosine, planes = cosines(problem), problem.domain.planes
    if planes.curvature == 0.0:
        return [Sides(component, component) for component in problem.slopes[1:]]
    right, down = problem.slopes.steepness(GRAZING)
    return [
        Sides(cosine * planes.at(right, down, row, column), -cosine * planes.at(right, down, -row, -column))
        for row, column in ((0.0, 1.0), (1.0, 0.0))
    ]


def assemble(problem: Problem, shares: tuple[Array, Array]) -> System:
    """The least-squares system of w (n z_next - n z - c)^2 + (1 - w) (n z - n z_previous - c)^2, w = `shares`."""
    cosine, trust = cosines(problem), problem.domain.weights
    trusted = cosine if trust is None else cosine * trust
    weights, fluxes = [], []
    for (a, b), target, share, inside in zip(AXES, targets(problem), shares, problem.domain.pairs, strict=True):
        next_side, previous_side = share[a] * trusted[a], (1 - share[b]) * trusted[b]
        weights.append(np.where(inside, next_side * cosine[a] + previous_side * cosine[b], 0.0))
        fluxes.append(np.where(inside, next_side * target.next[a] + previous_side * target.previous[b], 0.0))
    if trust is not None:
        # Pixels with unknown normals stay connected.
        for weight, inside in zip(weights, problem.domain.pairs, strict=True):
            weight[inside & (weight == 0)] = UNKNOWN * trust.max()
    return System(weights[0], weights[1], fluxes[0], fluxes[1])


def differences(problem: Problem, heights: Array) -> list[tuple[Array, Array]]:
    """n (z_next - z) and n (z - z_previous), (H, W) each, per axis; 0 where the neighbour is missing."""
    cosine = cosines(problem)
    sides = []
    for axis, ((a, b), inside) in enumerate(zip(AXES, problem.domain.pairs, strict=True)):
        step = np.where(inside, np.diff(heights, axis=1 - axis), 0.0)
        next_side, previous_side = np.zeros_like(heights), np.zeros_like(heights)
        next_side[a], previous_side[b] = step, step
        sides.append((next_side * cosine, previous_side * cosine))
    return sides


def energy(problem: Problem, heights: Array, shares: tuple[Array, Array]) -> float:
    """Value of the sum that `assemble` minimises."""
    total = 0.0
    cosine, trust = cosines(problem), problem.domain.weights
    trusted = np.ones_like(cosine) if trust is None else trust
    parts = zip(AXES, targets(problem), shares, problem.domain.pairs, strict=True)
    for axis, ((a, b), target, share, inside) in enumerate(parts):
        step = np.diff(heights, axis=1 - axis)
        next_side = share[a] * trusted[a] * np.square(cosine[a] * step - target.next[a])
        previous_side = (1 - share[b]) * trusted[b] * np.square(cosine[b] * step - target.previous[b])
        total += float(np.where(inside, next_side + previous_side, 0.0).sum())
    return total
