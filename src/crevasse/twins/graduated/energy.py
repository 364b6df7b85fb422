"""The robust energy by which surfaces are compared, and the pairs that a surface cuts.

A contact that opens adds at most 1/K to the energy, one that is closed adds nothing:

    E = sum over pairs of 1/(2K) sum over +- of K D+-^2 / (T + K D+-^2),   T = 25 (v + 0.01^2).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array
from crevasse.twins.graduated.evidence import Likelihood, select_side
from crevasse.twins.graduated.grid import neighbour
from crevasse.twins.graduated.pairs import Mask, Pairs
from crevasse.twins.graduated.weights import FLOOR

OUTLIER = 25.0
"""Squared standard deviations from which a jump is an outlier."""
LEAST_LIKELIHOOD = 1e-6
"""Least K, for the pairs that hints hold: they cost a million contacts."""


class Contacts(NamedTuple):
    """Where pixels meet: arrays of one shape, (2, H, W) for a map or (N,) for a border."""

    gap: Array
    """R: how much farther the second pixel lies than the planes predict."""
    twist: Array
    tolerance: Array
    """T: squared jump that counts as an outlier."""
    ahead: Array
    behind: Array

    def cost(self, gap: Array) -> Array:
        """What each contact adds to the energy at this gap."""
        likely = self.likelihood(gap)
        scaled = likely * np.stack([gap + self.twist, gap - self.twist]) ** 2
        return np.asarray((scaled / (self.tolerance + scaled)).mean(axis=0) / likely)

    def most(self) -> Array:
        """What each contact costs at most if it opens with the side in front that is in front now."""
        return np.asarray(1 / self.likelihood(self.gap))

    def least(self) -> Array:
        """What each contact costs if it opens with the likelier side in front."""
        return np.asarray(1 / np.maximum(np.maximum(self.ahead, self.behind), LEAST_LIKELIHOOD))

    def likelihood(self, gap: Array) -> Array:
        """K of the side that this gap puts in front."""
        return np.maximum(select_side(gap, self.ahead, self.behind), LEAST_LIKELIHOOD)


def measure_gaps(heights: Array, pairs: Pairs) -> Array:
    """R = z_b - z_a - t, (2, H, W)."""
    return np.asarray(neighbour(heights) - heights - pairs.target)


def find_contacts(heights: Array, pairs: Pairs, likelihood: Likelihood) -> Contacts:
    """The contacts of all pairs of a map."""
    tolerance = OUTLIER * (pairs.variance + FLOOR**2)
    return Contacts(measure_gaps(heights, pairs), pairs.twist, tolerance, likelihood.ahead, likelihood.behind)


def region_energies(contacts: Contacts, exists: Mask, labels: NDArray[np.int32]) -> Array:
    """E of each region, numbered from 1; entry 0 is outside."""
    costs = np.where(exists, contacts.cost(contacts.gap), 0.0).sum(axis=0)
    return np.bincount(labels.ravel(), costs.ravel()).astype(float)


def find_cuts(contacts: Contacts, exists: Mask) -> Mask:
    """Pairs whose jump is an outlier at both corners: K min(D+^2, D-^2) > T."""
    smaller = np.minimum((contacts.gap + contacts.twist) ** 2, (contacts.gap - contacts.twist) ** 2)
    return np.asarray(exists & (contacts.likelihood(contacts.gap) * smaller > contacts.tolerance))
