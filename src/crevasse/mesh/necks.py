"""Find the shortest ways through trimmed pixels between the pieces of a part that trimming split."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from crevasse.lattice import label_islands

Mask = NDArray[np.bool_]
Links = tuple[Mask, Mask]
Places = NDArray[np.integer[Any]]


def find_necks(whole: Mask, joined: Links, mask: Mask, links: Links, smallest: int) -> Mask:
    """Pixels to put back so that each part of the surface stays in one piece.

    Parameters
    ----------
    whole, joined : the surface before trimming, and its links
    mask, links : the same after trimming
    smallest : size in pixels of the smallest piece that counts
    """
    pieces = label_islands(mask, (~links[0], ~links[1]))
    small = np.bincount(pieces.ravel()) < smallest
    small[0] = True
    pieces[small[pieces]] = 0
    back = np.zeros_like(mask)
    if int(pieces.max(initial=0)) < 2:
        return back
    parents = _grow(pieces, whole, joined)
    count = int(pieces.max())
    group = list(range(count + 1))
    for first, second in _meetings(pieces, parents[1], joined):
        one, other = (_root(group, int(pieces.flat[place])) for place in (first, second))
        if one != other:
            group[other] = one
            for place in (first, second):
                _walk_home(place, parents[0], back)
    return back & ~mask


def _grow(pieces: NDArray[np.int32], whole: Mask, joined: Links) -> tuple[Places, Places]:
    """Grow the pieces over the surface, in place; per pixel the next one towards its piece (or -1) and how far."""
    parents, distance = np.full(pieces.size, -1, np.int32), np.zeros(pieces.size, np.int32)
    flat, steps = pieces.reshape(-1), 0
    free = whole.ravel() & (flat == 0)
    front: Places = np.flatnonzero(~free & whole.ravel() & _beside(free.reshape(whole.shape)).ravel())
    while len(front):
        steps += 1
        here, there = _neighbours(front, joined)
        fresh = flat[there] == 0
        there, chosen = np.unique(there[fresh], return_index=True)
        parents[there] = here[fresh][chosen]
        flat[there], distance[there] = flat[parents[there]], steps
        front = there
    return parents, distance


def _beside(free: Mask) -> Mask:
    """Pixels with one of these beside them."""
    near = np.zeros_like(free)
    near[1:] |= free[:-1]
    near[:-1] |= free[1:]
    near[:, 1:] |= free[:, :-1]
    near[:, :-1] |= free[:, 1:]
    return near


def _neighbours(places: Places, joined: Links) -> tuple[Places, Places]:
    """Pairs of these pixels and the neighbours that the surface joins to them."""
    height, width = joined[0].shape[0], joined[1].shape[1]
    rows, columns = np.divmod(places, width)
    found = []
    for row, column in ((0, 1), (0, -1), (1, 0), (-1, 0)):
        links = joined[0] if column else joined[1]
        top, left = rows + min(row, 0), columns + min(column, 0)
        inside = (top >= 0) & (left >= 0) & (top < height - (row != 0)) & (left < width - (column != 0))
        kept = places[inside][links[top[inside], left[inside]]]
        found.append((kept, kept + row * width + column))
    here, there = (np.concatenate(side) for side in zip(*found, strict=True))
    return here, there


def _meetings(pieces: NDArray[np.int32], distance: Places, joined: Links) -> list[tuple[int, int]]:
    """Pairs of neighbouring pixels where two pieces meet: one pair per two pieces, the shortest way first."""
    width, pairs = pieces.shape[1], []
    for links, one, other, step in (
        (joined[0], np.s_[:, :-1], np.s_[:, 1:], 1),
        (joined[1], np.s_[:-1], np.s_[1:], width),
    ):
        rows, columns = np.nonzero(links & (pieces[one] != pieces[other]) & (pieces[one] > 0) & (pieces[other] > 0))
        places = rows * width + columns
        pairs.append(np.stack([places, places + step], axis=-1))
    every = np.concatenate(pairs)
    every = every[np.argsort(distance[every].sum(axis=1), kind="stable")]
    names = np.sort(pieces.reshape(-1)[every], axis=1)
    first = np.sort(np.unique(names, axis=0, return_index=True)[1])
    return [(int(one), int(other)) for one, other in every[first]]


def _root(group: list[int], member: int) -> int:
    while group[member] != member:
        member = group[member]
    return member


def _walk_home(place: int, parents: Places, back: Mask) -> None:
    """Mark the way from a pixel to its piece."""
    while place >= 0:
        back.flat[place] = True
        place = int(parents[place])
