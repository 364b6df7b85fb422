"""Rigid moves of parts: what hangs on a few false contacts is moved to where the energy is lower."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass

import numpy as np

from crevasse.cameras import Array
from crevasse.methods.evidence import JUDGE, POLISH, consider
from crevasse.methods.problem import Problem, Step, choose
from crevasse.native import GraduatedEngine as Engine

VIEWS = (POLISH, JUDGE)
"""By whose evidence moves are sought: each finds some that the other does not. The judge decides which are kept."""


@dataclass(frozen=True)
class Docking:
    """When a part is moved; see native/graduated/part_moves.hpp for how.

    The surface does not hang on these numbers: half or double of each gives the same.
    """

    parts: int = 1000
    """Pixels are merged along their strongest bonds until so many parts are left."""
    gain: float = 20.0
    """Least fall of the energy by a move; a contact without doubt that opens costs 1."""
    distance: float = 1.0
    """Shortest way of a part in pixels; the iterations themselves close smaller gaps."""
    candidates: int = 16
    """How many cracks are tried for each move."""
    moves: int = 20
    """Most moves in one round."""
    rounds: int = 4
    """Rounds of moves, each with its polish and by the other view; most surfaces need none or one."""


def dock(
    engine: Engine, problem: Problem, rules: Docking, polish: Callable[[], Iterator[Step]]
) -> Generator[Step, None, tuple[Array, Array]]:
    """Move parts and polish, as long as the energy falls; regions where it does not stay as they were.

    Parameters
    ----------
    engine : a polished surface, with the evidence of the judge; holds the result
    polish : the iterations that mend the seams of moved parts

    Returns
    -------
    heights, and their energies by region, from 1
    """
    heights, energies = read_heights(engine, problem), region_energies(engine, problem)
    idle = 0
    for number in range(rules.rounds):
        if idle == len(VIEWS):
            break
        idle += 1
        consider(engine, VIEWS[number % len(VIEWS)])
        moved = engine.move_parts(rules.parts, rules.gain, rules.distance, rules.candidates, rules.moves)
        if moved:
            yield from polish()
        consider(engine, JUDGE)
        if not moved:
            continue
        lower = region_energies(engine, problem)
        better = lower < energies
        heights = choose(better, problem, read_heights(engine, problem), heights)
        engine.write(heights)
        energies = np.minimum(energies, lower)
        if better.any():
            idle = 0
    return heights, energies


def region_energies(engine: Engine, problem: Problem) -> Array:
    """Energy of the surface by region, from 1."""
    energies = np.zeros(problem.regions + 1)
    engine.energies(problem.several_labels, energies)
    return energies


def read_heights(engine: Engine, problem: Problem) -> Array:
    heights = np.empty(problem.mask.shape)
    engine.read(heights)
    return heights
