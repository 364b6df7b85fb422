"""Write the files of a result into its folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crevasse.files.axes import axes_of_file
from crevasse.files.depth_files import write_depth, write_picture
from crevasse.files.errors import BadInput
from crevasse.files.height_files import displacement, write_height
from crevasse.files.mesh_files import Style, write_mesh, write_points
from crevasse.files.names import plain_text
from crevasse.files.result_folder import REPORT, claimed, staged
from crevasse.files.wanted import Wanted
from crevasse.files.write import write_bytes, write_json, write_npy
from crevasse.memory import SIDE_BY_SIDE
from crevasse.mesh import Mesh, Welded, solid_mesh
from crevasse.result import Integration, Status

if TYPE_CHECKING:
    from crevasse.pictures import Film

__all__ = ["REPORT", "Draw", "Wanted", "Written", "save", "write_outputs", "write_single"]

Draw = Callable[[Integration], NDArray[np.uint8]]
Progress = Callable[[str, float], None]
"""Called with the kind of file being written, and the share of all writing that is done."""
WEIGHTS = {".ply": 6.0, ".obj": 20.0, ".glb": 6.0, ".stl": 5.0, ".png": 2.0}
"""Relative time that each kind of file takes to write."""


class Written(NamedTuple):
    """Kinds and paths of the files that were written, and their description."""

    outputs: dict[str, str]
    facts: dict[str, Any]


class _Step(NamedTuple):
    """One file to write; `write` is given a function to call with the share that is done."""

    name: str
    write: Callable[[Callable[[float], None]], None]


def write_outputs(
    folder: Path,
    result: Integration,
    wanted: Wanted,
    report: dict[str, Any],
    film: Film | None = None,
    truth: NDArray[np.float64] | None = None,
    progress: Progress | None = None,
    drawings: Mapping[str, Draw] = MappingProxyType({}),
) -> Written:
    """Write what is wanted of a result, as a whole: it takes the place of an earlier one when it is complete.

    Parameters
    ----------
    report : what result.json says about the run
    film : what an animation is drawn from
    truth : (H, W) true depth, for the page
    drawings : further pictures by kind, each drawn from the result into a PNG of that name
    """
    mesh = make_mesh(result, wanted)
    names = wanted.names() | {kind: f"{kind}.png" for kind in drawings}
    title = plain_text(report["name"]) if wanted.html else None
    with staged(folder) as staging:
        data = list(_data_steps(staging, result, wanted, mesh))
        drawn = list(_picture_steps(staging, result, wanted))
        shows = list(_show_steps(staging, result, film if wanted.animate else None, title, truth))
        for kind, draw in drawings.items():
            shows.append(_Step(names[kind], _plain(_draw, staging / names[kind], draw, result)))
        _run_steps(result, data, drawn, shows, progress or (lambda name, share: None))
        facts = describe_outputs(result, mesh, wanted.upright)
        written = {kind: name for kind, name in names.items() if name == REPORT or (staging / name).exists()}
        write_json(staging / REPORT, {**report, **facts, "outputs": written})
    return Written({kind: str(folder / name) for kind, name in written.items()}, facts)


def _run_steps(
    result: Integration, data: list[_Step], drawn: list[_Step], shows: list[_Step], progress: Progress
) -> None:
    """Write all files of a result; for a small result, pictures in parallel with data."""
    if result.mask.size > SIDE_BY_SIDE:
        _run([*data, *drawn, *shows], progress)
        return
    # Compute what both threads use before they start.
    _ = result.depth, result.jumps
    with ThreadPoolExecutor(1) as beside:
        drawing = beside.submit(_run, drawn, lambda name, share: None)
        _run([*data, *shows], progress)
        drawing.result()


def write_single(path: Path, result: Integration, wanted: Wanted, progress: Progress | None = None) -> Written:
    """Write a mesh, or the solid where that is wanted, into one file."""
    mesh = None if wanted.solid else make_mesh(result, wanted)
    chosen = _solid(result) if mesh is None else mesh
    _run(
        [_Step(path.name, partial(_write_mesh, path, chosen, result, wanted))], progress or (lambda name, share: None)
    )
    upright = wanted.upright_file(path.suffix)
    return Written({"solid" if wanted.solid else "mesh": str(path)}, describe_outputs(result, mesh, upright))


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
        return write_outputs(folder, result, chosen, report).outputs


def describe_run(result: Integration, seconds: float) -> dict[str, Any]:
    """Describe a run for its report: status, warnings, camera, settings."""
    return {
        "status": str(result.status),
        "seconds": seconds,
        "iterations": result.iterations,
        "pixels": result.pixels,
        "regions": result.regions,
        "islands": result.island_count,
        "unit": result.unit_name,
        "metric": result.metric,
        "noise": None if result.noise is None else result.noise._asdict(),
        "outputs": {},
        "warnings": list(result.warnings),
    }


def describe_outputs(result: Integration, mesh: Welded | Mesh | None, upright: str | None = None) -> dict[str, Any]:
    """Describe the files of a result: the mesh's parts, where it stands upright, the range of heights."""
    span = displacement(result)
    facts: dict[str, Any] = {
        "displacement": {"px": span.pixels, "length": span.length, "unit": result.unit_name, "words": str(span)}
    }
    if mesh is not None:
        facts["mesh"] = {
            "vertices": mesh.vertex_count,
            "faces": mesh.face_count,
            "components": mesh.components,
            "trimmed": mesh.trimmed,
            "upright": upright,
        }
    return facts


def make_mesh(result: Integration, wanted: Wanted) -> Welded | Mesh | None:
    """The requested mesh, generated in blocks unless it is decimated."""
    if wanted.kind == "none":
        return None
    if wanted.decimate is None:
        return result.mesh_blocks(wanted.kind, wanted.torn, wanted.trim)
    from crevasse.mesh.decimate import decimate

    return decimate(result.mesh(wanted.kind, wanted.torn, wanted.trim), wanted.decimate)


def _run(steps: list[_Step], progress: Progress) -> None:
    """Write the files one after another, and report progress."""
    weights = [WEIGHTS.get(Path(step.name).suffix, 1.0) for step in steps]
    total, done = sum(weights), 0.0
    for step, weight in zip(steps, weights, strict=True):
        begun = done

        def report(share: float, step: _Step = step, begun: float = begun, weight: float = weight) -> None:
            progress(step.name, (begun + weight * share) / total)

        report(0.0)
        step.write(report)
        done += weight


def _plain(function: Callable[..., Any], *arguments: Any) -> Callable[[Callable[[float], None]], None]:
    """Wrap a writer that reports no progress."""

    def write(report: Callable[[float], None]) -> None:
        function(*arguments)

    return write


def _data_steps(folder: Path, result: Integration, wanted: Wanted, mesh: Welded | Mesh | None) -> Iterator[_Step]:
    for kind in ("npy", *(kind for kind in wanted.depth if kind != "npy")):
        yield _Step(f"depth.{kind}", _plain(write_depth, folder, result.depth, kind, result.unit_name))
    for kind in wanted.height:
        yield _Step(f"height.{kind}", _plain(write_height, folder, result, kind))
    for kind in wanted.mesh if mesh is not None else ():
        yield _Step(f"mesh.{kind}", partial(_write_mesh, folder / f"mesh.{kind}", mesh, result, wanted))
    if wanted.solid:
        yield _Step("solid.stl", partial(_write_solid, folder / "solid.stl", result, wanted))
    if wanted.points:
        yield _Step("points.ply", _plain(_write_points, folder / "points.ply", result, wanted))
    if wanted.arrays:
        yield _Step("corners.npy", _plain(write_npy, folder / "corners.npy", result.corners))
        yield _Step("jumps_right.npy", _plain(write_npy, folder / "jumps_right.npy", result.jumps.right))
        yield _Step("jumps_down.npy", _plain(write_npy, folder / "jumps_down.npy", result.jumps.down))
        yield _Step("islands.npy", _plain(write_npy, folder / "islands.npy", result.islands))


def _write_points(path: Path, result: Integration, wanted: Wanted) -> None:
    write_points(path, result.mesh("pixel"), Style(axes_of_file(wanted.axes, path.suffix), result.unit))


def _write_solid(path: Path, result: Integration, wanted: Wanted, report: Callable[[float], None]) -> None:
    _write_mesh(path, _solid(result), result, wanted, report)


def _solid(result: Integration) -> Mesh:
    try:
        return solid_mesh(result.corners, result.mask, result.camera)
    except ValueError as error:
        raise BadInput(f"no solid can be written: {error}") from None


def _write_mesh(
    path: Path, mesh: Welded | Mesh | None, result: Integration, wanted: Wanted, report: Callable[[float], None]
) -> None:
    assert mesh is not None
    total, done = max(mesh.vertex_count + mesh.face_count, 1), 0

    def advance(count: int) -> None:
        nonlocal done
        done += count
        report(done / total)

    photo = None
    if wanted.photo is not None:
        from crevasse.files.photo import read_photo

        photo = read_photo(wanted.photo, (result.mask.shape[0], result.mask.shape[1]))
    write_mesh(path, mesh, Style(axes_of_file(wanted.axes, path.suffix), result.unit, photo, advance))


def _picture_steps(folder: Path, result: Integration, wanted: Wanted) -> Iterator[_Step]:
    from crevasse import pictures

    yield _Step("jumps.png", _plain(_draw, folder / "jumps.png", pictures.jumps, result))
    yield _Step("preview.png", _plain(_draw, folder / "preview.png", pictures.preview, result))
    if wanted.pictures:
        yield _Step("depth_colours.png", _plain(_draw, folder / "depth_colours.png", pictures.depth, result))
    if wanted.arrays:
        yield _Step("islands.png", _plain(_draw, folder / "islands.png", pictures.islands, result))


def _draw(path: Path, draw: Callable[[Integration], NDArray[np.uint8]], result: Integration) -> None:
    write_picture(path, draw(result))


def _show_steps(
    folder: Path, result: Integration, film: Film | None, title: str | None, truth: NDArray[np.float64] | None
) -> Iterator[_Step]:
    """The animation of the run if there is a film, and the page if it has a title."""
    animation = film.encode() if film is not None else None
    if animation is not None:
        yield _Step("animation.webp", _plain(write_bytes, folder / "animation.webp", animation))
    if title is not None:
        yield _Step("page.html", _plain(_write_page, folder / "page.html", result, title, truth, animation))


def _write_page(
    path: Path, result: Integration, title: str, truth: NDArray[np.float64] | None, animation: bytes | None
) -> None:
    from crevasse import pictures

    write_bytes(path, pictures.page(result, title, truth, animation=animation).encode())
