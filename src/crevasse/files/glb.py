"""Binary glTF 2.0, written part by part.

trimesh holds the mesh and the whole file in memory, more than twice the file's size; this writer needs one block at
a time.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from typing import Any, BinaryIO

import numpy as np

from crevasse.files.axes import AXES
from crevasse.files.errors import BadOutput
from crevasse.files.photo import Photo
from crevasse.mesh import MeshBlocks

# Constants of glTF.
_FLOAT, _UINT, _VERTICES, _INDICES = 5126, 5125, 34962, 34963
STRIDE = 32
"""Bytes per vertex: position, normal, texture coordinates."""
METRES = {"mm": 0.001, "m": 1.0}
"""glTF counts metres; lengths without a unit stay as they are."""
ROOM = 200
"""Bytes reserved in the header for the bounds, which are known only at the end."""


def write_glb(
    stream: BinaryIO, mesh: MeshBlocks, unit: str | None, photo: Photo | None, advance: Callable[[int], None]
) -> None:
    """Write a mesh with y up and z towards the viewer, in metres where its unit is known."""
    triangles = mesh.face_count * (mesh.face_corners - 2)
    lengths = [STRIDE * mesh.vertex_count, 12 * triangles, *([_padded(len(photo.data))] if photo else [])]
    bounds = np.zeros((2, 3))
    room = len(_document(mesh, unit, photo, lengths, triangles, bounds)) + ROOM
    total = 12 + 8 + room + 8 + sum(lengths)
    if total >= 1 << 32:
        raise BadOutput("the mesh is too large for GLB, which ends at 4 GB; write PLY, or decimate it")
    stream.write(struct.pack("<4sIIII", b"glTF", 2, total, room, int.from_bytes(b"JSON", "little")))
    stream.write(b" " * room + struct.pack("<I4s", sum(lengths), b"BIN\x00"))
    bounds = _write_vertices(stream, mesh, advance)
    for faces in mesh.face_blocks():
        corners = faces[:, [0, 1, 2, 0, 2, 3]] if faces.shape[1] == 4 else faces
        stream.write(np.ascontiguousarray(corners, "<u4").data)
        advance(len(faces))
    if photo is not None:
        stream.write(photo.data.ljust(lengths[2], b"\x00"))
    stream.seek(20)
    stream.write(_document(mesh, unit, photo, lengths, triangles, bounds).ljust(room))


def _write_vertices(stream: BinaryIO, mesh: MeshBlocks, advance: Callable[[int], None]) -> Any:
    """Write the vertices, and return their smallest and largest coordinates."""
    turn = AXES["opengl"]
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for block in mesh.vertex_blocks():
        table = np.empty((len(block.vertices), 8), "<f4")
        table[:, :3], table[:, 3:6] = turn.apply(block.vertices), turn.apply(block.normals)
        table[:, 6], table[:, 7] = block.texture[:, 0], 1.0 - block.texture[:, 1]
        if len(table):
            low, high = np.minimum(low, table[:, :3].min(axis=0)), np.maximum(high, table[:, :3].max(axis=0))
        stream.write(table.data)
        advance(len(table))
    return np.array([low, high])


def _document(
    mesh: MeshBlocks, unit: str | None, photo: Photo | None, lengths: list[int], triangles: int, bounds: Any
) -> bytes:
    starts = np.concatenate([[0], np.cumsum(lengths)]).tolist()
    views: list[dict[str, Any]] = [
        {"buffer": 0, "byteOffset": 0, "byteLength": lengths[0], "byteStride": STRIDE, "target": _VERTICES},
        {"buffer": 0, "byteOffset": starts[1], "byteLength": lengths[1], "target": _INDICES},
    ]
    shade: dict[str, Any] = {"metallicFactor": 0.0, "roughnessFactor": 0.8}
    document: dict[str, Any] = {
        "asset": {"version": "2.0", "generator": "crevasse", "extras": {"unit": unit or "not known"}},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "name": "surface", "scale": [METRES.get(unit or "", 1.0)] * 3}],
        "meshes": [{"primitives": [{"attributes": _ATTRIBUTES, "indices": 3, "material": 0}]}],
        "materials": [{"doubleSided": True, "pbrMetallicRoughness": shade}],
        "buffers": [{"byteLength": sum(lengths)}],
        "bufferViews": views,
        "accessors": _accessors(mesh.vertex_count, triangles, bounds),
    }
    if photo is not None:
        views.append({"buffer": 0, "byteOffset": starts[2], "byteLength": len(photo.data)})
        shade["baseColorTexture"] = {"index": 0}
        document |= {
            "textures": [{"source": 0, "sampler": 0}],
            "samplers": [{"wrapS": 33071, "wrapT": 33071}],
            "images": [{"bufferView": 2, "mimeType": photo.media_type}],
        }
    text = json.dumps(document).encode()
    return text.ljust(_padded(len(text)))


_ATTRIBUTES = {"POSITION": 0, "NORMAL": 1, "TEXCOORD_0": 2}


def _accessors(vertices: int, triangles: int, bounds: Any) -> list[dict[str, Any]]:
    def of(view: int, offset: int, kind: str, component: int, count: int) -> dict[str, Any]:
        return {
            "bufferView": view,
            "byteOffset": offset,
            "componentType": component,
            "count": count,
            "type": kind,
        }

    return [
        {**of(0, 0, "VEC3", _FLOAT, vertices), "min": bounds[0].tolist(), "max": bounds[1].tolist()},
        of(0, 12, "VEC3", _FLOAT, vertices),
        of(0, 24, "VEC2", _FLOAT, vertices),
        of(1, 0, "SCALAR", _UINT, 3 * triangles),
    ]


def _padded(length: int) -> int:
    return length + -length % 4
