"""The linear system that a surface ends with: its weights say how firmly each pixel is held by its neighbours."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from crevasse.cameras import Array
from crevasse.methods import Graduated
from crevasse.methods.graduated.engine import Engine
from crevasse.methods.graduated.evidence import POLISH
from crevasse.methods.graduated.noise import estimate_noise, is_noisy
from crevasse.methods.graduated.rules import REDESCENDING
from crevasse.methods.graduated.set_up import make_engine
from crevasse.methods.graduated.smooth_error import ErrorModel, model_errors
from crevasse.methods.graduated.terms.spanning import find_spanning
from crevasse.methods.graduated.terms.steep_runs import find_steep_runs
from crevasse.methods.problem import Problem
from crevasse.result import Integration
from crevasse.uncertainty.posing import Posed, pose_again


class FinalSystem(NamedTuple):
    """The weights of all pairs at a surface, and how the normals err."""

    posed: Posed
    heights: Array
    """On the window."""
    right: Array
    """(H, W-1) weights: inverse variances of the differences of height, as far as pairs are not cut."""
    down: Array
    """(H-1, W)"""
    gap_right: Array
    """How far differences of height are from what the normals ask for; shaped as the weights."""
    gap_down: Array
    errors: ErrorModel


def final_system(result: Integration, threads: int = 1) -> FinalSystem:
    """The system of the last iterations of the default method, at the surface of a result.

    It is set up anew rather than kept, so that runs that need no sigma keep nothing. The surface may be that of any
    method: where it does not follow the normals, its weights are small.
    """
    posed = pose_again(result, threads)
    heights = np.where(posed.problem.mask, result.surface.heights[posed.window], 0.0)
    noise = estimate_noise(posed.problem)
    errors = model_errors(posed.problem, noise)
    engine = _engine_at(result, posed.problem, errors, heights)
    engine.iterate(POLISH, REDESCENDING, 1, 1.0, True)
    right, down = (image.astype(float) for image in engine.weights())
    target_right, target_down = (image.astype(float) for image in engine.targets())
    engine.release()
    gap_right = np.diff(heights, axis=1) - target_right[:, :-1]
    gap_down = np.diff(heights, axis=0) - target_down[:-1]
    return FinalSystem(posed, heights, right[:, :-1], down[:-1], gap_right, gap_down, errors)


def _engine_at(result: Integration, problem: Problem, errors: ErrorModel, heights: Array) -> Engine:
    """An engine that holds this surface, with the terms that a run would have added."""
    engine = make_engine(problem, errors)
    engine.warm_start(heights)
    spanning = None
    if isinstance(result.method, Graduated) and result.method.spanning and not errors.is_smooth:
        spanning = find_spanning(find_steep_runs(problem), heights)
    if spanning is not None:
        engine.add(spanning)
    if is_noisy(errors.white).any() and not errors.is_smooth:
        engine.set_slopes(problem)
    return engine
