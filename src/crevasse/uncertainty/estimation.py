"""Estimate the standard deviation of depth from misfit, smooth errors and luck."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from crevasse.assessed import NORMAL_ERRORS
from crevasse.cameras import Array
from crevasse.cameras.checks import require_finite, require_within
from crevasse.integration import integrate
from crevasse.progress import ReportProgress, show_progress
from crevasse.result import Integration
from crevasse.solve import LinearSystem
from crevasse.status import Status
from crevasse.uncertainty.final_system import FinalSystem, final_system
from crevasse.uncertainty.gauge import Owners, depth_per_height, gauge_owners, offset_free
from crevasse.uncertainty.mirrors import UPSIDE_DOWN, mirrored_heights
from crevasse.uncertainty.probing import probe, white_fluxes
from crevasse.uncertainty.reliability import Reliability, describe, rate
from crevasse.uncertainty.residual_fluxes import residual_fluxes
from crevasse.uncertainty.smooth_turns import smooth_fluxes

ASSUMED_ERROR = 5.0
"""Degrees by which normals are assumed to err smoothly where the map shows that they do (`benchmarks/sigma.py`)."""
NOISE_FACTOR = 2.0
"""Times the geometric mean of two standard deviations: that of the weights, which is too large on exact normals, and
that of the gaps, which is too small because the surface was fitted to them (`benchmarks/sigma.py`)."""
SAMPLES = 6
"""Probes of each kind; they estimate a standard deviation to 1 / sqrt(2 n) = 29 %, a geometric mean to 20 %."""
SEED = 20


class Parts(NamedTuple):
    """Standard deviations of heights, in pixels, by their cause; (H, W) each, 0 outside and on islands."""

    normals: Array
    """Errors of the normals: what no surface fits, what is assumed, and discretisation."""
    places: Array
    """Parts that could lie elsewhere: the difference from another surface that explains the map as well."""

    def total(self) -> Array:
        """Both together."""
        return np.asarray(np.hypot(*self))


@dataclass(frozen=True, eq=False)
class Uncertainty:
    """How sure a result is.

    Attributes
    ----------
    sigma : (H, W) standard deviation of depth within its region's gauge, in depth units; infinite on islands, whose
        place nothing determines; NaN outside
    parts : what it consists of, in pixels
    normal_error : degrees by which the normals are taken to err smoothly
    assumed : whether these degrees are an assumption, not given by the caller
    rating, words : how sure the result is, in numbers and in sentences
    """

    sigma: Array
    parts: Parts
    normal_error: float
    assumed: bool
    rating: Reliability
    words: str = field(repr=False)

    def __str__(self) -> str:
        return self.words


def estimate(
    result: Integration, normal_error: float | None = None, report_progress: ReportProgress | None = None
) -> Uncertainty:
    """The standard deviation of the depth of a result.

    Takes about as long as two more runs: a mirrored one, and the probes.

    Parameters
    ----------
    normal_error : degrees (root mean square) by which the normals err smoothly. None assumes `ASSUMED_ERROR` where
        the map shows such an error, else none: an error without curl cannot be seen in the normals
    report_progress : called with the name of a phase, and the share of it that is done
    """
    if normal_error is not None:
        require_finite("normal_error", normal_error)
        require_within("normal_error", normal_error, NORMAL_ERRORS, "degrees by which normals err")
    if result.status is Status.NOT_FINITE:
        raise ValueError(f"there is no sigma. {result.status}")
    tell = report_progress or (lambda phase, share: None)
    owners = gauge_owners(result)
    system = final_system(result)
    degrees = float(normal_error) if normal_error is not None else ASSUMED_ERROR * system.errors.is_smooth
    parts = Parts(
        _errors_of_normals(result, system, owners, degrees, tell), _other_places(result, system, owners, tell)
    )
    sigma = _to_depth(result, parts, owners)
    rating, assumed = rate(result, sigma), normal_error is None
    return Uncertainty(sigma, parts, degrees, assumed, rating, describe(result, rating, degrees, assumed))


def assess(result: Integration, normal_error: float | None = None, progress: bool = False) -> Uncertainty:
    """How sure a result is, with a progress bar if wanted; see `estimate`."""
    with show_progress("sigma", quiet=not progress) as report_progress:
        return estimate(result, normal_error, report_progress)


def _errors_of_normals(
    result: Integration, system: FinalSystem, owners: Owners, degrees: float, tell: ReportProgress
) -> Array:
    """What the errors of the normals do to heights, by probing."""
    window, right, down = system.posed.window, system.right, system.down
    linear, inner = LinearSystem(right, down), owners[window]
    plans = [white_fluxes(right, down, SAMPLES, SEED), residual_fluxes(system, SAMPLES, SEED + 1)]
    if degrees:
        plans.append(smooth_fluxes(system, result.normals[window], degrees, SAMPLES, SEED + 2))
    done = 0

    def level(heights: Array) -> Array:
        nonlocal done
        done += 1
        tell("probing", done / (SAMPLES * len(plans)))
        return offset_free(heights, inner)

    expected, left, *smooth = (probe(linear, fluxes, level) for fluxes in plans)
    square = np.square(NOISE_FACTOR) * expected * left + sum(np.square(part) for part in smooth)
    found = np.zeros(owners.shape)
    found[window] = np.sqrt(square)
    return found


def _other_places(result: Integration, system: FinalSystem, owners: Owners, tell: ReportProgress) -> Array:
    """How far another surface is away that explains the map as well.

    Where the normals err smoothly, it is not certain which jumps are real: the other surface has none. Elsewhere it
    is what the method finds in a mirror.
    """
    if system.errors.is_smooth and not any(result.given.used.values()):
        other = integrate(result.normals, result.mask, result.camera, "poisson").surface.heights
    else:
        other = mirrored_heights(result, UPSIDE_DOWN, tell)
    return np.abs(offset_free(result.surface.heights - other, owners))


def _to_depth(result: Integration, parts: Parts, owners: Owners) -> Array:
    """Sigma in depth units: infinite on islands, NaN outside."""
    unit = depth_per_height(result)
    sigma = np.where(owners > 0, parts.total() * unit, np.inf)
    return np.where(result.mask, sigma, np.nan)
