"""Process one map from file to results; shared by integrate, demo and batch."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from crevasse.cli.main import NO_RESULT, Failure
from crevasse.cli.place import Place
from crevasse.cli.run_report import facts, make_report, read_facts
from crevasse.cli.wording import command_wording
from crevasse.files import BadInput, NormalMap
from crevasse.files.assessment import ASSESSING, assess
from crevasse.files.map_runs import beside, run_states, uses
from crevasse.files.memory import require_memory
from crevasse.files.names import plain_text
from crevasse.files.outputs import Draw, Wanted, write_outputs, write_single
from crevasse.files.steps import writing_time
from crevasse.memory import KNOWN_BYTES_PER_PIXEL, command_bytes
from crevasse.notices import notice_of
from crevasse.progress import Plan, ReportProgress, follow, silent
from crevasse.result import Integration
from crevasse.status import Status
from crevasse.validate import bounding_window

if TYPE_CHECKING:
    from crevasse.pictures import Film


READING, ITERATING, SOLVING = 3.0, 30.0, 3.0
"""Relative time to read a map, to integrate it in many iterations, and by a single solve; in the unit of
`files.steps.TIMES`."""


def plan_of(method: Any, wanted: Wanted) -> Plan:
    """The phases of a run, and about how long each takes."""
    integrating = ITERATING if hasattr(method, "iterations") else SOLVING
    assessing = ASSESSING if wanted.assessed else {}
    writing = writing_time(wanted.names().values())
    return {"reading": READING, "integrating": integrating, **assessing, "writing": writing}


def run_map(
    found: NormalMap,
    method: Any,
    place: Place,
    report_progress: ReportProgress,
    *,
    threads: int | None = None,
    max_memory: int | None = None,
    drawings: Mapping[str, Draw] = MappingProxyType({}),
) -> tuple[Integration, dict[str, Any]]:
    """Integrate a map and write its results; the result and the report on it."""
    require_fit(found, method, place.wanted, max_memory)
    wanted = place.wanted
    with place.claimed(drawings):
        film = make_film() if wanted.animate else None
        began = time.perf_counter()
        report_progress("integrating", 0.0)
        result = integrate_map(found, method, threads, film, max_memory, report_progress)
        report = make_report(found, result, time.perf_counter() - began)
        assessment = assess(result, wanted, read_facts(found), report_progress, command_wording)
        report |= {} if assessment is None else assessment.to_dict()

        def writing(name: str, share: float) -> None:
            report_progress(f"writing {plain_text(name)}", share)

        if place.single:
            written = write_single(place.folder, result, wanted, writing)
        else:
            known = {**report, **facts(found, result), "identity": place.identity}
            written = write_outputs(
                place.folder, result, wanted, known, film, found.depth, writing, drawings, assessment
            )
    return result, {**report, **written.facts, "outputs": written.outputs}


def require_fit(found: NormalMap, method: Any, wanted: Wanted, max_memory: int | None) -> None:
    """Refuse a map whose integration would not fit into memory, and a photograph that does not fit the map."""
    rows, columns = bounding_window(found.mask)
    sides = rows.stop - rows.start, columns.stop - columns.start
    known = any(uses(method, name) for name in beside(found) if name not in ("weights", "hints"))
    further = KNOWN_BYTES_PER_PIXEL if known else 0
    needed = command_bytes(sides, method.bytes_per_pixel + further, found.shape, wanted.heavy)
    require_memory(needed, max_memory, f"integrating {found.source} {sides[::-1]}")
    if wanted.photo is not None:
        from crevasse.files.photo import read_photo

        read_photo(wanted.photo, (found.shape[0], found.shape[1]), max_memory)


def make_film() -> Film:
    """An empty film; the drawing code is loaded only when needed."""
    from crevasse.pictures import Film

    return Film()


def integrate_map(
    found: NormalMap,
    method: Any,
    threads: int | None,
    film: Film | None = None,
    max_memory: int | None = None,
    report_progress: ReportProgress = silent,
) -> Integration:
    """The finished integration of a map, in its unit, filmed if wanted; what the core refuses is bad input."""
    try:
        states = run_states(found, method, threads, max_memory)
    except (ValueError, MemoryError) as error:
        refusal = notice_of(error).with_found(lambda reason: f"{found.source} cannot be integrated: {reason}")
        raise BadInput(refusal) from None
    watched = states if film is None else film.watch(states)
    result = follow(watched, report_progress).result()
    if result.status is Status.NOT_FINITE:
        raise Failure(f"{found.source}: {result.status} Try --method poisson.", NO_RESULT)
    return in_unit(found, result)


def in_unit(found: NormalMap, result: Integration) -> Integration:
    """The result in the unit that the map's scale gives it."""
    try:
        if found.ruler is not None:
            return result.measured(found.ruler)
        if found.distance is not None:
            return result.at_distance(found.distance)
    except ValueError as error:
        option = "--ruler" if found.ruler is not None else "--distance"
        refusal = notice_of(error).with_found(lambda reason: f"{option} does not fit {found.source}: {reason}")
        raise BadInput(refusal) from None
    return replace(result, unit=found.unit)
