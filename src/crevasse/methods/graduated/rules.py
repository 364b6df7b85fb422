"""Arguments and results of the engine's calls."""

from __future__ import annotations

import math
from typing import NamedTuple

from crevasse.native import Weighting


class Weights(NamedTuple):
    """How an outer iteration weighs the pairs by their jumps D, given variance v, crease evidence A and doubt K."""

    kind: Weighting
    scale: float = 0.0
    """Jump in pixels that annealed weights tolerate."""


def annealed(scale: float, cold: bool = False) -> Weights:
    """w = 1/2 sum of 1 / (S + K D^2), S = v + scale^2 A; cold: as if nothing jumped yet."""
    return Weights(Weighting.FLAT if cold else Weighting.ANNEALED, scale)


REDESCENDING = Weights(Weighting.REDESCENDING)
"""Geman-McClure: w = 1/2 sum of S / (S + K D^2)^2, S = 4 (v + 0.01^2)."""
SETTLED = Weights(Weighting.SETTLED)
"""Geman-McClure, flat within the noise: only what sticks out of it counts as a jump."""


def frozen(softness: float) -> Weights:
    """The weights of the last iteration, if every gap has a further error of this standard deviation.

    Targets count as 0: the heights are a change of the surface that the weights were made for.
    """
    return Weights(Weighting.FROZEN, softness)


class Bounds(NamedTuple):
    """Heights that no pixel may leave in an iteration; a step beyond them is not taken."""

    low: float = -math.inf
    high: float = math.inf


UNBOUNDED = Bounds()


class PartMoves(NamedTuple):
    """When a part of the surface is moved.

    The result is insensitive to these values; halving or doubling any of them gives the same surface.
    """

    parts: int = 1000
    """Pixels are merged along their strongest bonds until this many parts are left."""
    gain: float = 20.0
    """Least fall of the energy; opening a contact that nothing speaks for or against costs 1."""
    distance: float = 1.0
    """Shortest move in pixels; the iterations themselves close smaller gaps."""
    candidates: int = 16
    """Open cracks tried for each move."""
    moves: int = 20
    """Most moves per call."""


class IslandRules(NamedTuple):
    """When nothing holds a part in its place."""

    slip: float = 1.0
    """Pixels by which a part is moved to see whether anything holds it."""
    doubt: float = 0.2
    """Energy per contact of its border below which nothing does; a contact that surely opens costs 1."""
    bridge: float = 10.0
    """Energy below which a bridge holds nothing, however long the border is beside it."""
    smallest: int = 64
    """Pixels of the smallest island; smaller parts are joined to a neighbour."""


class Iterated(NamedTuple):
    """What one outer iteration did."""

    energy: float
    """Before the iteration."""
    change: float
    """Sum of the absolute changes of height."""
    solver_iterations: int
