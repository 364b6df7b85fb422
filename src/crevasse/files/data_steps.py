"""The data files of a result: depth, heights, meshes, points, arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from crevasse.files.axes import axes_of_file
from crevasse.files.depth_files import write_depth
from crevasse.files.descriptions import describe_solid
from crevasse.files.errors import BadInput
from crevasse.files.height_files import write_height
from crevasse.files.mesh_files import Style, write_mesh, write_points
from crevasse.files.steps import Step, plain
from crevasse.files.wanted import Wanted
from crevasse.files.write import write_npy
from crevasse.mesh import Mesh, Welded, solid_mesh
from crevasse.result import Integration


def data_steps(
    folder: Path, result: Integration, wanted: Wanted, mesh: Welded | Mesh | None, facts: dict[str, Any]
) -> Iterator[Step]:
    """A step per data file; what is known only once the solid is made is added to `facts`."""
    for kind in ("npy", *(kind for kind in wanted.depth if kind != "npy")):
        yield Step(f"depth.{kind}", plain(write_depth, folder, result.depth, kind, result.unit_name))
    for kind in wanted.height:
        yield Step(f"height.{kind}", plain(write_height, folder, result, kind))
    for kind in wanted.mesh if mesh is not None else ():
        yield Step(f"mesh.{kind}", partial(write_mesh_file, folder / f"mesh.{kind}", mesh, result, wanted))
    if wanted.solid:
        yield Step("solid.stl", partial(_write_solid, folder / "solid.stl", result, wanted, facts))
    if wanted.points:
        yield Step("points.ply", plain(_write_points, folder / "points.ply", result, wanted))
    if wanted.arrays:
        yield Step("corners.npy", plain(write_npy, folder / "corners.npy", result.corners))
        yield Step("jumps_right.npy", plain(write_npy, folder / "jumps_right.npy", result.jumps.right))
        yield Step("jumps_down.npy", plain(write_npy, folder / "jumps_down.npy", result.jumps.down))
        yield Step("islands.npy", plain(write_npy, folder / "islands.npy", result.islands))


def make_mesh(result: Integration, wanted: Wanted) -> Welded | Mesh | None:
    """The requested mesh, generated in blocks unless it is decimated."""
    if wanted.kind == "none":
        return None
    if wanted.decimate is None:
        return result.mesh_blocks(wanted.kind, wanted.torn, wanted.trim)
    from crevasse.mesh.decimate import decimate

    return decimate(result.mesh(wanted.kind, wanted.torn, wanted.trim), wanted.decimate)


def _write_points(path: Path, result: Integration, wanted: Wanted) -> None:
    write_points(path, result.mesh("pixel"), Style(axes_of_file(wanted.axes, path.suffix), result.unit))


def _write_solid(
    path: Path, result: Integration, wanted: Wanted, facts: dict[str, Any], report: Callable[[float], None]
) -> None:
    solid = solid_of(result)
    facts["solid"] = describe_solid(solid, result)
    write_mesh_file(path, solid, result, wanted, report)


def solid_of(result: Integration) -> Mesh:
    """The closed solid for 3D printing, or a refusal where a file could not hold it."""
    try:
        return solid_mesh(result.corners, result.mask, result.camera)
    except ValueError as error:
        raise BadInput(f"no solid can be written: {error}") from None


def write_mesh_file(
    path: Path, mesh: Welded | Mesh | None, result: Integration, wanted: Wanted, report: Callable[[float], None]
) -> None:
    """Write a mesh or a solid, and report the share of its vertices and faces that is written."""
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
