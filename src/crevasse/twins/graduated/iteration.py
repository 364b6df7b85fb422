"""One outer iteration of the method: reweight every pair, then solve the weighted least-squares problem exactly."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

import numpy as np

from crevasse.cameras import Array
from crevasse.lattice import divergence
from crevasse.twins.graduated import weights
from crevasse.twins.graduated.energy import measure_gaps
from crevasse.twins.graduated.evidence import Likelihood
from crevasse.twins.graduated.grid import split
from crevasse.twins.graduated.pairs import Pairs
from crevasse.twins.laplacian import solve_plain


class Weighting(Enum):
    """Which weights an iteration uses."""

    FLAT = "flat"
    ANNEALED = "annealed"
    REDESCENDING = "redescending"
    SETTLED = "settled"
    FROZEN = "frozen"


class Pins(NamedTuple):
    """What pulls single pixels: pin (z - known)^2; both (H, W)."""

    pins: Array
    known: Array


class Iteration(NamedTuple):
    """What one outer iteration computes."""

    weights: Array
    energy: float
    """sum w R^2 before the solve."""
    heights: Array


def reweight(gap: Array, pairs: Pairs, likelihood: Likelihood, weighting: Weighting, scale: float) -> Array:
    """Weights of all pairs, (2, H, W); `scale` matters to flat and annealed weights only."""
    if weighting is Weighting.FLAT:
        return weights.flat(pairs, likelihood, scale)
    if weighting is Weighting.ANNEALED:
        return weights.annealed(gap, pairs, likelihood, scale)
    if weighting is Weighting.REDESCENDING:
        return weights.redescending(gap, pairs, likelihood)
    return weights.settled(gap, pairs, likelihood)


def iterate(
    heights: Array,
    pairs: Pairs,
    likelihood: Likelihood,
    weighting: Weighting,
    scale: float = 0.0,
    bounds: tuple[float, float] = (-np.inf, np.inf),
    last: Array | None = None,
    held: Pins | None = None,
) -> Iteration:
    """Heights that minimise sum w (z_b - z_a - t)^2 + sum pin (z - known)^2, with weights of the heights given.

    With z' = z + d the normal equations are (L + diag(pin)) d = div(-w R) + pin (known - z), where L is the weighted
    Laplacian. They leave one constant per connected component without pins free: here d has mean 0 over each. Pixels
    that would leave the bounds stay where they are.

    Parameters
    ----------
    last : weights of the last iteration, for frozen weights; then the heights are a change of its surface, and all
        targets are 0
    """
    gap = measure_gaps(heights, pairs if last is None else pairs._replace(target=np.zeros_like(pairs.target)))
    weight = reweight(gap, pairs, likelihood, weighting, scale) if last is None else weights.softened(last, scale)
    right_hand_side = divergence(*split(-weight * gap))
    if held is not None:
        right_hand_side = right_hand_side + held.pins * (held.known - heights)
    increment = solve_plain(*split(weight), right_hand_side, None if held is None else held.pins)
    energy = float((weight * gap**2).sum())
    moved = heights + increment
    beyond = (moved < bounds[0]) | (moved > bounds[1])
    return Iteration(weight, energy, np.where(beyond, heights, moved))
