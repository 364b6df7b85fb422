"""Rigid moves of parts, which leave local minima that reweighting cannot.

A part held in a wrong place by a few false contacts would have to open them all at once. For each crack (an open
border between two parts) and each common size of its jump, a minimum cut finds the parts that must follow the first
part when it closes the crack: cutting costs what opening the contacts adds to the energy. The best moves are applied
until none lowers the energy enough.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array
from crevasse.twins.graduated.borders import Borders
from crevasse.twins.graduated.cracks import Crack, Rules, find_cracks, open_offsets, saved
from crevasse.twins.graduated.min_cut import min_cut

MOVE_OFFSETS = 64
"""Offsets tried for a set of parts that has been cut out."""


class Move(NamedTuple):
    """A move of parts: energy gained, offset, and the parts that move."""

    gain: float
    offset: float
    side: NDArray[np.bool_]
    """(parts,) array, the parts that move."""


def move_parts(count: int, borders: Borders, rules: Rules, ground: bool = False) -> Array:
    """Offsets of all parts, (count,) pixels.

    Parameters
    ----------
    ground : whether the last part stands for known heights. It never moves: if a move takes it along, all others have
        moved the other way instead
    """
    offsets, made, before = np.zeros(count), 0, -1
    while before < made < rules.moves:
        before = made
        for found in find_moves(count, borders, rules):
            # Moves made since it was found may have made it better or worse.
            move = improve(found, borders, rules)
            if made < rules.moves and move.gain >= rules.gain:
                offsets[move.side] += move.offset
                borders = shift(borders, move)
                made += 1
    return offsets - offsets[-1] if ground else offsets


def shift(borders: Borders, move: Move) -> Borders:
    """The borders after a move: R falls where the first part moves away, and grows where the second does."""
    gap = borders.contacts.gap - signs(borders, move.side) * move.offset
    return borders._replace(contacts=borders.contacts._replace(gap=gap))


def signs(borders: Borders, side: NDArray[np.bool_]) -> Array:
    """1 where only the first part moves, -1 where only the second does, else 0."""
    return side[borders.first].astype(float) - side[borders.second]


def find_moves(count: int, borders: Borders, rules: Rules) -> list[Move]:
    """The best move for each of the most promising cracks, best first."""
    cracks = sorted(find_cracks(borders, rules), key=lambda crack: -crack.gain)[: rules.candidates]
    moves = [move for crack in cracks if (move := close_crack(count, borders, crack, rules)) is not None]
    return sorted((move for move in moves if move.gain >= rules.gain), key=lambda move: -move.gain)


def close_crack(count: int, borders: Borders, crack: Crack, rules: Rules) -> Move | None:
    """The parts that follow when the crack's first part moves to meet the second; None if too little is saved."""
    contacts, now = borders.contacts, borders.contacts.cost(borders.contacts.gap)
    ends, edge = np.unique(np.stack([borders.first, borders.second]), axis=1, return_inverse=True)
    away = np.bincount(edge.ravel(), contacts.cost(contacts.gap - crack.offset) - now)
    back = np.bincount(edge.ravel(), contacts.cost(contacts.gap + crack.offset) - now)
    hope = np.maximum(0.0, -np.minimum(away, back)).sum()
    if hope < rules.gain:
        return None
    closing = (ends[0] == crack.ends[0]) & (ends[1] == crack.ends[1])
    forward = np.where(closing, 0.0, np.maximum(away, 0.0))
    side = min_cut(count, ends.T, forward, np.maximum(back, 0.0), *crack.ends, limit=hope - rules.gain)
    return None if side is None else improve(Move(0.0, crack.offset, side), borders, rules)


def improve(move: Move, borders: Borders, rules: Rules) -> Move:
    """The best offset for the same parts."""
    sign = signs(borders, move.side)
    border, sign = borders.select(sign != 0), sign[sign != 0]
    offsets = np.concatenate([[move.offset], open_offsets(border, sign, rules, MOVE_OFFSETS)])
    gains = saved(border, sign, offsets)
    best = int(np.argmax(gains))
    return move._replace(gain=max(0.0, float(gains[best])), offset=float(offsets[best]))
