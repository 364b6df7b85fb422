"""Remove sliver faces at silhouettes, and the specks that remain."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from crevasse.lattice import label_islands, label_regions
from crevasse.mesh.diagonals import stretch
from crevasse.mesh.necks import find_necks
from crevasse.mesh.slits import Slit, has_slits
from crevasse.mesh.welded import Welded, join_pairs

Mask = NDArray[np.bool_]
TRIM = 8.0
"""Length of a face over its width above which it is a sliver; a pixel seen at 7 degrees has such a face."""
ROUNDS = 16
"""Largest number of pixels removed inwards from a border; a wider steep band is surface, not silhouette."""
SPECK = 16
"""Size in pixels of the smallest part that trimming or jumps may leave."""


def trim_silhouettes(whole: Welded, cuts: tuple[Mask, Mask] | None, longest: float) -> Welded:
    """The mesh without slivers at its borders.

    A face at a border is removed if it is longer than `longest` times its width; then its neighbours, now at a
    border, are tested. The two pixels beside a jump along a single edge count as border, too: they become fans. The
    shortest way that holds a part together stays, however steep.
    """
    mask = whole.mask.copy()
    trimmed = whole
    look = np.ones(mask.shape[0], bool)
    for _ in range(ROUNDS):
        gone = _slivers(trimmed, longest, look)
        if not gone.any():
            gone = _slim_fans(trimmed, longest)
        if not gone.any():
            break
        mask = mask & ~gone
        touched: Mask = np.asarray(gone.any(axis=1))
        look = touched.copy()
        look[1:] |= touched[:-1]
        look[:-1] |= touched[1:]
        trimmed = replace(whole, mask=mask, links=join_pairs(mask, cuts))
    mask = mask | find_necks(whole.mask, whole.links, mask, trimmed.links, SPECK)
    mask = mask & ~_specks(whole.mask, mask, join_pairs(mask, cuts))
    count = int(np.count_nonzero(whole.mask)) - int(np.count_nonzero(mask))
    return replace(whole, mask=mask, links=join_pairs(mask, cuts), trimmed=count)


def _slivers(mesh: Welded, longest: float, look: Mask) -> Mask:
    """Pixels at a border whose face is a sliver, in the given rows."""
    border = _border(mesh) & look[:, None]
    gone = np.zeros_like(border)
    for first, last in mesh.bands(len(border)):
        here = border[first:last]
        if here.any():
            gone[first:last][here] = stretch(mesh.corner_points(first, last)[here]) > longest
    return gone


def _border(mesh: Welded) -> Mask:
    """Pixels that lack a link to a neighbour, a diagonal one included; the image's own edge does not count."""
    right, down = mesh.links
    lacks = np.zeros(mesh.mask.shape, bool)
    lacks[:, :-1] |= ~right
    lacks[:, 1:] |= ~right
    lacks[:-1] |= ~down
    lacks[1:] |= ~down
    wide = lacks.copy()
    wide[:, 1:] |= lacks[:, :-1]
    wide[:, :-1] |= lacks[:, 1:]
    wide[1:] |= lacks[:-1]
    wide[:-1] |= lacks[1:]
    return wide & mesh.mask


def _slim_fans(mesh: Welded, longest: float) -> Mask:
    """Pixels beside a jump along a single edge whose fan has a sliver."""
    gone = np.zeros_like(mesh.mask)
    if has_slits(mesh):
        fans = Slit(mesh.patches, mesh.mask, mesh.links).fans
        gone[fans.pixels] = fans.stretch() > longest
    return gone


def _specks(before: Mask, mask: Mask, links: tuple[Mask, Mask]) -> Mask:
    """Pixels of parts that are specks although their region is not."""
    parts = label_islands(mask, (~links[0], ~links[1]))
    regions, _ = label_regions(before)
    small = np.bincount(parts.ravel()) < SPECK
    large = np.bincount(regions.ravel()) >= SPECK
    return mask & small[parts] & large[regions]
