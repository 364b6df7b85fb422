"""Make the outcome of a run: place the islands, find the cuts, fix the gauge."""

from __future__ import annotations

import numpy as np

from crevasse.cameras import Array
from crevasse.methods.graduated.engine import OUTLIER, Engine
from crevasse.methods.graduated.evidence import POLISH
from crevasse.methods.graduated.gauge import fix_gauge
from crevasse.methods.graduated.islands import place_islands
from crevasse.methods.graduated.smooth_error import ErrorModel
from crevasse.methods.problem import Outcome, describe_threads
from crevasse.status import Status


def finish(engine: Engine, heights: Array, behind: float, errors: ErrorModel) -> Outcome:
    """The outcome of a run that found these heights; releases the engine.

    Parameters
    ----------
    behind : pixels by which islands are set behind their occluders
    errors : of the normals, as the run assumed them in the end
    """
    engine.warm_start(heights)
    placed = place_islands(engine, heights, behind)
    engine.warm_start(placed.heights)
    cuts = engine.cuts(POLISH)
    gauge = fix_gauge(engine, placed.heights)
    notes = (_describe(engine, errors),) if errors.is_smooth else ()
    engine.release()
    return Outcome(
        gauge.heights,
        Status.SCHEDULE_DONE,
        cuts,
        islands=placed.labels,
        warnings=(
            *placed.warnings,
            *gauge.warnings,
            *notes,
            *(said for term in engine.terms if (said := term.describe()) is not None),
            *describe_threads(engine.threads, engine.threads_asked),
        ),
        noise=errors.mean(engine.domain),
        metric=gauge.metric,
    )


def _describe(engine: Engine, errors: ErrorModel) -> str:
    """What a smooth error of the normals means for the result, as a sentence for the user."""
    measured, assumed = np.degrees([errors.mean(engine.domain).smooth, errors.assumed(engine.domain)])
    right, down = engine.variances()
    pixels = OUTLIER * np.sqrt(np.median(np.concatenate([right[right >= 0], down[down >= 0]])))
    return (
        f"the normals err smoothly, by {measured:.1g} degrees or more: no surface fits them. Their curl shows only a"
        f" part of the error, so {assumed:.1g} degrees were assumed, and jumps below about {pixels:.1g} pixels were"
        " not trusted"
    )
