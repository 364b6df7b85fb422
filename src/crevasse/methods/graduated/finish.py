"""Make the outcome of a run: place the islands, find the cuts, fix the gauge."""

from __future__ import annotations

from crevasse.cameras import Array
from crevasse.methods.graduated.engine import Engine
from crevasse.methods.graduated.evidence import POLISH
from crevasse.methods.graduated.islands import place_islands
from crevasse.methods.problem import Outcome, describe_threads
from crevasse.methods.regions import level_regions
from crevasse.result import Status


def finish(engine: Engine, heights: Array, behind: float, notes: tuple[str, ...] = ()) -> Outcome:
    """The outcome of a run that found these heights; releases the engine.

    Parameters
    ----------
    behind : pixels by which islands are set behind their occluders
    notes : further findings, as sentences for the user
    """
    engine.warm_start(heights)
    placed = place_islands(engine, heights, behind)
    engine.warm_start(placed.heights)
    cuts = engine.cuts(POLISH)
    engine.release()
    return Outcome(
        level_regions(placed.heights, engine.domain),
        Status.SCHEDULE_DONE,
        cuts,
        islands=placed.labels,
        warnings=(
            *placed.warnings,
            *notes,
            *(term.describe() for term in engine.terms),
            *describe_threads(engine.threads, engine.threads_asked),
        ),
    )
