"""One map from its file to its results: the steps that integrate, demo and batch share."""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from crevasse.cli.console import follow
from crevasse.cli.main import NO_RESULT, Failure
from crevasse.files import BadInput, NormalMap
from crevasse.files.memory import integration_estimate, require_memory
from crevasse.files.outputs import Wanted, write_outputs
from crevasse.files.write import make_folder
from crevasse.integrate import iterate
from crevasse.result import Integration
from crevasse.validate import bounding_window

if TYPE_CHECKING:
    from crevasse.pictures import Film


def run_map(
    found: NormalMap,
    method: Any,
    folder: Path,
    wanted: Wanted,
    *,
    overwrite: bool = False,
    threads: int | None = None,
    max_memory: int | None = None,
    quiet: bool = False,
) -> tuple[Integration, dict[str, Any]]:
    """Integrate a map and write its results; the result and the report on it."""
    make_folder(folder, list(wanted.names().values()), overwrite)
    require_fit(found, max_memory)
    began = time.perf_counter()
    film = make_film() if wanted.animate else None
    result = integrate_map(found, method, threads, quiet, film, max_memory)
    seconds = time.perf_counter() - began
    report = make_report(found, result, seconds)
    known = {**report, **facts(found, result)}
    report["outputs"] = write_outputs(folder, result, wanted, known, film, found.depth)
    return result, report


def require_fit(found: NormalMap, max_memory: int | None) -> None:
    """Refuse a map whose integration would not fit into memory."""
    rows, columns = bounding_window(found.mask)
    sides = rows.stop - rows.start, columns.stop - columns.start
    require_memory(integration_estimate(sides, found.shape), max_memory, f"integrating {found.source} {sides[::-1]}")


def make_film() -> Film:
    """An empty film; drawing is not loaded before it is wanted."""
    from crevasse.pictures import Film

    return Film()


def integrate_map(
    found: NormalMap,
    method: Any,
    threads: int | None,
    quiet: bool,
    film: Film | None = None,
    max_memory: int | None = None,
) -> Integration:
    """The finished integration of a map, filmed if there is a film; what the core refuses is bad input."""
    try:
        states = iterate(found.normals, found.mask, found.camera, method, threads=threads, max_memory=max_memory)
    except (ValueError, MemoryError) as error:
        told = str(error).replace("max_memory", "--max-memory")
        raise BadInput(f"{found.source} cannot be integrated: {told}") from None
    watched = states if film is None else film.watch(states)
    result = follow(watched, found.name, quiet).result()
    if not np.isfinite(result.depth[result.mask]).all():
        raise Failure(f"{found.source}: the run ended without a usable surface; try --method poisson", NO_RESULT)
    return result


def make_report(found: NormalMap, result: Integration, seconds: float) -> dict[str, Any]:
    """What a run says about itself, as `integrate --json` prints it."""
    return {
        "status": str(result.status),
        "seconds": seconds,
        "iterations": result.iterations,
        "pixels": result.pixels,
        "regions": result.regions,
        "islands": int(result.islands.max(initial=0)),
        "outputs": {},
        "warnings": [*found.warnings, *result.warnings],
    }


def facts(found: NormalMap, result: Integration) -> dict[str, Any]:
    """What else the report in the result's folder holds: the input, the camera, the method's settings."""
    return {
        "name": found.name,
        "input": str(found.source),
        "frame": found.frame,
        "camera": describe_camera(found),
        "method": result.method.name,
        "settings": asdict(result.method),
    }


def describe_camera(found: NormalMap) -> dict[str, Any]:
    """A map's camera as plain data."""
    return {"model": type(found.camera).__name__.lower(), **asdict(found.camera)}
