"""The welded mesh of a surface, with or without trimmed silhouettes."""

from __future__ import annotations

from crevasse.mesh.slits import Slit, has_slits
from crevasse.mesh.trim import trim_silhouettes
from crevasse.mesh.welded import Mask, Patches, Welded, join_pairs


def weld(
    patches: Patches,
    cuts: tuple[Mask, Mask] | None,
    trim: float | None = None,
) -> Welded:
    """The welded mesh of a surface.

    Parameters
    ----------
    cuts : pairs of pixels that a jump separates; None bridges the jumps
    trim : faces at borders longer than this many times their width are left out, and specks with them; None keeps
        every pixel
    """
    whole = Welded(patches, patches.mask, join_pairs(patches.mask, cuts))
    mesh = whole if trim is None else trim_silhouettes(whole, cuts, trim)
    if not has_slits(mesh):
        return mesh
    return Slit(mesh.patches, mesh.mask, mesh.links, mesh.trimmed)
