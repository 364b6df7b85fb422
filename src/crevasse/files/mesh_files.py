"""Meshes and point clouds as files: PLY, GLB, OBJ, STL."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np

from crevasse.files.write import replacing
from crevasse.mesh import Mesh

MESH_FORMATS = ("ply", "glb", "obj", "stl")

# Constants of glTF.
_FLOAT, _UINT, _VERTICES, _INDICES = 5126, 5125, 34962, 34963
_ATTRIBUTES = {"POSITION": 0, "NORMAL": 1, "TEXCOORD_0": 2}


def write_mesh(path: str | Path, mesh: Mesh) -> None:
    """Write a mesh by the path's suffix: PLY and OBJ with quads, all but STL with texture coordinates."""
    target = Path(path)
    kinds = {".ply": _write_ply, ".glb": _write_glb, ".obj": _write_obj, ".stl": _write_stl}
    if target.suffix not in kinds:
        raise ValueError(f"{target} has no suffix of a mesh; give one of {', '.join(kinds)}")
    kinds[target.suffix](target, mesh)


def write_points(path: Path, mesh: Mesh) -> None:
    """Write a mesh's vertices as a PLY point cloud."""
    empty = np.empty((0, 3), np.int64)
    _write_ply(path, Mesh(mesh.vertices, empty, empty, mesh.normals, mesh.texture))


def _write_ply(path: Path, mesh: Mesh) -> None:
    faces = mesh.quads if len(mesh.quads) else mesh.faces
    header = [
        "ply",
        "format binary_little_endian 1.0",
        "comment camera frame: x right, y down, z forward",
        f"element vertex {len(mesh.vertices)}",
        *(f"property float {name}" for name in ("x", "y", "z", "nx", "ny", "nz", "s", "t")),
    ]
    if len(faces):
        header += [f"element face {len(faces)}", "property list uchar int vertex_indices"]
    vertices = np.concatenate([mesh.vertices, mesh.normals, mesh.texture], axis=1).astype("<f4")
    table = np.empty(len(faces), [("count", "u1"), ("corners", "<i4", (faces.shape[1],))])
    table["count"], table["corners"] = faces.shape[1], faces
    with replacing(path) as temporary, open(temporary, "wb") as stream:
        stream.write(("\n".join([*header, "end_header"]) + "\n").encode())
        stream.write(vertices.tobytes())
        stream.write(table.tobytes())


def _write_obj(path: Path, mesh: Mesh) -> None:
    faces = mesh.quads if len(mesh.quads) else mesh.faces
    with replacing(path) as temporary, open(temporary, "w") as stream:
        stream.write("# camera frame: x right, y down, z forward\n")
        np.savetxt(stream, mesh.vertices, "v %.7g %.7g %.7g")
        np.savetxt(stream, mesh.texture, "vt %.7g %.7g")
        np.savetxt(stream, mesh.normals, "vn %.5g %.5g %.5g")
        np.savetxt(stream, np.repeat(faces + 1, 3, axis=1), "f " + " ".join(["%d/%d/%d"] * faces.shape[1]))


def _write_stl(path: Path, mesh: Mesh) -> None:
    corners = mesh.vertices[mesh.faces].astype(np.float32)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    table = np.zeros(len(corners), [("normal", "<f4", (3,)), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
    table["normal"], table["corners"] = normals / np.where(lengths > 0, lengths, 1), corners
    with replacing(path) as temporary, open(temporary, "wb") as stream:
        stream.write(b"crevasse: x right, y down, z forward".ljust(80) + np.uint32(len(table)).tobytes())
        stream.write(table.tobytes())


def _write_glb(path: Path, mesh: Mesh) -> None:
    """Binary glTF 2.0; a node turns the camera frame into glTF's, which has y upwards and z to the viewer."""
    texture = np.stack([mesh.texture[:, 0], 1.0 - mesh.texture[:, 1]], axis=1)
    blocks = [
        mesh.vertices.astype("<f4"),
        mesh.normals.astype("<f4"),
        texture.astype("<f4"),
        mesh.faces.astype("<u4").reshape(-1),
    ]
    views, start = [], 0
    for block, target in zip(blocks, (_VERTICES, _VERTICES, _VERTICES, _INDICES), strict=True):
        views.append({"buffer": 0, "byteOffset": start, "byteLength": block.nbytes, "target": target})
        start += block.nbytes
    kinds = (("VEC3", _FLOAT), ("VEC3", _FLOAT), ("VEC2", _FLOAT), ("SCALAR", _UINT))
    accessors: list[dict[str, Any]] = [
        {"bufferView": k, "componentType": kind[1], "count": len(block), "type": kind[0]}
        for k, (block, kind) in enumerate(zip(blocks, kinds, strict=True))
    ]
    accessors[0] |= {"min": blocks[0].min(axis=0).tolist(), "max": blocks[0].max(axis=0).tolist()}
    document = {
        "asset": {"version": "2.0", "generator": "crevasse"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "name": "surface", "matrix": np.diag([1.0, -1.0, -1.0, 1.0]).ravel().tolist()}],
        "meshes": [{"primitives": [{"attributes": _ATTRIBUTES, "indices": 3, "material": 0}]}],
        "materials": [{"doubleSided": True, "pbrMetallicRoughness": {"metallicFactor": 0.0, "roughnessFactor": 0.8}}],
        "buffers": [{"byteLength": start}],
        "bufferViews": views,
        "accessors": accessors,
    }
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    with replacing(path) as temporary, open(temporary, "wb") as stream:
        stream.write(struct.pack("<4sII", b"glTF", 2, 12 + 8 + len(text) + 8 + start))
        stream.write(struct.pack("<I4s", len(text), b"JSON") + text)
        stream.write(struct.pack("<I4s", start, b"BIN\x00"))
        for block in blocks:
            stream.write(block.tobytes())
