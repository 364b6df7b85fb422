"""One map from its file to its results: the steps that integrate, demo and batch share."""

from __future__ import annotations

import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from crevasse.cameras import Camera
from crevasse.cli.main import NO_RESULT, Failure
from crevasse.files import AlreadyThere, BadInput, NormalMap
from crevasse.files.memory import command_estimate, require_memory
from crevasse.files.outputs import Wanted, describe_run, write_outputs, write_single
from crevasse.files.write import make_folder
from crevasse.integrate import iterate
from crevasse.progress import Tell, follow, show_progress
from crevasse.result import Integration
from crevasse.validate import bounding_window

if TYPE_CHECKING:
    from crevasse.pictures import Film

MESH_SUFFIXES = (".ply", ".glb", ".obj", ".stl")


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
    """Integrate a map and write its results; the result and the report on it.

    Parameters
    ----------
    folder : for the results; a path with a mesh's suffix takes the mesh (or the solid) alone
    """
    single = folder.suffix.lower() in MESH_SUFFIXES and not folder.is_dir()
    _make_room(folder, wanted, overwrite, single)
    require_fit(found, wanted, max_memory)
    film = make_film() if wanted.animate else None
    with show_progress(found.name, quiet) as tell:
        began = time.perf_counter()
        result = integrate_map(found, method, threads, tell=tell, film=film, max_memory=max_memory)
        seconds = time.perf_counter() - began
        report = make_report(found, result, seconds)

        def writing(name: str, share: float) -> None:
            tell(f"writing {name}", share)

        if single:
            written = write_single(folder, result, wanted, writing)
        else:
            known = {**report, **facts(found, result)}
            written = write_outputs(folder, result, wanted, known, film, found.depth, writing)
    return result, {**report, **written.facts, "outputs": written.outputs}


def _make_room(folder: Path, wanted: Wanted, overwrite: bool, single: bool) -> None:
    """Make the output folder, and refuse before any work what is in the way."""
    if not single:
        make_folder(folder, list(wanted.names().values()), overwrite)
        return
    make_folder(folder.parent, [], overwrite=True)
    if folder.exists() and not overwrite:
        raise AlreadyThere(f"{folder} already exists; pass --overwrite or another -o")


def require_fit(found: NormalMap, wanted: Wanted, max_memory: int | None) -> None:
    """Refuse a map whose integration would not fit into memory."""
    rows, columns = bounding_window(found.mask)
    sides = rows.stop - rows.start, columns.stop - columns.start
    needed = command_estimate(sides, found.shape, wanted.heavy)
    require_memory(needed, max_memory, f"integrating {found.source} {sides[::-1]}")


def make_film() -> Film:
    """An empty film; drawing is not loaded before it is wanted."""
    from crevasse.pictures import Film

    return Film()


def integrate_map(
    found: NormalMap,
    method: Any,
    threads: int | None,
    quiet: bool = True,
    film: Film | None = None,
    max_memory: int | None = None,
    tell: Tell | None = None,
) -> Integration:
    """The finished integration of a map, in its unit, filmed if wanted; what the core refuses is bad input."""
    if tell is None:
        with show_progress(found.name, quiet) as tell:
            return integrate_map(found, method, threads, quiet, film, max_memory, tell)
    try:
        states = iterate(found.normals, found.mask, found.camera, method, threads=threads, max_memory=max_memory)
    except (ValueError, MemoryError) as error:
        told = str(error).replace("max_memory", "--max-memory")
        raise BadInput(f"{found.source} cannot be integrated: {told}") from None
    watched = states if film is None else film.watch(states)
    result = follow(watched, tell).result()
    if not np.isfinite(result.depth[result.mask]).all():
        raise Failure(f"{found.source}: the run ended without a usable surface; try --method poisson", NO_RESULT)
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
        raise BadInput(f"{option} does not fit {found.source}: {error}") from None
    return replace(result, unit=found.unit)


def make_report(found: NormalMap, result: Integration, seconds: float) -> dict[str, Any]:
    """What a run says about itself, as `integrate --json` prints it."""
    report = describe_run(result, seconds)
    return {**report, "warnings": [*found.warnings, *result.warnings]}


def facts(found: NormalMap, result: Integration) -> dict[str, Any]:
    """What else the report in the result's folder holds: the input, the camera, the method's settings."""
    return {
        "name": found.name,
        "input": str(found.source),
        "frame": found.frame,
        "camera": describe_camera(result.camera),
        "method": result.method.name,
        "settings": asdict(result.method),
    }


def describe_camera(camera: Camera) -> dict[str, Any]:
    """A camera as plain data."""
    return {"model": type(camera).__name__.lower(), **vars(camera)}
