"""Weighted least squares from coarse to fine, a few Gauss-Seidel sweeps per scale."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array
from crevasse.lattice import divergence
from crevasse.methods.network import Network, Pair, on_pixels
from crevasse.methods.problem import Outcome, Problem, Run, Step
from crevasse.methods.regions import level_regions
from crevasse.methods.settings import check_settings
from crevasse.status import Status

SMALLEST = 2
"""Side in pixels below which no coarser scale is made."""


class Scale(NamedTuple):
    """Slopes and their weights at one scale, (H, W) each, in heights of the finest pixels per pixel of this scale."""

    right: Array
    down: Array
    weights: Array
    trust: Array
    """Weights of the slopes in the means of coarser scales: the caller's, without the cosines."""


@dataclass(frozen=True)
class MultiScale:
    """Multi-scale integration of weighted slopes (Saracchini et al., CVIU 2012).

    Slopes and weights are repeatedly halved in resolution: means of 2 x 2 pixels by the caller's weights,
    doubled, since a step is twice as long. From the coarsest scale on, heights are improved by Gauss-Seidel sweeps
    over the equations of weighted least squares (each pixel becomes the weighted mean of what its neighbours and the
    steps to them predict), then expanded to the next scale as its start. Time is linear in the number of pixels.

    The authors' heights lie on the corners of pixels. Ours lie on the centres and are expanded along the slopes, so
    that planes stay exact up to the border from scale to scale. The numbers of sweeps are our defaults.

    Use it with weights: pixels without weight take their heights from coarser scales. After few sweeps the heights of
    the coarse scales remain, in which steep borders count as much as flat parts; many sweeps converge to `Poisson`,
    where they do not. Parts less than a coarse pixel apart are joined at that scale.

    Attributes
    ----------
    sweeps : Gauss-Seidel sweeps at the finest scale; each coarser one makes twice as many, up to `most_sweeps`
    most_sweeps : maximal number of sweeps at one scale
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
    given = problem.domain.weights
    trust = problem.mask.astype(float) if given is None else np.where(problem.mask, given, 0.0)
    return Scale(right, down, weights * trust, trust)


def coarsen(scale: Scale) -> Iterator[Scale]:
    """The scales, the finest first."""
    yield scale
    while min(scale.weights.shape) > SMALLEST:
        total = _blocks(scale.trust)
        inverse = np.divide(2.0, total, out=np.zeros_like(total), where=total > 0)
        right, down = (_blocks(scale.trust * slope) * inverse for slope in (scale.right, scale.down))
        scale = Scale(right, down, _blocks(scale.weights) / 4, total / 4)
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
    """Heights of the finer pixels, interpolated bilinearly between the planes of coarse pixels that have a weight.

    A coarse pixel contributes its height and the step from its centre, by the mean of its own slope and the
    interpolated one: exact for planes up to the border, for quadratics between the centres.
    """
    shape = fine.weights.shape
    corners = list(_corners(coarse.weights > 0, shape))
    total = sum((corner.share for corner in corners), np.zeros(shape))
    inverse = np.divide(1.0, total, out=np.zeros(shape), where=total > 0)
    mean = [sum((c.share * slope[c.at] for c in corners), np.zeros(shape)) for slope in (coarse.right, coarse.down)]
    said = np.zeros(shape)
    for corner in corners:
        right, down = (
            (slope[corner.at] + inverse * whole) / 2
            for slope, whole in zip((coarse.right, coarse.down), mean, strict=True)
        )
        said += corner.share * (heights[corner.at] + right * corner.right + down * corner.down)
    return np.asarray(inverse * said)


class Corner(NamedTuple):
    """One of the four coarse pixels around each finer one: its place, its bilinear share, the offset from it."""

    at: tuple[NDArray[np.intp], NDArray[np.intp]]
    share: Array
    right: Array
    down: Array


def _corners(known: NDArray[np.bool_], shape: tuple[int, ...]) -> Iterator[Corner]:
    rows, columns = (_ends_of(n, m) for n, m in zip(shape, known.shape, strict=True))
    for row, below, down in rows:
        for column, beside, right in columns:
            at = row[:, None], column[None, :]
            yield Corner(at, below[:, None] * beside * known[at], right[None, :], down[:, None])


def _ends_of(fine: int, coarse: int) -> tuple[tuple[NDArray[np.intp], Array, Array], ...]:
    """The coarse pixels before and after each fine one along an axis, with their shares and the offsets from them."""
    places = (np.arange(fine) - 0.5) / 2
    inside = np.clip(places, 0, coarse - 1)
    first = np.floor(inside).astype(int)
    last, share = np.minimum(first + 1, coarse - 1), inside - first
    return (first, 1 - share, places - first), (last, share, places - last)
