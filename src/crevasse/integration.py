"""From a normal map to a surface: validate, lay out, run the method, build the result."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from crevasse.arguments import check_accepted, check_camera, check_hints, check_method, check_threads, check_weights
from crevasse.assembly import Assembly, stopped
from crevasse.cameras import Camera
from crevasse.check_known import check_known
from crevasse.knowledge import Given, Prior
from crevasse.memory import KNOWN_BYTES_PER_PIXEL
from crevasse.methods import Graduated, Method, Outcome, Problem
from crevasse.methods.problem import pose
from crevasse.methods.registry import make
from crevasse.methods.transpose import is_tall, transpose, transpose_back
from crevasse.progress import follow, show_progress
from crevasse.result import Integration
from crevasse.state import State
from crevasse.status import Noise
from crevasse.validate import check_input

NOTHING = Given()
PIXELS_A_THREAD = 12_000
"""Pixels per thread below which another thread costs more in synchronisation than it gains."""


def integrate(
    normals: ArrayLike,
    mask: ArrayLike | None = None,
    camera: Camera | ArrayLike | None = None,
    method: Method | str | None = None,
    *,
    hints: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    prior: Prior | None = None,
    points: ArrayLike | None = None,
    distances: ArrayLike | None = None,
    fixed: ArrayLike | None = None,
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
    prior : `crevasse.Prior`, rough depth from elsewhere, with holes and errors; its scale may be unknown
    points : (N, 3) or (N, 4) array: row, column, depth and, if known, its standard deviation; some may be wrong
    distances : (N, 5) array: row, column, row, column of two pixels, and their distance in space
    fixed : (H, W) array, depth that must come out, NaN where it is free
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
    given = Given(prior, points, distances, fixed)
    assembly, problem = _assemble(normals, mask, camera, method, hints, weights, threads, max_memory, given)
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
    prior: Prior | None = None,
    points: ArrayLike | None = None,
    distances: ArrayLike | None = None,
    fixed: ArrayLike | None = None,
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
    given = Given(prior, points, distances, fixed)
    return _iterate(*_assemble(normals, mask, camera, method, hints, weights, threads, max_memory, given))


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
    known: Given = NOTHING,
) -> tuple[Assembly, Problem]:
    """Check all arguments and set up the problem."""
    chosen = Graduated() if method is None else check_method(_named(method))
    viewer = check_camera(camera)
    count = check_threads(threads if threads is not None else os.environ.get("CREVASSE_THREADS"))
    further = KNOWN_BYTES_PER_PIXEL if any(known.used.values()) else 0
    valid = check_input(normals, mask, viewer, chosen.bytes_per_pixel + further, max_memory)
    brush, trust = check_hints(hints, valid.mask.shape), check_weights(weights, valid.mask)
    inside = np.ascontiguousarray(valid.mask[valid.window])
    given = {"mask": not inside.all(), "hints": brush is not None, "weights": trust is not None}
    check_accepted(chosen, given | known.used)
    facts = check_known(known, valid.mask, valid.window, viewer)
    painted = None if brush is None else np.ascontiguousarray(brush[valid.window])
    trusted = None if trust is None else np.ascontiguousarray(trust[valid.window])
    busy = min(count, 1 + inside.size // PIXELS_A_THREAD)
    problem = pose(valid.slopes, inside, viewer.planes, busy, painted, trusted, facts)
    return Assembly(valid, problem.domain, viewer, chosen, known), problem


def _named(method: Method | str) -> Method:
    """The method of this name with its default settings; method objects are returned unchanged."""
    return make(method) if isinstance(method, str) else method


def _iterate(assembly: Assembly, problem: Problem) -> Iterator[State]:
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
        yield assembly.state(step, stopped(step), history)
    # Release the method's arrays: those made from the outcome take their place.
    step = step._replace(total=len(history), heights=lambda: outcome.heights, corners=None)
    yield assembly.state(step, lambda: outcome, history)
