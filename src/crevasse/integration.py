"""From a normal map to a surface: validate, lay out, run the method, build the result."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crevasse.cameras import Camera
from crevasse.lattice import jumps_across, label_islands, pairs
from crevasse.methods import Graduated, Method, Outcome, Problem, Step
from crevasse.methods.problem import Domain, pose
from crevasse.methods.registry import make
from crevasse.methods.transpose import is_tall, transpose, transpose_back
from crevasse.progress import follow, show_progress
from crevasse.result import HISTORY, Cuts, Integration, Noise, State, Status, Surface, cut_pairs
from crevasse.validate import (
    Valid,
    check_accepted,
    check_camera,
    check_hints,
    check_input,
    check_method,
    check_threads,
    check_weights,
)

PIXELS_A_THREAD = 12_000
"""Pixels per thread below which another thread costs more in synchronisation than it gains."""

CUT = 0.5
"""Jump in pixels from which two pixels count as separated, for methods that do not report cuts."""


def integrate(
    normals: ArrayLike,
    mask: ArrayLike | None = None,
    camera: Camera | ArrayLike | None = None,
    method: Method | str | None = None,
    *,
    hints: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    threads: int | None = None,
    max_memory: int | None = None,
    progress: bool = False,
) -> Integration:
    """Integrate a normal map into depth.

    Parameters
    ----------
    normals : (H, W, 3) array of float, x right, y up, z towards the viewer; of any length; NaN or zero marks pixels
        outside
    mask : (H, W) array of bool, True where to integrate; None includes every pixel with a normal
    camera : None is `Orthographic()`; or `Perspective(fx, fy, cx, cy)`, or a 3 x 3 matrix K
    method : None is `Graduated()`; or another object such as `Bilateral(k=2)`, or a name such as "poisson"; see
        `crevasse.methods`
    hints : (H, W) array of int: 1 forces a jump between this pixel and its neighbours, 2 and 3 are the two sides of
        a line along which the surface is cut, -1 forbids jumps between marked pixels, 0 leaves the decision to the
        method (`Graduated` only)
    weights : (H, W) array, confidence of each normal, 0 or larger; 0 means that nothing is known there, so that the
        surface continues smoothly. Only their ratios count. Not all methods use them: see their `accepts`
    threads : None is CREVASSE_THREADS, or all cores; the result does not depend on it
    max_memory : bytes that may be used; None is the free memory. A map that needs more raises MemoryError before
        any work
    progress : whether to show a bar, on a terminal or in a notebook

    Returns
    -------
    Integration

    Examples
    --------
    >>> import numpy as np, crevasse
    >>> slope = np.zeros((4, 5, 3)) + [0.6, 0.0, 0.8]
    >>> depth = crevasse.integrate(slope).depth
    >>> bool(np.allclose(np.diff(depth, axis=1), 0.75))
    True
    """
    assembly, problem = _assemble(normals, mask, camera, method, hints, weights, threads, max_memory)
    states = _iterate(assembly, problem)
    # The run owns the problem and may drop its slopes.
    del problem
    with show_progress(type(assembly.method).__name__, quiet=not progress) as report_progress:
        state = follow(states, report_progress)
    return state.result()


def iterate(
    normals: ArrayLike,
    mask: ArrayLike | None = None,
    camera: Camera | ArrayLike | None = None,
    method: Method | str | None = None,
    *,
    hints: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    threads: int | None = None,
    max_memory: int | None = None,
) -> Iterator[State]:
    """Integrate step by step: yields a `State` per iteration, for progress, live views and early stop.

    The arguments are those of `integrate`; the last state's `result()` is what `integrate` returns.

    Examples
    --------
    >>> import numpy as np, crevasse
    >>> for state in crevasse.iterate(np.zeros((4, 5, 3)) + [0.6, 0.0, 0.8]):
    ...     if state.iteration == 3:
    ...         break
    >>> state.result().status.name
    'STOPPED'
    """
    return _iterate(*_assemble(normals, mask, camera, method, hints, weights, threads, max_memory))


def measure_noise(
    normals: ArrayLike, mask: ArrayLike | None = None, camera: Camera | ArrayLike | None = None
) -> Noise:
    """How the normals of a map err, estimated from their curl: what the default method starts from.

    Examples
    --------
    >>> import numpy as np
    >>> from crevasse.integration import measure_noise
    >>> print(measure_noise(np.zeros((64, 64, 3)) + [0.6, 0.0, 0.8]))
    0 degrees from pixel to pixel, no smooth error found
    """
    from crevasse.methods.graduated.smooth_error import measure

    return measure(_assemble(normals, mask, camera, None, None, None, 1, None)[1])


def _assemble(
    normals: ArrayLike,
    mask: ArrayLike | None,
    camera: Camera | ArrayLike | None,
    method: Method | str | None,
    hints: ArrayLike | None,
    weights: ArrayLike | None,
    threads: int | None,
    max_memory: int | None,
) -> tuple[_Assembly, Problem]:
    """Check all arguments and set up the problem."""
    chosen = Graduated() if method is None else check_method(_named(method))
    viewer = check_camera(camera)
    count = check_threads(threads if threads is not None else os.environ.get("CREVASSE_THREADS"))
    valid = check_input(normals, mask, viewer, chosen.bytes_per_pixel, max_memory)
    brush, trust = check_hints(hints, valid.mask.shape), check_weights(weights, valid.mask)
    inside = np.ascontiguousarray(valid.mask[valid.window])
    given = {"mask": not inside.all(), "hints": brush is not None, "weights": trust is not None}
    check_accepted(chosen, given)
    painted = None if brush is None else np.ascontiguousarray(brush[valid.window])
    trusted = None if trust is None else np.ascontiguousarray(trust[valid.window])
    busy = min(count, 1 + inside.size // PIXELS_A_THREAD)
    problem = pose(valid.slopes, inside, viewer.planes, busy, painted, trusted)
    return _Assembly(valid, problem.domain, viewer, chosen), problem


def _named(method: Method | str) -> Method:
    """The method of this name with its default settings; method objects are returned unchanged."""
    return make(method) if isinstance(method, str) else method


def _iterate(assembly: _Assembly, problem: Problem) -> Iterator[State]:
    began = time.perf_counter()
    history: list[tuple[float, ...]] = []
    if is_tall(problem.mask.shape):
        run = transpose_back(assembly.method.run(transpose(problem)))
    else:
        run = assembly.method.run(problem)
    # The method owns the problem and may drop its slopes.
    del problem
    while True:
        try:
            # Numbers that overflow make a surface that is not finite, which the status tells.
            with np.errstate(all="ignore"):
                step = next(run)
        except StopIteration as end:
            outcome: Outcome = end.value
            break
        seconds = time.perf_counter() - began
        history.append((*step[:2], *step[3:7], seconds))
        yield assembly.state(step, _stopped(step), history)
    # Release the method's arrays: those made from the outcome take their place.
    step = step._replace(total=len(history), heights=lambda: outcome.heights, corners=None)
    yield assembly.state(step, lambda: outcome, history)


class _Assembly:
    """Place a run's arrays, which cover the mask's bounding box, in the whole map."""

    def __init__(self, valid: Valid, domain: Domain, camera: Camera, method: Method) -> None:
        self.mask, self.window, self.warnings = valid.mask, valid.window, valid.warnings
        self.domain, self.camera, self.method = domain, camera, method

    def state(self, step: Step, outcome: Callable[[], Outcome], history: list[tuple[float, ...]]) -> State:
        count = len(history)
        return State(
            iteration=count,
            total=step.total,
            start=step.start,
            energy=step.energy,
            change=step.change,
            strength=step.strength,
            seconds=history[-1][-1],
            _surface=lambda: self.surface(outcome()),
            _result=lambda: self.result(outcome(), np.array(history[:count], HISTORY)),
        )

    def surface(self, outcome: Outcome) -> Surface:
        corners = None if outcome.corners is None else self.whole(outcome.corners)
        return Surface(self.whole(outcome.heights), self.mask, self.steepness, self.camera, corners)

    @cached_property
    def steepness(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Slopes of the whole map, computed once because a live view asks for the surface many times."""
        right, down = (self.whole(image) for image in self.domain.steepness)
        return right, down

    def result(self, outcome: Outcome, record: NDArray[Any]) -> Integration:
        with np.errstate(all="ignore"):
            return self._result(outcome, record)

    def _result(self, outcome: Outcome, record: NDArray[Any]) -> Integration:
        surface = self.surface(outcome)
        status = outcome.status if surface.finite else Status.NOT_FINITE
        cuts = self.cuts(surface, outcome)
        islands = label_islands(self.mask, cuts) if outcome.islands is None else self.whole(outcome.islands)
        if outcome.islands is not None:
            # Count the whole border of an island as jumps, even where the method has no evidence for them.
            cuts = Cuts(
                cuts.right | _differ(islands[:, :-1], islands[:, 1:]), cuts.down | _differ(islands[:-1], islands[1:])
            )
        return Integration(
            surface=surface,
            islands=islands,
            regions=self.domain.regions,
            cuts=cuts,
            status=status,
            history=record,
            warnings=self.warnings + outcome.warnings,
            camera=self.camera,
            method=self.method,
            noise=outcome.noise,
        )

    def cuts(self, surface: Surface, outcome: Outcome) -> Cuts:
        """Pairs of pixels that jumps separate, as the method reports them or by the size of the jumps."""
        if outcome.cuts is not None:
            right, down = outcome.cuts
            return Cuts(self.whole(right)[:, :-1], self.whole(down)[:-1])
        if not getattr(self.method, "tears", True):
            return Cuts(*(np.zeros_like(inside) for inside in pairs(self.mask)))
        heights = self.camera.to_heights(surface.corner_depth)
        return cut_pairs(self.mask, jumps_across(heights), CUT)

    def whole(self, image: NDArray[Any]) -> NDArray[Any]:
        """Embed an image of the window (or of its corners or pairs) in the whole map; 0 around it."""
        rows, columns = self.window
        height, width = self.domain.mask.shape
        scale = 2 if image.shape == (2 * height, 2 * width) else 1
        shape = [
            scale * side - (inner - part)
            for side, inner, part in zip(self.mask.shape, (scale * height, scale * width), image.shape, strict=True)
        ]
        padded = np.zeros(shape, image.dtype)
        top, left = scale * rows.start, scale * columns.start
        padded[top : top + image.shape[0], left : left + image.shape[1]] = image
        return padded


def _differ(first: NDArray[np.int32], second: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Where two neighbours belong to different islands."""
    return np.asarray((first != second) & (first > 0) & (second > 0))


def _stopped(step: Step) -> Callable[[], Outcome]:
    return lambda: Outcome(step.heights(), Status.STOPPED, corners=step.corners and step.corners())
