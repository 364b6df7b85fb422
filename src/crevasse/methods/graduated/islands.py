"""Find, place and report islands: parts whose distance the normals do not determine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array
from crevasse.lattice import Labels, join, row_blocks
from crevasse.methods.graduated.engine import OUTLIER, Engine
from crevasse.methods.graduated.evidence import POLISH
from crevasse.methods.graduated.gauge import known_heights
from crevasse.methods.graduated.rules import IslandRules
from crevasse.methods.graduated.terms.term import PairIndices, Term
from crevasse.methods.problem import CHUNK
from crevasse.notices import Notice, Setting

JOIN = "give rough depth or measured points, join them to their surroundings (hints, or Join on the page)"
"""What else the user can do about islands."""

RULES = IslandRules()
WITNESSES = 3
"""Pairs with a known step that must connect a part to another, so that it is no island."""


class Placed(NamedTuple):
    """Heights with every island in its place."""

    heights: Array
    labels: Labels
    """1.., largest first; 0 outside."""
    warnings: tuple[str, ...]


def place_islands(engine: Engine, heights: Array, behind: float) -> Placed:
    """Find the islands of the engine's surface, and place them.

    Islands stay where the energy is least, in contact with a neighbour. Those that would stand in front of what
    occludes them are pushed back until they do not.

    Parameters
    ----------
    behind : additional pixels by which an island is set behind its occluder
    """
    labels, count = engine.islands(POLISH, RULES)
    for term in engine.terms:
        labels, count = _join_placed(engine, heights, labels, count, term)
    labels, count = _join_located(engine, heights, labels, count)
    domain = engine.domain
    if count == domain.regions:
        return Placed(heights, labels, ())
    borders = _border(labels[:, :-1], labels[:, 1:]), _border(labels[:-1], labels[1:])
    contacts = _contacts(engine, heights, labels, borders)
    ways = np.zeros(count + 1)
    islands, pushed = [], 0
    for child, parent in _attachments(contacts, count):
        excess, sign = _stands_out(contacts, child, parent)
        ways[child] = ways[parent] + sign * (excess + behind)
        islands.append(child)
        pushed += excess > 0
    pixels = int(np.isin(labels, islands).sum())
    warnings = _describe(len(islands), pixels, domain.pixels, pushed, behind)
    return Placed(heights + ways[labels], labels, warnings)


def _join_located(engine: Engine, heights: Array, labels: Labels, count: int) -> tuple[Labels, int]:
    """Join the islands of a region that known heights locate; labels, largest first, and how many are left."""
    term = known_heights(engine)
    if term is None:
        return labels, count
    located = np.flatnonzero(term.located(heights, labels, count))
    flat, regions = labels.ravel(), engine.domain.labels.ravel()
    owner = np.zeros(count + 1, np.int64)
    owner[flat] = regions
    # Labels are largest first: the first one of each region takes the others.
    first = {region: island for island, region in reversed(list(zip(located, owner[located], strict=True)))}
    others = np.array([first[region] for region in owner[located]], np.int64)
    return _join(labels, count, others, located.astype(np.int64))


def _join_placed(engine: Engine, heights: Array, labels: Labels, count: int, term: Term) -> tuple[Labels, int]:
    """Join islands that a term places beside each other; labels, largest first, and how many are left."""
    known = _contacts(engine, heights, labels, term.known_pairs(engine.domain))
    met = (known.first != known.second) & (np.abs(known.gap) < known.tolerance)
    sides = np.sort([known.first[met], known.second[met]], axis=0)
    sides, witnesses = np.unique(sides, axis=1, return_counts=True)
    first, second = sides[:, witnesses >= WITNESSES].astype(np.int64)
    return _join(labels, count, first, second)


def _join(labels: Labels, count: int, first: NDArray[np.int64], second: NDArray[np.int64]) -> tuple[Labels, int]:
    """The labels once these pairs of islands are one each, largest first, and their number."""
    pixels = sum(np.bincount(labels[rows].ravel(), minlength=count + 1) for rows in row_blocks(labels.shape, CHUNK))
    joined = join(count + 1, first, second)
    order = np.argsort(-np.bincount(joined, pixels)[1:], kind="stable")
    number = np.zeros(len(order) + 1, np.int32)
    number[1 + order] = np.arange(1, len(order) + 1)
    return number[joined][labels], len(order)


class _Contacts(NamedTuple):
    """Pairs of pixels of different islands: how far the second lies behind the first, and how much each recedes."""

    first: NDArray[np.int32]
    second: NDArray[np.int32]
    gap: Array
    tolerance: Array
    first_recedes: Array
    second_recedes: Array


def _contacts(engine: Engine, heights: Array, labels: Labels, borders: PairIndices) -> _Contacts:
    """The contacts of the pairs whose first pixels have these rows and columns."""
    # One after the other: each takes eight bytes per pixel.
    targets = _at(engine.targets(), borders)
    variances = _at(engine.variances(), borders)
    steepness, found = engine.domain.steepness, []
    for axis, (rows, columns) in enumerate(borders):
        a, b = (rows, columns), (rows + axis, columns + 1 - axis)
        one, other = (steepness[axis][end].astype(float) for end in (a, b))
        gap = heights[b] - heights[a] - targets[axis]
        tolerance = OUTLIER * np.sqrt(np.maximum(variances[axis], 0.0))
        found.append((labels[a], labels[b], gap, tolerance, _sine(one), -_sine(other)))
    return _Contacts(*(np.concatenate(part) for part in zip(*found, strict=True)))


def _at(images: tuple[NDArray[np.float32], NDArray[np.float32]], borders: PairIndices) -> list[Array]:
    """Values of the pairs at borders, right and down."""
    return [image[at].astype(float) for image, at in zip(images, borders, strict=True)]


def _border(first: Labels, second: Labels) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where two neighbours belong to different islands."""
    rows, columns = np.nonzero((first != second) & (first > 0) & (second > 0))
    return rows, columns


def _sine(slope: Array) -> Array:
    return np.asarray(slope / np.hypot(1.0, slope))


def _attachments(contacts: _Contacts, count: int) -> Iterator[tuple[int, int]]:
    """Each island with the one it is placed against: from the largest outwards, along the longest borders."""
    low, high = np.minimum(contacts.first, contacts.second), np.maximum(contacts.first, contacts.second)
    keys, lengths = np.unique(low.astype(np.int64) * (count + 1) + high, return_counts=True)
    ends = np.stack([keys // (count + 1), keys % (count + 1)])
    placed = np.zeros(count + 1, bool)
    for first in range(1, count + 1):
        if placed[first]:
            continue
        placed[first] = True
        while True:
            reach = placed[ends[0]] != placed[ends[1]]
            if not reach.any():
                break
            best = int(np.argmax(np.where(reach, lengths, 0)))
            child, parent = sorted((int(ends[0, best]), int(ends[1, best])), key=lambda end: bool(placed[end]))
            placed[child] = True
            yield child, parent


def _stands_out(contacts: _Contacts, child: int, parent: int) -> tuple[float, int]:
    """How far the occluded of two islands lies in front of its occluder; 1 if that is the child, else -1.

    A visible surface recedes towards its contour, so the side that recedes more is the occluder.
    """
    there = (contacts.first == parent) & (contacts.second == child)
    back = (contacts.first == child) & (contacts.second == parent)
    gap = np.concatenate([contacts.gap[there], -contacts.gap[back]])
    tolerance = np.concatenate([contacts.tolerance[there], contacts.tolerance[back]])
    over = np.concatenate([contacts.first_recedes[there], contacts.second_recedes[back]])
    under = np.concatenate([contacts.second_recedes[there], contacts.first_recedes[back]])
    sign = 1 if (over - under).sum() >= 0 else -1
    if sign < 0:
        over, under = under, over
    occluded = (over > 0.5) & (over > under + 0.25)
    if not occluded.any():
        return 0.0, sign
    excess = float(np.median((-sign * gap - tolerance)[occluded]))
    return (excess if excess > RULES.slip else 0.0), sign


def _describe(count: int, pixels: int, total: int, pushed: int, behind: float) -> tuple[str, ...]:
    where = f"set {behind:g} px behind what occludes it" if behind else "left in contact with a neighbour"
    parts, are, their, each = ("parts", "are", "their", "each") if count > 1 else ("part", "is", "its", "it")
    found = (
        f"{count} {parts} ({100 * pixels / total:.2g} % of the surface) {are} separated by jumps on all sides, so"
        f" {their} distance is a guess; {each} was {where}"
    )
    if pushed:
        found += f", {pushed} of them after moving back from in front of an occluder"
    return (Notice(f"{found}.", Setting("behind"), do="{} to set them further back", cure=JOIN),)
