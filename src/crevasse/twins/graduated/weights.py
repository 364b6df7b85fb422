"""Weights of iteratively reweighted least squares (IRLS), under graduated non-convexity.

Every iteration minimises sum w R^2 with w = 1/2 sum over +- of psi(D+-^2). The scale mu of the annealed weights
shrinks from pixels to a hundredth of a pixel, so that the least-squares problem turns gradually into a robust one.
"""

from __future__ import annotations

import numpy as np

from crevasse.cameras import Array
from crevasse.twins.graduated.evidence import Likelihood, select_side
from crevasse.twins.graduated.pairs import Pairs

FLOOR = 0.01
"""Pixels: the smallest jump that means anything."""
FAR = 1e4
"""Variances beyond which a weight falls no further; weaker pairs would be moved by rounding alone."""
CORE = 4.0
"""Squared standard deviations within which settled weights are flat."""


def flat(pairs: Pairs, likelihood: Likelihood, scale: float) -> Array:
    """Annealed weights of a surface without gaps, for the first iteration: only twists count."""
    return annealed(np.zeros_like(pairs.target), pairs, likelihood, scale)


def annealed(gap: Array, pairs: Pairs, likelihood: Likelihood, scale: float) -> Array:
    """psi = 1 / (S + K D^2) with S = v + mu^2 A (Cauchy's loss): creases tolerate larger jumps.

    Parameters
    ----------
    gap : (2, H, W) array, R of each pair
    scale : mu, pixels
    """
    spread = pairs.variance + scale**2 * likelihood.crease
    explained = np.minimum(_scaled_jumps(gap, pairs, likelihood), FAR**2 * spread)
    return _average(1 / (spread + explained), pairs)


def redescending(gap: Array, pairs: Pairs, likelihood: Likelihood) -> Array:
    """psi = S / (S + K D^2)^2 with S = 4 (v + 0.01^2) (Geman-McClure): a clear jump hardly pulls at all."""
    return _geman_mcclure(_scaled_jumps(gap, pairs, likelihood), pairs)


def settled(gap: Array, pairs: Pairs, likelihood: Likelihood) -> Array:
    """Geman-McClure of max(0, D^2 - 4 v): flat within two standard deviations, so that noise moves no weight."""
    return _geman_mcclure(_scaled_jumps(gap, pairs, likelihood, CORE * pairs.variance), pairs)


def softened(weight: Array, scale: float) -> Array:
    """The weights that are left if every gap has a further error of this standard deviation."""
    return np.asarray(weight / (1 + scale**2 * weight))


def _geman_mcclure(scaled: Array, pairs: Pairs) -> Array:
    spread = 4 * (pairs.variance + FLOOR**2)
    return _average(spread / (spread + np.minimum(scaled, FAR * spread)) ** 2, pairs)


def _scaled_jumps(gap: Array, pairs: Pairs, likelihood: Likelihood, core: Array | float = 0.0) -> Array:
    """K max(0, D+-^2 - core), (2, 2, H, W): one entry per corner."""
    jumps = np.stack([gap + pairs.twist, gap - pairs.twist])
    return np.asarray(select_side(gap, likelihood.ahead, likelihood.behind) * np.maximum(jumps**2 - core, 0.0))


def _average(corners: Array, pairs: Pairs) -> Array:
    """The mean of both corners; 0 where there is no pair."""
    return np.where(pairs.exists, corners.mean(axis=0), 0.0)
