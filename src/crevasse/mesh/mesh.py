"""A mesh in memory, and the blocks in which meshes are written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array

Index = NDArray[np.integer[Any]]
BLOCK = 1 << 18
"""Vertices or faces per block."""


class VertexBlock(NamedTuple):
    """A block of a mesh's vertices: positions (N, 3), unit normals (N, 3), image coordinates (N, 2), v upwards."""

    vertices: Array
    normals: Array
    texture: Array


class MeshBlocks(Protocol):
    """A mesh in blocks, so that a file can be written without holding the whole mesh in memory."""

    @property
    def vertex_count(self) -> int: ...

    @property
    def face_count(self) -> int: ...

    @property
    def face_corners(self) -> int:
        """Corners per face: 3 or 4. A quadrilateral's triangles are (0, 1, 2) and (0, 2, 3)."""
        ...

    def vertex_blocks(self) -> Iterator[VertexBlock]: ...

    def face_blocks(self) -> Iterator[Index]: ...

    def polygon_blocks(self) -> Iterator[Array]:
        """Positions of the faces' corners, (M, 3 or 4, 3)."""
        ...


@dataclass(frozen=True, eq=False)
class Mesh:
    """Vertices in the camera frame (x right, y down, z forward); faces wind so that they face the viewer.

    Attributes
    ----------
    vertices : (N, 3) array
    faces : (M, 3) array of vertex numbers
    quads : (Q, 4) array of vertex numbers, empty where the mesh has triangles only; `faces` covers them too
    normals : (N, 3) array, a unit normal per vertex
    texture : (N, 2) array, where each vertex lies in the image: (u, v) with v upwards
    trimmed : pixels at silhouettes that were left out
    """

    vertices: Array = field(repr=False)
    faces: Index = field(repr=False)
    quads: Index = field(repr=False)
    normals: Array = field(repr=False)
    texture: Array = field(repr=False)
    trimmed: int = 0

    def __repr__(self) -> str:
        trimmed = f", {self.trimmed:,} pixels trimmed" if self.trimmed else ""
        return f"Mesh({len(self.vertices):,} vertices, {len(self.faces):,} triangles{trimmed})"

    @property
    def components(self) -> int:
        """Number of connected parts; unused vertices do not count."""
        from scipy.sparse import coo_matrix
        from scipy.sparse.csgraph import connected_components

        if not len(self.faces):
            return 0
        count = len(self.vertices)
        edges = self.faces[:, [0, 1, 1, 2]].reshape(-1, 2)
        graph = coo_matrix((np.ones(len(edges), bool), (edges[:, 0], edges[:, 1])), (count, count))
        _, labels = connected_components(graph, directed=False)
        return len(np.unique(labels[np.unique(self.faces)]))

    def to_trimesh(self) -> Any:
        """The mesh as a `trimesh.Trimesh`, in the camera frame (`pip install 'crevasse[mesh]'`)."""
        import trimesh

        visual: Any = trimesh.visual.TextureVisuals
        return trimesh.Trimesh(
            self.vertices,
            self.faces,
            vertex_normals=self.normals,
            visual=visual(uv=self.texture),
            process=False,
        )

    def to_open3d(self) -> Any:
        """The mesh as an `open3d.geometry.TriangleMesh`, in the camera frame (needs open3d)."""
        import open3d

        mesh = open3d.geometry.TriangleMesh(
            open3d.utility.Vector3dVector(self.vertices),
            open3d.utility.Vector3iVector(np.asarray(self.faces, np.int32)),
        )
        mesh.vertex_normals = open3d.utility.Vector3dVector(self.normals)
        return mesh

    @property
    def polygons(self) -> Index:
        """The quads where there are any, else the triangles."""
        return self.quads if len(self.quads) else self.faces

    @property
    def vertex_count(self) -> int:
        return len(self.vertices)

    @property
    def face_count(self) -> int:
        return len(self.polygons)

    @property
    def face_corners(self) -> int:
        return int(self.polygons.shape[1])

    def vertex_blocks(self) -> Iterator[VertexBlock]:
        """The vertices part by part."""
        for first in range(0, len(self.vertices), BLOCK):
            some = slice(first, first + BLOCK)
            yield VertexBlock(self.vertices[some], self.normals[some], self.texture[some])

    def face_blocks(self) -> Iterator[Index]:
        """The polygons part by part."""
        for first in range(0, self.face_count, BLOCK):
            yield self.polygons[first : first + BLOCK]

    def polygon_blocks(self) -> Iterator[Array]:
        """Positions of the polygons' corners, part by part."""
        for block in self.face_blocks():
            yield self.vertices[block]


def to_camera_frame(normals: Array) -> Array:
    """Normals of the OpenGL frame in the frame of the points (y down, z forward)."""
    flipped: Array = normals * np.array([1.0, -1.0, -1.0])
    return flipped


def split_quads(quads: Index) -> Index:
    """Two triangles per quadrilateral, along the diagonal from its first corner."""
    return quads[:, [0, 1, 2, 0, 2, 3]].reshape(-1, 3)


def image_coordinates(rows: NDArray[Any], columns: NDArray[Any], shape: tuple[int, ...]) -> Array:
    """Texture coordinates (N, 2) of places in an image: (u, v) from 0 to 1, v upwards."""
    return np.stack([(columns + 0.5) / shape[1], 1.0 - (rows + 0.5) / shape[0]], axis=-1)


def number_pixels(mask: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Numbers 0.. of the mask's pixels, row by row; -1 outside."""
    number = np.full(mask.shape, -1, np.int32)
    number[mask] = np.arange(np.count_nonzero(mask), dtype=np.int32)
    return number


def quads_between(*corners: Index) -> Index:
    """Quadrilaterals (M, 4) of four images of vertex numbers, where all four have one."""
    quads = np.stack(corners, axis=-1).reshape(-1, 4)
    return quads[(quads >= 0).all(axis=1)]
