"""What every method is given and gives back."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array, Slopes
from crevasse.lattice import Labels, label_regions, pairs, row_blocks
from crevasse.result import Cuts, Status

CHUNK = 1 << 16
"""Pixels that are looked at together."""


@dataclass(frozen=True, eq=False)
class Problem:
    """A normal map as the methods see it: slopes in pixel units on the mask's bounding box."""

    slopes: Slopes
    mask: NDArray[np.bool_]
    curvature: float
    threads: int
    hints: NDArray[np.int8] | None = None
    """1: jumps around this pixel are forced, 2 and 3: between the two forced, -1: between such pixels forbidden;
    None: no hints."""

    sole: bool = False
    """Nobody else needs this problem: a method may let go of what it has used."""
    watched: bool = True
    """Somebody may ask for the surface of any step."""
    kept: dict[str, Array] = field(default_factory=dict, init=False, repr=False)
    """What was found out about the slopes, by name."""

    @cached_property
    def steepness(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Slopes per column and per row, in single precision."""
        right, down = np.empty(self.mask.shape, np.float32), np.empty(self.mask.shape, np.float32)
        for rows in row_blocks(self.mask.shape, CHUNK):
            right[rows], down[rows] = self.slopes.rows(rows).steepness()
        return right, down

    def forget_slopes(self) -> None:
        """Keep only how steep the slopes are, if nobody else needs them: a tenth of a run's memory."""
        if self.sole and self.steepness:
            object.__setattr__(self, "slopes", Slopes(*(np.empty((0, 0)) for _ in self.slopes)))

    @cached_property
    def pixels(self) -> int:
        """How many are in the mask."""
        return int(np.count_nonzero(self.mask))

    @property
    def labels(self) -> Labels:
        """Connected parts of the mask: 1.., 0 outside."""
        return self.mask.astype(np.int32) if self.several_labels is None else self.several_labels

    @property
    def several_labels(self) -> Labels | None:
        """The labels, None where there is only one region."""
        return self._labelled[0]

    @property
    def regions(self) -> int:
        return self._labelled[1]

    @cached_property
    def _labelled(self) -> tuple[Labels | None, int]:
        """The labels, not kept where there is only one region, and the number of regions."""
        labels, count = label_regions(self.mask)
        return (labels if count > 1 else None), count

    @cached_property
    def pairs(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        return pairs(self.mask)


class Step(NamedTuple):
    """One outer iteration of a method."""

    start: int
    iteration: int
    total: int
    energy: float
    change: float
    strength: float
    solver_iterations: int
    heights: Callable[[], Array]
    """(H, W) heights as they are now."""
    corners: Callable[[], Array] | None = None
    """(2H, 2W) heights of the corners, where they do not lie on the planes of the normals."""


class Outcome(NamedTuple):
    """The end of a method's run."""

    heights: Array
    status: Status
    cuts: Cuts | None = None
    """Pairs that jumps separate; None: told by the jumps' size alone."""
    corners: Array | None = None
    islands: NDArray[np.int32] | None = None
    warnings: tuple[str, ...] = ()


Run = Generator[Step, None, Outcome]
T = TypeVar("T")


def change_steps(run: Generator[Step, None, T], change: Callable[[Step], Step]) -> Generator[Step, None, T]:
    """A run, or a part of one, whose steps are changed on their way."""
    while True:
        try:
            step = next(run)
        except StopIteration as end:
            found: T = end.value
            return found
        yield change(step)


class Method(Protocol):
    """Frozen settings with a loop."""

    name: ClassVar[str]
    bytes_per_pixel: ClassVar[int]
    """Memory that a run needs at most, for a pixel of the mask's bounding box."""

    def run(self, problem: Problem) -> Run: ...


def check_settings(method: Any, **bounds: tuple[float, float]) -> None:
    """Refuse settings outside their bounds, by name."""
    for setting in fields(method):
        value = getattr(method, setting.name)
        if setting.type == "bool" and not isinstance(value, bool | np.bool_):
            raise ValueError(f"{setting.name} is {value!r}; it must be True or False")
        if setting.name not in bounds:
            continue
        low, high = bounds[setting.name]
        number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
        if not number or not low <= value <= high:
            raise ValueError(f"{setting.name} is {value!r}; it must be a number from {low:g} to {high:g}")
        if setting.type == "int" and value != int(value):
            raise ValueError(f"{setting.name} is {value!r}; it must be a whole number")


def choose(better: NDArray[np.bool_], problem: Problem, new: Array, old: Array) -> Array:
    """The new heights in the regions (from 1) where they are better, the old ones elsewhere."""
    if problem.regions == 1:
        return new if better[1] else old
    return np.where(better[problem.labels], new, old)


def level_regions(heights: Array, problem: Problem) -> Array:
    """Fix the gauge: each region has mean height 0; outside is 0."""
    means = _mean_heights(heights, problem)
    level = np.zeros(problem.mask.shape)
    for rows in row_blocks(problem.mask.shape, CHUNK):
        labels = problem.several_labels
        mean = means[1] if labels is None else means[labels[rows]]
        np.subtract(heights[rows], mean, out=level[rows], where=problem.mask[rows])
    return level


def _mean_heights(heights: Array, problem: Problem) -> Array:
    """By region, from 1; by rows, so that a large map is never out of hearing for long."""
    sizes, sums = np.zeros(problem.regions + 1), np.zeros(problem.regions + 1)
    for rows in row_blocks(problem.mask.shape, CHUNK):
        inside = problem.mask[rows]
        here = heights[rows][inside]
        if problem.several_labels is None:
            sizes[1] += len(here)
            sums[1] += here.sum()
        else:
            labels = problem.several_labels[rows][inside]
            sizes += np.bincount(labels, minlength=len(sizes))
            sums += np.bincount(labels, here, minlength=len(sums))
    return np.asarray(sums / np.maximum(sizes, 1))
