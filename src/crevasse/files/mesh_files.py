"""Meshes and point clouds as files, written part by part: PLY, OBJ, STL, GLB.

trimesh holds the mesh and the whole file in memory, more than twice the file's size, and splits quads into triangles;
these writers need one block at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from crevasse.files.axes import AXES, Axes
from crevasse.files.glb import write_glb
from crevasse.files.photo import Photo
from crevasse.files.write import replacing, write_bytes
from crevasse.mesh import Mesh, MeshBlocks

MESH_FORMATS = ("ply", "glb", "obj", "stl")
LINES = 1 << 14
"""Number of lines of text that are formatted together."""


@dataclass(frozen=True)
class Style:
    """How a mesh is written.

    Attributes
    ----------
    axes : where the file's axes point; GLB keeps to its standard, y up and z towards the viewer
    unit : of the coordinates, for the file's comment
    photo : laid over the mesh: a texture in GLB and OBJ, colours of vertices in PLY
    advance : called with the number of vertices and faces that were written
    """

    axes: Axes = AXES["opengl"]
    unit: str | None = None
    photo: Photo | None = None
    advance: Callable[[int], None] = field(default=lambda count: None)

    def comment(self) -> str:
        """The comment in the file's header: its axes and unit."""
        return f"{self.axes.describe()}; unit: {self.unit or 'not known'}"

    def wind(self, faces: NDArray[np.generic]) -> NDArray[np.generic]:
        """Faces (M, C, ...), reversed if the file's axes mirror the mesh, so that they still face the viewer."""
        return faces[:, ::-1] if self.axes.mirrored else faces


def write_mesh(path: str | Path, mesh: MeshBlocks, style: Style | None = None) -> None:
    """Write a mesh by the path's suffix: PLY and OBJ with quads, all but STL with texture coordinates.

    Unless `style` says otherwise y is up and z points towards the viewer.
    """
    target = Path(path)
    kinds = {".ply": _write_ply, ".glb": _write_glb, ".obj": _write_obj, ".stl": _write_stl}
    suffix = target.suffix.lower()
    if suffix not in kinds:
        raise ValueError(f"{target} does not have the suffix of a mesh file; give one of {', '.join(kinds)}")
    chosen = style or Style()
    if suffix == ".obj" and chosen.photo is not None:
        _write_material(target, chosen.photo)
    with replacing(target) as temporary, open(temporary, "w+b") as stream:
        kinds[suffix](stream, mesh, chosen, target.stem)


def write_points(path: Path, mesh: Mesh, style: Style | None = None) -> None:
    """Write a mesh's vertices as a PLY point cloud."""
    empty = np.empty((0, 3), np.int64)
    write_mesh(path, Mesh(mesh.vertices, empty, empty, mesh.normals, mesh.texture), style)


def _write_ply(stream: BinaryIO, mesh: MeshBlocks, style: Style, name: str) -> None:
    # Write no texture coordinates with colours: readers would look for a texture and ignore the colours.
    colours, texture = ([], ["s", "t"]) if style.photo is None else (["red", "green", "blue"], [])
    numbers = ["x", "y", "z", "nx", "ny", "nz", *texture]
    header = [
        "ply",
        "format binary_little_endian 1.0",
        f"comment {style.comment()}",
        f"element vertex {mesh.vertex_count}",
        *(f"property float {number}" for number in numbers),
        *(f"property uchar {colour}" for colour in colours),
    ]
    if mesh.face_count:
        header += [f"element face {mesh.face_count}", "property list uchar int vertex_indices"]
    stream.write(("\n".join([*header, "end_header"]) + "\n").encode())
    row = np.dtype([("numbers", "<f4", (len(numbers),)), *([("colours", "u1", (3,))] if colours else [])])
    for block in mesh.vertex_blocks():
        table = np.empty(len(block.vertices), row)
        table["numbers"][:, :3] = style.axes.apply(block.vertices)
        table["numbers"][:, 3:6] = style.axes.apply(block.normals)
        if style.photo is None:
            table["numbers"][:, 6:] = block.texture
        else:
            table["colours"] = style.photo.sample(block.texture)
        stream.write(table.data)
        style.advance(len(table))
    for faces in mesh.face_blocks():
        rows = np.empty(len(faces), [("count", "u1"), ("corners", "<i4", (faces.shape[1],))])
        rows["count"], rows["corners"] = faces.shape[1], style.wind(faces)
        stream.write(rows.data)
        style.advance(len(rows))


def _write_obj(stream: BinaryIO, mesh: MeshBlocks, style: Style, name: str) -> None:
    stream.write(f"# {style.comment()}\n".encode())
    if style.photo is not None:
        stream.write(f"mtllib {name}.mtl\nusemtl photo\n".encode())
    for block in mesh.vertex_blocks():
        _write_lines(stream, "v %.7g %.7g %.7g\n", style.axes.apply(block.vertices))
        _write_lines(stream, "vt %.7g %.7g\n", block.texture)
        _write_lines(stream, "vn %.5g %.5g %.5g\n", style.axes.apply(block.normals))
        style.advance(len(block.vertices))
    for faces in mesh.face_blocks():
        line = "f " + " ".join(["%d/%d/%d"] * faces.shape[1]) + "\n"
        _write_lines(stream, line, np.repeat(style.wind(faces) + 1, 3, axis=1))
        style.advance(len(faces))


def _write_lines(stream: BinaryIO, line: str, table: NDArray[np.generic]) -> None:
    for first in range(0, len(table), LINES):
        rows = table[first : first + LINES]
        stream.write(((line * len(rows)) % tuple(rows.ravel().tolist())).encode())


def _write_material(path: Path, photo: Photo) -> None:
    """Write the photograph and the MTL file that names it, beside an OBJ file."""
    picture = f"{path.stem}-photo{photo.suffix}"
    write_bytes(path.with_name(picture), photo.data)
    text = f"newmtl photo\nKa 0 0 0\nKd 1 1 1\nKs 0 0 0\nmap_Kd {picture}\n"
    write_bytes(path.with_suffix(".mtl"), text.encode())


def _write_stl(stream: BinaryIO, mesh: MeshBlocks, style: Style, name: str) -> None:
    count = mesh.face_count * (mesh.face_corners - 2)
    stream.write(f"crevasse: {style.comment()}".encode()[:80].ljust(80) + np.uint32(count).tobytes())
    for polygons in mesh.polygon_blocks():
        corners = style.wind(style.axes.apply(polygons)).astype(np.float32)
        if corners.shape[1] == 4:
            corners = corners[:, [0, 1, 2, 0, 2, 3]].reshape(-1, 3, 3)
        wide = corners.astype(np.float64)
        normals = np.cross(wide[:, 1] - wide[:, 0], wide[:, 2] - wide[:, 0])
        lengths = np.sqrt(np.square(normals).sum(axis=1, keepdims=True))
        table = np.zeros(len(corners), [("normal", "<f4", (3,)), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
        table["normal"], table["corners"] = normals / np.where(lengths > 0, lengths, 1), corners
        stream.write(table.data)
        style.advance(len(polygons))


def _write_glb(stream: BinaryIO, mesh: MeshBlocks, style: Style, name: str) -> None:
    write_glb(stream, mesh, style.unit, style.photo, style.advance)
