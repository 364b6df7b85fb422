"""One map from its file to its results: the steps that integrate, demo and batch share."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from crevasse.cli.console import follow
from crevasse.cli.main import NO_RESULT, Failure
from crevasse.files import BadInput, NormalMap
from crevasse.files.identity import Identity
from crevasse.files.memory import require_memory
from crevasse.files.outputs import Draw, Wanted, write_outputs
from crevasse.files.result_folder import claimed
from crevasse.integrate import iterate
from crevasse.memory import integrating_bytes
from crevasse.result import Integration, Status
from crevasse.validate import bounding_window

if TYPE_CHECKING:
    from crevasse.pictures import Film


@dataclass(frozen=True)
class Place:
    """Where a result goes, and what it is made of.

    Attributes
    ----------
    folder : for the result's files
    wanted : which files
    inputs : files that are read, which no output may replace
    identity : what the result depends on, as `files.identity.identify` tells; None: not known
    overwrite : whether an earlier result may be replaced
    patience : seconds to wait for another process that writes into the folder
    """

    folder: Path
    wanted: Wanted
    inputs: tuple[Path, ...] = ()
    identity: Identity | None = None
    overwrite: bool = False
    patience: float = 0.0


def run_map(
    found: NormalMap,
    method: Any,
    place: Place,
    *,
    threads: int | None = None,
    max_memory: int | None = None,
    quiet: bool = False,
    drawings: Mapping[str, Draw] = MappingProxyType({}),
) -> tuple[Integration, dict[str, Any]]:
    """Integrate a map and write its results; the result and the report on it."""
    require_fit(found, method, max_memory)
    wanted, names = place.wanted, [*place.wanted.names().values(), *(f"{kind}.png" for kind in drawings)]
    with claimed(place.folder, names, place.overwrite, place.inputs, place.patience):
        began = time.perf_counter()
        film = make_film() if wanted.animate else None
        result = integrate_map(found, method, threads, quiet, film, max_memory)
        report = make_report(found, result, time.perf_counter() - began)
        known = {**report, **facts(found, result), "identity": place.identity}
        report["outputs"] = write_outputs(place.folder, result, wanted, known, film, found.depth, drawings)
    return result, report


def require_fit(found: NormalMap, method: Any, max_memory: int | None) -> None:
    """Refuse a map whose integration would not fit into memory."""
    rows, columns = bounding_window(found.mask)
    sides = rows.stop - rows.start, columns.stop - columns.start
    needed = integrating_bytes(sides, method.bytes_per_pixel, found.shape)
    require_memory(needed, max_memory, f"integrating {found.source} {sides[::-1]}")


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
    if result.status is Status.NOT_FINITE:
        raise Failure(f"{found.source}: {result.status} Try --method poisson.", NO_RESULT)
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
