"""Write the files of a result into its folder."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crevasse.files.assessment import Assessment, assess, assessment_steps
from crevasse.files.data_steps import data_steps, make_mesh, solid_of, write_mesh_file
from crevasse.files.descriptions import describe_outputs, describe_run, describe_solid
from crevasse.files.names import plain_text
from crevasse.files.picture_steps import Draw, draw_file, picture_steps, show_steps
from crevasse.files.result_folder import REPORT, claimed, staged
from crevasse.files.steps import Progress, Step, plain, run_steps
from crevasse.files.wanted import Wanted
from crevasse.files.write import write_json
from crevasse.memory import SIDE_BY_SIDE
from crevasse.mesh import Mesh
from crevasse.result import Integration
from crevasse.status import Status

if TYPE_CHECKING:
    from crevasse.pictures import Film

__all__ = ["REPORT", "Draw", "Wanted", "Written", "describe_run", "save", "write_outputs", "write_single"]


class Written(NamedTuple):
    """Kinds and paths of the files that were written, and their description."""

    outputs: dict[str, str]
    facts: dict[str, Any]


def write_outputs(
    folder: Path,
    result: Integration,
    wanted: Wanted,
    report: dict[str, Any],
    film: Film | None = None,
    truth: NDArray[np.float64] | None = None,
    progress: Progress | None = None,
    drawings: Mapping[str, Draw] = MappingProxyType({}),
    found: Assessment | None = None,
) -> Written:
    """Write what is wanted of a result, as a whole: it takes the place of an earlier one when it is complete.

    Parameters
    ----------
    report : what result.json says about the run
    film : what an animation is drawn from
    truth : (H, W) true depth, for the page
    drawings : further pictures by kind, each drawn from the result into a PNG of that name
    found : how sure the result is; needed if sigma or a report is wanted
    """
    show = progress or (lambda name, share: None)
    show("mesh" if wanted.decimate is None else "mesh, decimated", 0.0)
    mesh = make_mesh(result, wanted)
    facts = describe_outputs(result, mesh, wanted)
    names = wanted.names() | {kind: f"{kind}.png" for kind in drawings}
    title = plain_text(str(report.get("name", folder.name)))
    with staged(folder) as staging:
        data = list(data_steps(staging, result, wanted, mesh, facts))
        drawn = list(picture_steps(staging, result, wanted))
        shows = list(
            show_steps(staging, result, film if wanted.animate else None, title if wanted.html else None, truth)
        )
        shows += assessment_steps(staging, result, wanted, found, title)
        for kind, draw in drawings.items():
            shows.append(Step(names[kind], plain(draw_file, staging / names[kind], draw, result)))
        _run_all(result, data, drawn, shows, show)
        written = {kind: name for kind, name in names.items() if name == REPORT or (staging / name).exists()}
        write_json(staging / REPORT, {**report, **facts, "outputs": written})
    return Written({kind: str(folder / name) for kind, name in written.items()}, facts)


def write_single(path: Path, result: Integration, wanted: Wanted, progress: Progress | None = None) -> Written:
    """Write a mesh, or the solid where that is wanted, into one file."""
    show = progress or (lambda name, share: None)
    show(path.name, 0.0)
    single = replace(wanted, mesh=(path.suffix.lower().removeprefix("."),))
    mesh = None if wanted.solid else make_mesh(result, wanted)
    chosen = solid_of(result) if mesh is None else mesh
    facts = describe_outputs(result, mesh, single)
    if isinstance(chosen, Mesh) and wanted.solid:
        facts["solid"] = describe_solid(chosen, result)
    run_steps([Step(path.name, partial(write_mesh_file, path, chosen, result, wanted))], show)
    return Written({"solid" if wanted.solid else "mesh": str(path)}, facts)


def save(result: Integration, folder: Path, overwrite: bool = False, wanted: Wanted | None = None) -> dict[str, str]:
    """Write a result as the command line does; returns kinds and paths of the files."""
    if result.status is Status.NOT_FINITE:
        raise ValueError(f"there is nothing to save. {result.status}")
    chosen = wanted or Wanted(pictures=True)
    seconds = float(result.history["seconds"][-1]) if len(result.history) else 0.0
    report = {
        **describe_run(result, seconds),
        "name": folder.resolve().name,
        "camera": {"model": type(result.camera).__name__.lower(), **vars(result.camera)},
        "method": result.method.name,
        "settings": asdict(result.method),
        "identity": None,
    }
    inputs = () if chosen.photo is None else (chosen.photo,)
    with claimed(folder, chosen.names().values(), overwrite, inputs):
        found = assess(result, chosen, {})
        report |= {} if found is None else found.to_dict()
        return write_outputs(folder, result, chosen, report, found=found).outputs


def _run_all(result: Integration, data: list[Step], drawn: list[Step], shows: list[Step], progress: Progress) -> None:
    """Write all files of a result; for a small result, pictures in parallel with data."""
    if result.mask.size > SIDE_BY_SIDE:
        run_steps([*data, *drawn, *shows], progress)
        return
    # Compute what both threads use before they start.
    _ = result.depth, result.jumps
    with ThreadPoolExecutor(1) as beside:
        drawing = beside.submit(run_steps, drawn, lambda name, share: None)
        run_steps([*data, *shows], progress)
        drawing.result()
