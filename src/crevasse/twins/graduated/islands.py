"""Islands: parts whose place the energy does not determine.

A part whose border is cut, or rests on doubtful contacts only, may as well lie elsewhere: a pixel nearer or farther,
or where other contacts of its border close. Pixels merge while slipping against each other costs more than `doubt`;
of the parts that are left, those that may move at little cost are islands.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from crevasse.cameras import Array
from crevasse.lattice import Labels
from crevasse.twins.graduated.borders import Borders, find_borders, thin_offsets
from crevasse.twins.graduated.energy import Contacts
from crevasse.twins.graduated.pairs import Mask
from crevasse.twins.graduated.parts import Indices, join, merge_pixels, strongest_neighbour, sum_bonds

OFFSETS = 32
"""Offsets tried to see whether a part may lie elsewhere."""


class Rules(NamedTuple):
    """When a part is an island."""

    slip: float
    """Pixels by which a part is moved to see whether anything holds it."""
    doubt: float
    """Energy per contact below which a border does not hold."""
    bridge: float
    """Energy below which a border does not hold, however long it is."""
    size: int
    """Pixels of the smallest island."""


def find_islands(contacts: Contacts, exists: Mask, inside: Mask, rules: Rules) -> Labels:
    """Islands and the parts they lie beside: labels from 1, largest first, 0 outside."""
    parts = merge_pixels(hold(contacts, rules), exists, inside, limit=0)
    borders = find_borders(parts, contacts, exists)
    sizes = np.bincount(parts[inside])
    names = absorb_small(sizes, borders, rules)
    sizes, borders = np.bincount(names, sizes).astype(int), borders.rename(names)
    names = join_held(sizes, borders, rules)[names]
    sizes = np.bincount(names[parts[inside]])
    rank = np.argsort(np.argsort(-sizes, kind="stable")) + 1
    labels = np.zeros(inside.shape, np.int32)
    labels[inside] = rank[names[parts[inside]]]
    return labels


def hold(contacts: Contacts, rules: Rules) -> Array:
    """What each contact has against slipping by `slip` either way, beyond doubt."""
    costs = [contacts.cost(contacts.gap + way) for way in (rules.slip, -rules.slip)]
    return np.asarray(np.minimum(*costs) - contacts.cost(contacts.gap) - rules.doubt)


def touch(contacts: Contacts) -> Array:
    """How closed each contact is: 1 where its pixels meet, 0 where they are apart."""
    return np.maximum(0.0, 1 - contacts.cost(contacts.gap) / contacts.most())


def absorb_small(sizes: Indices, borders: Borders, rules: Rules) -> Indices:
    """New numbers of the parts when those that are too small have joined the neighbour they touch most."""
    names = np.arange(len(sizes))
    while True:
        bonds = sum_bonds(borders.first, borders.second, touch(borders.contacts))
        chosen = strongest_neighbour(len(sizes), bonds, -np.inf, sizes < rules.size)
        joined = join(len(sizes), np.arange(len(sizes)), chosen)
        if joined.max() + 1 == len(sizes):
            return names
        names, borders = joined[names], borders.rename(joined)
        sizes = np.bincount(joined, sizes).astype(int)


def join_held(sizes: Indices, borders: Borders, rules: Rules) -> Indices:
    """New numbers of the parts when each that must lie where it lies has joined the neighbour that holds it most.

    The smallest part goes first. The largest part of each region stays: all others lie beside it.
    """
    names, loose = np.arange(len(sizes)), np.zeros(len(sizes), bool)
    while (held := find_held(sizes, borders, loose, rules)) is not None:
        bonds = sum_bonds(borders.first, borders.second, hold(borders.contacts, rules))
        only = np.arange(len(sizes)) == held
        joined = join(len(sizes), np.arange(len(sizes)), strongest_neighbour(len(sizes), bonds, -np.inf, only))
        names, borders = joined[names], borders.rename(joined)
        loose = np.bincount(joined, loose & ~np.isin(joined, joined[held])) > 0
        sizes = np.bincount(joined, sizes).astype(int)
    return names


def find_held(sizes: Indices, borders: Borders, loose: Mask, rules: Rules) -> int | None:
    """The smallest part that is no island and not the largest of its region; marks the islands met as loose."""
    regions = join(len(sizes), borders.first, borders.second)
    order = np.argsort(sizes, kind="stable")
    largest = dict(zip(regions[order], order, strict=True))
    for part in order:
        if largest[regions[part]] == part or loose[part]:
            continue
        if not is_loose(part, borders, rules):
            return int(part)
        loose[part] = True
    return None


def is_loose(part: int, borders: Borders, rules: Rules) -> bool:
    """Whether the part may as well lie elsewhere: some offset hardly raises the energy of its border."""
    border = borders.select((borders.first == part) | (borders.second == part))
    return least_rise(part, border, rules) <= min(rules.bridge, rules.doubt * len(border.first))


def least_rise(part: int, border: Borders, rules: Rules) -> float:
    """The least by which moving the part raises the energy: by `slip` either way, or to where a contact closes."""
    contacts, sign = border.contacts, np.where(border.first == part, 1.0, -1.0)
    closing = (sign * contacts.gap)[np.abs(contacts.gap) > rules.slip]
    offsets = np.concatenate([thin_offsets(closing, OFFSETS), [rules.slip, -rules.slip]])
    now = contacts.cost(contacts.gap).sum()
    return float(min(contacts.cost(contacts.gap - sign * offset).sum() - now for offset in offsets))
