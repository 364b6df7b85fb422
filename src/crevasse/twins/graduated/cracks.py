"""Cracks: open borders between two parts, and the offsets that would close them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from crevasse.cameras import Array
from crevasse.twins.graduated.borders import Borders, thin_offsets

OPEN = 0.3
"""Share of the most a contact can cost from which it counts as open."""
CRACK_OFFSETS = 32
"""Offsets tried for one crack."""


class Rules(NamedTuple):
    """When a part is moved."""

    gain: float
    """Least fall of the energy."""
    distance: float
    """Shortest move, pixels."""
    candidates: int
    """Cracks tried in each round."""
    moves: int
    """Most moves in all."""


class Crack(NamedTuple):
    """A crack that may close: energy gained, offset that closes it, and the parts on its sides."""

    gain: float
    offset: float
    ends: tuple[int, int]


def find_cracks(borders: Borders, rules: Rules) -> list[Crack]:
    """Up to two ways to close each open border, by what closing it alone would save."""
    cracks = []
    for ends in np.unique(np.stack([borders.first, borders.second]), axis=1).T:
        border = borders.select((borders.first == ends[0]) & (borders.second == ends[1]))
        if 4 * border.contacts.cost(border.contacts.gap).sum() < rules.gain:
            continue
        offsets = open_offsets(border, np.ones(len(border.first)), rules, CRACK_OFFSETS)
        gains = saved(border, np.ones(len(border.first)), offsets)
        for _ in range(2):
            best = int(np.argmax(gains)) if len(gains) else -1
            if best < 0 or gains[best] <= 0 or 5 * gains[best] < rules.gain:
                break
            cracks.append(Crack(float(gains[best]), float(offsets[best]), (int(ends[0]), int(ends[1]))))
            gains[np.abs(offsets - offsets[best]) < 0.1 + 0.1 * abs(offsets[best])] = 0.0
    return cracks


def open_offsets(borders: Borders, sign: Array, rules: Rules, limit: int) -> Array:
    """Offsets that would close one of the open contacts: candidates for a move."""
    contacts = borders.contacts
    is_open = (contacts.cost(contacts.gap) > OPEN * contacts.most()) & (np.abs(contacts.gap) > rules.distance)
    return thin_offsets((sign * contacts.gap)[is_open], limit)


def saved(borders: Borders, sign: Array, offsets: Array) -> Array:
    """By how much each offset lowers the energy of these borders."""
    contacts = borders.contacts
    now = contacts.cost(contacts.gap).sum()
    return np.array([now - contacts.cost(contacts.gap - sign * offset).sum() for offset in offsets])
