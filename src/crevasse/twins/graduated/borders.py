"""Borders between the parts of a surface: all contacts whose pixels belong to different parts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from crevasse.cameras import Array
from crevasse.twins.graduated.energy import Contacts
from crevasse.twins.graduated.grid import neighbour
from crevasse.twins.graduated.pairs import Mask
from crevasse.twins.graduated.parts import Indices


class Borders(NamedTuple):
    """Contacts between parts, all (N,), each seen from the part with the lower number."""

    first: Indices
    second: Indices
    contacts: Contacts

    def select(self, chosen: Mask) -> Borders:
        """Those of the contacts that are chosen."""
        return Borders(self.first[chosen], self.second[chosen], Contacts(*(part[chosen] for part in self.contacts)))

    def rename(self, names: Indices) -> Borders:
        """The borders that remain when part i becomes part of part names[i]."""
        renamed = self._replace(first=names[self.first], second=names[self.second])
        return renamed.select(renamed.first != renamed.second).ordered()

    def ordered(self) -> Borders:
        """The same contacts, with sides swapped so that the first part has the lower number."""
        swap, contacts = self.first > self.second, self.contacts
        return Borders(
            np.minimum(self.first, self.second),
            np.maximum(self.first, self.second),
            contacts._replace(
                gap=np.where(swap, -contacts.gap, contacts.gap),
                ahead=np.where(swap, contacts.behind, contacts.ahead),
                behind=np.where(swap, contacts.ahead, contacts.behind),
            ),
        )


def find_borders(labels: Indices, contacts: Contacts, exists: Mask) -> Borders:
    """The borders of parts, from the contacts of a map."""
    there = neighbour(labels)
    between = exists & (labels != there)
    here = np.broadcast_to(labels, exists.shape)[between]
    return Borders(here, there[between], Contacts(*(part[between] for part in contacts))).ordered()


def thin_offsets(offsets: Array, limit: int) -> Array:
    """At most `limit` of the different offsets, evenly spaced by rank."""
    different = np.unique(offsets)
    if len(different) <= limit:
        return different
    return different[np.arange(limit) * (len(different) - 1) // (limit - 1)]
