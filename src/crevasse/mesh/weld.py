"""The welded mesh of a surface, with or without trimmed silhouettes."""

from __future__ import annotations

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
    if trim is None:
        return whole
    return trim_silhouettes(whole, cuts, trim)
