"""What the normals of a pair say about a jump between its pixels.

With angles as arc tangents of slopes, dl is the turn along the pair and dm the turn across it. A pixel recedes
towards its neighbour by the sine of its angle along the pair: e_a = sin atan l_a for the first, e_b = -sin atan l_b
for the second. A visible surface recedes towards its contour, so the foreground of a jump should recede. A gap R > 0
puts the second pixel behind the first.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from crevasse.cameras import Array
from crevasse.methods.graduated.evidence import Evidence
from crevasse.twins.graduated.grid import neighbour
from crevasse.twins.graduated.pairs import Pairs
from crevasse.twins.graduated.planes import Planes

LEAST = 1 / 256
"""Least K: no single contact may decide where a part lies."""
NOISE_SHARE = 2.0
"""A turn is a difference of two angles, and has twice the variance of one."""


class Likelihood(NamedTuple):
    """How readily each pair opens, all (2, H, W)."""

    crease: Array
    """A >= 1: how much the normals turn, in variances of no turn."""
    ahead: Array
    """K of a jump with the first pixel in front (R > 0)."""
    behind: Array
    """K of a jump with the second pixel in front (R < 0)."""


def judge_pairs(planes: Planes, pairs: Pairs, noise: Array, evidence: Evidence) -> Likelihood:
    """A from the turns, and K from the turns and the direction of occlusion.

    A = 1 + (dm^2 + along dl^2 + [grazing > 0] (dl max(0, e_a, e_b)^grazing)^2) / (angle^2 + 2 noise^2)
    K = (kappa_A kappa(e_front))^2 (1 - valley max(0, e_back)), and 0 for pairs that hints hold
    """
    slope = np.stack([planes.right, planes.down])
    angle, sine = np.arctan(slope), slope / np.hypot(1.0, slope)
    turn_along = neighbour(angle) - angle
    turn_across = neighbour(angle[::-1]) - angle[::-1]
    first, second = sine, -neighbour(sine)

    turn = turn_across**2 + evidence.along * turn_along**2
    if evidence.grazing > 0:
        turn += (turn_along * np.maximum(0.0, np.maximum(first, second)) ** evidence.grazing) ** 2
    crease = 1.0 + turn / (np.radians(evidence.angle) ** 2 + NOISE_SHARE * noise**2)

    ahead = occlusion(crease, first, second, evidence)
    behind = occlusion(crease, second, first, evidence)
    return Likelihood(crease, np.where(pairs.held, 0.0, ahead), np.where(pairs.held, 0.0, behind))


def occlusion(crease: Array, front: Array, back: Array, evidence: Evidence) -> Array:
    """K of a jump whose foreground and background recede towards each other by these sines.

    kappa_A = level + (1 - level) (1 - 1/A) falls to `level` where the normals do not turn,
    kappa(e) = against + (1 - against) (1 + e) / 2 falls to `against` where the foreground rises towards its edge.
    Where the background recedes too, the pair is a valley, and most valleys are contacts.
    """
    turned = evidence.level + (1 - evidence.level) * (1 - 1 / crease)
    receding = evidence.against + (1 - evidence.against) * (1 + front) / 2
    likely = (turned * receding) ** 2 * (1 - evidence.valley * np.maximum(back, 0.0))
    return np.asarray(np.maximum(likely, LEAST))


def select_side(gap: Array, ahead: Array, behind: Array) -> Array:
    """K of each pair for the side that its gap puts in front; the mean of both where the gap is 0."""
    return np.where(gap > 0, ahead, np.where(gap < 0, behind, (ahead + behind) / 2))
