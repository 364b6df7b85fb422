"""Define what every method receives and returns."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array, Planes, Slopes
from crevasse.knowledge import Known
from crevasse.lattice import Labels, Pairs, label_regions, pairs, row_blocks
from crevasse.status import Noise, Status

CHUNK = 1 << 16
"""Pixels processed between two checks for Ctrl-C."""
ROWS_PER_THREAD = 16
"""Rows that a thread gets at least: its working space, 190 bytes per column, shall be small beside the map."""

Steepness = tuple[NDArray[np.float32], NDArray[np.float32]]


@dataclass(frozen=True, eq=False)
class Domain:
    """The pixels of a map: the data that a run keeps after the slopes are dropped.

    Attributes
    ----------
    mask : (H, W) array of bool, the mask on its bounding box
    planes : heights on the plane of a pixel, as the camera sees them
    steepness : slopes per column and per row, (H, W) each, in single precision
    hints : (H, W) array of int8 (see `crevasse.methods.graduated.terms.hints`), or None
    weights : (H, W) array, confidence of the normals, >= 0; None is 1 everywhere
    known : what is known besides the normals, or None
    """

    mask: NDArray[np.bool_]
    planes: Planes
    steepness: Steepness
    hints: NDArray[np.int8] | None = None
    weights: Array | None = None
    known: Known | None = None

    @cached_property
    def pixels(self) -> int:
        """Number of pixels in the mask."""
        return int(np.count_nonzero(self.mask))

    @property
    def labels(self) -> Labels:
        """Connected regions of the mask: 1.., 0 outside."""
        return self.mask.astype(np.int32) if self.several_labels is None else self.several_labels

    @property
    def several_labels(self) -> Labels | None:
        """Labels, or None for a single region."""
        return self._labelled[0]

    @property
    def regions(self) -> int:
        """Number of connected regions."""
        return self._labelled[1]

    @cached_property
    def _labelled(self) -> tuple[Labels | None, int]:
        labels, count = label_regions(self.mask)
        return (labels if count > 1 else None), count

    @cached_property
    def pairs(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Neighbours that are both in the mask: right (H, W-1), down (H-1, W)."""
        return pairs(self.mask)


@dataclass(frozen=True, eq=False)
class Problem:
    """A normal map as the methods see it: slopes in pixel units on the mask's bounding box.

    A method owns the problem it is given: it may drop the slopes, an eighth of a run's memory, once it has used them.
    """

    domain: Domain
    slopes: Slopes
    threads: int = 1

    @property
    def mask(self) -> NDArray[np.bool_]:
        return self.domain.mask


def pose(
    slopes: Slopes,
    mask: NDArray[np.bool_],
    planes: Planes,
    threads: int = 1,
    hints: NDArray[np.int8] | None = None,
    weights: Array | None = None,
    known: Known | None = None,
) -> Problem:
    """A problem with these slopes on this mask.

    Parameters
    ----------
    threads : how many there may be; a map of few rows gets fewer
    """
    right, down = np.empty((2, *mask.shape), np.float32)
    for rows in row_blocks(mask.shape, CHUNK):
        right[rows], down[rows] = slopes.rows(rows).steepness()
    worthwhile = max(mask.shape[0] // ROWS_PER_THREAD, 1)
    return Problem(Domain(mask, planes, (right, down), hints, weights, known), slopes, min(threads, worthwhile))


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
    """(H, W) current heights."""
    corners: Callable[[], Array] | None = None
    """(2H, 2W) heights of the corners, where they do not lie on the planes of the normals."""


class Outcome(NamedTuple):
    """The end of a method's run."""

    heights: Array
    status: Status
    cuts: Pairs | None = None
    """Pairs separated by jumps; None if they are to be found from the size of the jumps."""
    corners: Array | None = None
    islands: NDArray[np.int32] | None = None
    warnings: tuple[str, ...] = ()
    noise: Noise | None = None
    """How the normals err, if the method measured it."""
    metric: bool = False
    """Whether the depth of every region is known, not only up to its gauge."""


def describe_threads(started: int, asked: int) -> tuple[str, ...]:
    """A warning if fewer threads could be started than were asked for."""
    if started >= asked:
        return ()
    return (
        f"only {started} of {asked} threads could be started (a limit of memory or processes); the run took longer",
    )


Run = Generator[Step, None, Outcome]
T = TypeVar("T")
Made = TypeVar("Made")
Told = TypeVar("Told")


def change_steps(run: Generator[Made, None, T], change: Callable[[Made], Told]) -> Generator[Told, None, T]:
    """Apply a function to each step of a run."""
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
    title: ClassVar[str]
    """Display name."""
    about: ClassVar[str]
    """One sentence."""
    accepts: ClassVar[frozenset[str]]
    """What a run can use besides the normals: "mask" (else the map must be a full rectangle), "hints", "weights"."""
    bytes_per_pixel: ClassVar[int]
    """Peak memory of a run per pixel of the mask's bounding box."""

    def run(self, problem: Problem) -> Run: ...
