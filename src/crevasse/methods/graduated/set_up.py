"""The engine of a run: slopes are denoised where averages help, and the errors that are left become variances."""

from __future__ import annotations

import numpy as np

from crevasse.cameras import Array
from crevasse.methods.graduated.engine import Engine
from crevasse.methods.graduated.noise import estimate_noise
from crevasse.methods.graduated.smooth_error import ErrorModel
from crevasse.methods.graduated.views.denoise import denoise
from crevasse.methods.problem import Problem


def make_engine(problem: Problem, errors: ErrorModel) -> Engine:
    """An engine for a map whose normals err like this."""
    given, left = reduce_noise(problem, errors)
    engine = Engine(given, left)
    if errors.is_smooth:
        engine.set_variances(given, errors.of_pairs(left))
    return engine


def reduce_noise(problem: Problem, errors: ErrorModel) -> tuple[Problem, Array]:
    """The problem with denoised slopes, and the noise that is left, per region."""
    averaged = np.where(errors.independent, errors.white, 0.0) if errors.is_smooth else errors.white
    given = denoise(problem, averaged)
    return given, errors.white if given is problem else estimate_noise(given)
