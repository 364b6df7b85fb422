"""The engine of a run, and what corrects its slopes."""

from __future__ import annotations

import numpy as np

from crevasse.methods.graduated.engine import Engine
from crevasse.methods.graduated.noise import estimate_noise
from crevasse.methods.graduated.slope_correction import SlopeCorrection
from crevasse.methods.graduated.smooth_error import ErrorModel
from crevasse.methods.graduated.views.denoise import denoise
from crevasse.methods.problem import Problem


def make_engine(problem: Problem, errors: ErrorModel) -> tuple[Engine, SlopeCorrection | None]:
    """An engine, and what corrects its slopes where normals err smoothly; noisy slopes are denoised first."""
    averaged = np.where(errors.independent, errors.white, 0.0) if errors.is_smooth else errors.white
    given = denoise(problem, averaged)
    left = errors.white if given is problem else estimate_noise(given)
    engine = Engine(given, left)
    if not errors.is_smooth:
        return engine, None
    return engine, SlopeCorrection(engine, given, np.hypot(left, errors.smooth), errors.smooth > 0)
