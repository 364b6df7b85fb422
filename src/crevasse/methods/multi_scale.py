"""Weighted least squares from coarse to fine, a few Gauss-Seidel sweeps per scale."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, NamedTuple

import numpy as np

from crevasse.cameras import Array
from crevasse.lattice import divergence
from crevasse.methods.network import Network, Pair, on_pixels
from crevasse.methods.problem import Outcome, Problem, Run, Step
from crevasse.methods.regions import level_regions
from crevasse.methods.settings import check_settings
from crevasse.result import Status

SMALLEST = 2
"""Side in pixels below which no coarser scale is made."""


class Scale(NamedTuple):
    """Slopes and their weights at one scale, (H, W) each, in heights of the finest pixels per pixel of this scale."""

    right: Array
    down: Array
    weights: Array


@dataclass(frozen=True)
class MultiScale:
    """Multi-scale integration of weighted slopes (Saracchini et al., CVIU 2012).

    Slopes and weights are halved in resolution again and again: weighted means of 2 x 2 pixels, doubled, since a
    step is twice as long. From the coarsest scale on, heights are improved by Gauss-Seidel sweeps over the
    equations of weighted least squares (each pixel the weighted mean of what its neighbours and the steps to them
    say), then expanded to the next scale as its start. Time is linear in the number of pixels. With many sweeps it
    is `Poisson` with the caller's weights; the published method stops early.

    Use it with weights: what has none takes its heights from coarser scales. Few sweeps leave smooth errors on
    masks with long winding parts, which coarse scales join.

    Attributes
    ----------
    sweeps : Gauss-Seidel sweeps at the finest scale; each coarser one makes twice as many, up to `most_sweeps`
    most_sweeps : at most so many sweeps at a scale
    """

    sweeps: int = 20
    most_sweeps: int = 200

    name: ClassVar[str] = "multi-scale"
    title: ClassVar[str] = "Saracchini"
    about: ClassVar[str] = "Weighted least squares from coarse to fine: no jumps."
    accepts: ClassVar[frozenset[str]] = frozenset({"mask", "weights"})
    tears: ClassVar[bool] = False
    bytes_per_pixel: ClassVar[int] = 500

    def __post_init__(self) -> None:
        check_settings(self, sweeps=(1, 1e9), most_sweeps=(1, 1e9))

    def run(self, problem: Problem) -> Run:
        network = Network(problem)
        scales = list(coarsen(finest(problem)))
        heights = np.zeros(scales[-1].weights.shape)
        for level in range(len(scales) - 1, -1, -1):
            before = heights if level == len(scales) - 1 else expand(heights, scales[level + 1], scales[level])
            weights, targets = (network.weights, network.targets) if level == 0 else join(scales[level])
            heights = relax(weights, targets, before, self.count(level))
            shown = heights
            for fine in range(level - 1, -1, -1):
                shown = expand(shown, scales[fine + 1], scales[fine])
            shown = level_regions(shown, problem.domain)
            energy = network.energy(network.residuals(shown), network.ones())
            change, number = float(np.abs(heights - before).mean()), len(scales) - level
            yield Step(0, number, len(scales), energy, change, float(1 << level), 0, partial(np.copy, shown))
        return Outcome(shown, Status.SCHEDULE_DONE)

    def count(self, level: int) -> int:
        """Sweeps at a scale, 0 the finest."""
        return max(self.sweeps, min(self.sweeps << level, self.most_sweeps))


def finest(problem: Problem) -> Scale:
    """The slopes of the pixels; their weights are those of `Poisson`."""
    right, down = problem.slopes.steepness()
    weights = np.where(problem.mask, np.square(np.maximum(problem.slopes.cosine, 1e-3)), 0.0)
    trust = problem.domain.weights
    return Scale(right, down, weights if trust is None else weights * trust)


def coarsen(scale: Scale) -> Iterator[Scale]:
    """The scales, the finest first."""
    yield scale
    while min(scale.weights.shape) > SMALLEST:
        total = _blocks(scale.weights)
        inverse = np.divide(2.0, total, out=np.zeros_like(total), where=total > 0)
        right, down = (_blocks(scale.weights * slope) * inverse for slope in (scale.right, scale.down))
        scale = Scale(right, down, total / 4)
        yield scale


def join(scale: Scale) -> tuple[Pair, Pair]:
    """Weights and targets of the pairs of neighbours at a coarse scale."""
    weights, targets = [], []
    for slope, axis in ((scale.right, 1), (scale.down, 0)):
        (first, second), (low, high) = (_ends(image, axis) for image in (scale.weights, slope))
        there = (first > 0) & (second > 0)
        total = np.where(there, first + second, 0.0)
        weights.append(total / 2)
        targets.append(np.divide(first * low + second * high, total, out=np.zeros_like(total), where=there))
    return (weights[0], weights[1]), (targets[0], targets[1])


def relax(weights: Pair, targets: Pair, heights: Array, sweeps: int) -> Array:
    """Red-black Gauss-Seidel sweeps from these heights; pixels without a pair stay as they are."""
    side = divergence(weights[0] * targets[0], weights[1] * targets[1])
    diagonal = 2 * on_pixels(weights)
    inverse = np.divide(1.0, diagonal, out=np.zeros_like(diagonal), where=diagonal > 0)
    odd = np.indices(heights.shape).sum(axis=0) % 2 == 1
    turns = [np.where(colour, inverse, 0.0) for colour in (~odd, odd)]
    found = heights.copy()
    for _ in range(sweeps):
        for turn in turns:
            steps = weights[0] * np.diff(found, axis=1), weights[1] * np.diff(found, axis=0)
            found += turn * (side - divergence(*steps))
    return found


def _ends(image: Array, axis: int) -> tuple[Array, Array]:
    return (image[:, :-1], image[:, 1:]) if axis == 1 else (image[:-1], image[1:])


def _blocks(image: Array) -> Array:
    """Sums over blocks of 2 x 2, the last ones cut off."""
    height, width = image.shape
    padded = np.pad(image, ((0, height % 2), (0, width % 2)))
    return np.asarray(padded[0::2, 0::2] + padded[1::2, 0::2] + padded[0::2, 1::2] + padded[1::2, 1::2])


def expand(heights: Array, coarse: Scale, fine: Scale) -> Array:
    """Heights of the finer pixels: bilinear between the centres of those coarse ones that have a weight."""
    known = (coarse.weights > 0).astype(float)
    shape = fine.weights.shape
    share = _interpolate(known, shape)
    return np.divide(_interpolate(known * heights, shape), share, out=np.zeros(shape), where=share > 0)


def _interpolate(coarse: Array, shape: tuple[int, ...]) -> Array:
    rows, columns = (np.clip((np.arange(n) - 0.5) / 2, 0, m - 1) for n, m in zip(shape, coarse.shape, strict=True))
    top, left = np.floor(rows).astype(int), np.floor(columns).astype(int)
    bottom, right = np.minimum(top + 1, coarse.shape[0] - 1), np.minimum(left + 1, coarse.shape[1] - 1)
    down, across = (rows - top)[:, None], columns - left
    upper = coarse[top][:, left] * (1 - across) + coarse[top][:, right] * across
    lower = coarse[bottom][:, left] * (1 - across) + coarse[bottom][:, right] * across
    return np.asarray(upper * (1 - down) + lower * down)
