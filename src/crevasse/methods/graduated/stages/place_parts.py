"""Place parts by what is known besides the normals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array
from crevasse.knowledge import Known
from crevasse.methods.graduated.evidence import JUDGE, POLISH
from crevasse.methods.graduated.judge import Candidate, Proposal
from crevasse.methods.graduated.know import Grounded, ground, near
from crevasse.methods.graduated.kriging import fit, make_cells
from crevasse.methods.graduated.prior_error import thinning
from crevasse.methods.graduated.rules import IslandRules, PartMoves
from crevasse.methods.graduated.stages.move_parts import SEEKERS
from crevasse.methods.graduated.stages.stage import Context, Iterating, Once
from crevasse.methods.graduated.terms.prior import KnownHeights
from crevasse.methods.graduated.terms.samples import COUPLING, robust_offset

if TYPE_CHECKING:
    from crevasse.methods.graduated.method import Graduated

ROUNDS = 4
"""Rounds of moves at most."""
GAIN = 16 * COUPLING
"""Least fall of the energy by a move: more than one wrong point can offer."""
LEAST_SHIFT = 1.0
"""Pixels; the joint solve closes smaller gaps."""
SURE = 3.0
"""Standard deviations of its offset from which an island moves under a smooth error."""


@dataclass(frozen=True)
class PlaceParts(Once):
    """The ground, one more part that never moves, stands for known heights.

    Islands are moved first, as nothing else holds them; then a minimum cut finds sets of parts. Where rough depth
    errs smoothly, only islands move: it cannot tell a part from its surroundings.

    Attributes
    ----------
    doubted : whether the normals are known to err smoothly
    """

    known: Known
    doubted: bool

    def planned(self, settings: Graduated) -> int:
        return settings.polish_iterations

    def propose(self, context: Context, best: Candidate) -> Iterating[Proposal]:
        engine, judge = context.engine, context.judge
        engine.warm_start(best.heights)
        islands, _ = engine.islands(POLISH, IslandRules())
        found = ground(self.known, context.domain, best.heights, islands, engine.cuts(POLISH), self.doubted)
        engine.add(found.term)
        engine.warm_start(found.heights)
        best = judge.rate()
        if found.term.heights is not None and found.term.error.is_smooth and not found.term.follow:
            best = yield from self._place_islands(context, found.term, best)
        else:
            best = yield from self._move_parts(context, found.term, best)
            best = _refine(context, found, best)
        return Proposal(best, context.every_region, compared=False)

    def _move_parts(self, context: Context, term: KnownHeights, best: Candidate) -> Iterating[Candidate]:
        """Rounds of moves, until two of them improve nothing."""
        judge, idle = context.judge, 0
        for number in range(ROUNDS):
            context.engine.warm_start(best.heights)
            gained = False
            if self._move(context, term, best.heights, number):
                moved = judge.rate()
                yield from context.schedule.polish(context.settings.starts)
                better = judge.accept(moved, Proposal(judge.rate(), context.every_region))
                proposal = Proposal(better, context.every_region)
                gained, best = judge.improves(best, proposal), judge.accept(best, proposal)
            idle = 0 if gained else idle + 1
            if idle == len(SEEKERS):
                break
        return best

    def _move(self, context: Context, term: KnownHeights, surface: Array, number: int) -> bool:
        """Move islands, then sets of parts; whether anything moved."""
        engine, evidence = context.engine, SEEKERS[number % len(SEEKERS)]
        term = refresh(context, term)
        islands, count = engine.islands(POLISH, IslandRules())
        shifts = _shifts(term, surface, islands, count)
        if shifts.any():
            surface = surface + shifts[islands]
            engine.warm_start(surface)
        rules = PartMoves(context.settings.parts, GAIN)
        moved = bool(rules.parts) and engine.move_parts(evidence, rules, term.contacts(surface))
        return moved or bool(shifts.any())

    def _place_islands(self, context: Context, term: KnownHeights, best: Candidate) -> Iterating[Candidate]:
        """Move islands by more than a smooth error explains, unless that opens contacts that cost more."""
        engine, judge = context.engine, context.judge
        islands, count = engine.islands(POLISH, IslandRules())
        shifts, squares = _smooth_shifts(term, best.heights, islands, count, context.domain.labels)
        if not shifts.any():
            return best
        before = engine.energies(JUDGE).sum()
        engine.warm_start(best.heights + shifts[islands])
        if engine.energies(JUDGE).sum() - before > COUPLING * squares:
            return best
        moved = judge.rate()
        yield from context.schedule.polish(context.settings.starts)
        return judge.accept(moved, Proposal(judge.rate(), context.every_region))


def _refine(context: Context, found: Grounded, best: Candidate) -> Candidate:
    """Put islands that have moved exactly where what is known wants them."""
    context.engine.warm_start(best.heights)
    term = refresh(context, found.term)
    islands, count = context.engine.islands(POLISH, IslandRules())
    samples = term.samples(best.heights)
    owners, way = islands.ravel()[samples.pixels], (best.heights - found.heights).ravel()
    shifts = np.zeros(count + 1)
    for island in np.unique(owners[owners > 0]):
        if abs(np.median(way[islands.ravel() == island])) > LEAST_SHIFT:
            shifts[island] = robust_offset(samples.at(owners == island))
    if not shifts.any():
        return best
    context.engine.warm_start(best.heights + shifts[islands])
    refined = Proposal(context.judge.rate(), context.every_region)
    return context.judge.accept(best, refined)


def refresh(context: Context, term: KnownHeights) -> KnownHeights:
    """The term with the jumps of the engine's surface."""
    if term.near_cuts is None:
        return term
    return term.refreshed(near(context.engine.cuts(POLISH), term.error.spacing))


def _shifts(term: KnownHeights, surface: Array, islands: NDArray[np.int32], count: int) -> Array:
    """How far each island moves, (islands + 1,): where enough is gained."""
    shifts = np.zeros(count + 1)
    found = term.samples(surface, term.stride)
    owners = islands.ravel()[found.pixels]
    for island in np.unique(owners[owners > 0]):
        here = found.at(owners == island)
        shift = robust_offset(here)
        gain = here.cost.sum() - here.moved(shift).cost.sum()
        if gain > GAIN and abs(shift) > LEAST_SHIFT:
            shifts[island] = shift
    return shifts


def _smooth_shifts(
    term: KnownHeights, surface: Array, islands: NDArray[np.int32], count: int, labels: NDArray[np.int32]
) -> tuple[Array, float]:
    """How far each island moves relative to the largest of its region, if the prior errs smoothly, and how surely.

    The second is the sum of squares of what moves in standard deviations.
    """
    shifts, squares = np.zeros(count + 1), 0.0
    stride = thinning(surface.shape)
    found, known = term.gaps(surface, stride)
    gaps: Array = found.astype(float)
    islands, labels = islands[::stride, ::stride], labels[::stride, ::stride]
    known &= islands > 0
    if not known.any():
        return shifts, squares
    cells = make_cells(islands, known, gaps)
    names, column = np.unique(cells.island, return_inverse=True)
    if len(names) < 2:
        return shifts, squares
    offsets = fit(cells, np.eye(len(names))[column], gaps[known][cells.middle], term.error.seen_at(stride))
    pixels = np.bincount(cells.island, cells.pixels, minlength=count + 1)
    region = np.zeros(count + 1, int)
    region[islands.ravel()] = labels.ravel()
    for number, name in enumerate(names):
        same = names[region[names] == region[name]]
        main = same[np.argmax(pixels[same])]
        at = int(np.searchsorted(names, main))
        shift, error = offsets.difference(number, at)
        if main != name and abs(shift) > max(LEAST_SHIFT, SURE * error, term.error.beside):
            shifts[name] = shift
            squares += (shift / error) ** 2
    return shifts, squares
