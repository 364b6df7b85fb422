"""Make a mesh of a surface, of the kind that is asked for."""

from __future__ import annotations

from typing import Any, Protocol

from crevasse.cameras import Array
from crevasse.mesh.mesh import Mesh
from crevasse.mesh.pixel import pixel_mesh
from crevasse.mesh.quads import bridged_quads, separate_quads
from crevasse.mesh.weld import weld
from crevasse.mesh.welded import Mask, Patches, Welded

KINDS = ("welded", "quads", "pixel")
"""Kinds of mesh that `Integration.mesh` makes."""


class Relief(Patches, Protocol):
    """A surface that also yields whole images of depth, of corners and of normals."""

    @property
    def depth(self) -> Array: ...

    @property
    def corner_depth(self) -> Array: ...

    @property
    def normals(self) -> Array: ...


def build_mesh(surface: Relief, cuts: tuple[Mask, Mask] | None, kind: Any, trim: Any) -> Welded | Mesh:
    """The mesh of a surface; in blocks where possible.

    Parameters
    ----------
    cuts : pairs of pixels that a jump separates; None bridges the jumps
    kind, trim : as `Integration.mesh` takes them
    """
    if kind not in KINDS:
        raise ValueError(f"kind is {kind!r}; give one of {', '.join(KINDS)}")
    if trim is not None and not (isinstance(trim, int | float) and trim >= 0):
        raise ValueError(f"trim is {trim!r:.80}; give a ratio of at least 0, or None")
    if kind == "welded":
        return weld(surface, cuts, trim)
    if kind == "pixel":
        return pixel_mesh(surface.depth, surface.mask, surface.normals, surface.camera, cuts)
    if cuts is not None:
        return separate_quads(surface)
    return bridged_quads(surface.corner_depth, surface.mask, surface.normals, surface.camera)
