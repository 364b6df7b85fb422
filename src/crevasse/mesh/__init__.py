"""Meshes of a result: welded, one quadrilateral per pixel, one vertex per pixel, or a closed solid."""

from crevasse.mesh.build import KINDS, build_mesh
from crevasse.mesh.mesh import Mesh, MeshBlocks, VertexBlock, to_camera_frame
from crevasse.mesh.pixel import pixel_mesh
from crevasse.mesh.quads import bridged_quads, separate_quads
from crevasse.mesh.solid import solid_mesh
from crevasse.mesh.trim import TRIM
from crevasse.mesh.weld import weld
from crevasse.mesh.welded import Patches, Welded

__all__ = [
    "KINDS",
    "TRIM",
    "Mesh",
    "MeshBlocks",
    "Patches",
    "VertexBlock",
    "Welded",
    "bridged_quads",
    "build_mesh",
    "pixel_mesh",
    "separate_quads",
    "solid_mesh",
    "to_camera_frame",
    "weld",
]
