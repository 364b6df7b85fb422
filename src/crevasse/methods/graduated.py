"""Our default: rigid quadrilaterals, graduated reweighting, jumps signed by occlusion."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array
from crevasse.methods.coarse import double, halve, is_large
from crevasse.methods.docking import Docking, dock, read_heights, region_energies
from crevasse.methods.evidence import JUDGE, POLISH, STARTS, consider
from crevasse.methods.islands import place_islands
from crevasse.methods.noise import estimate_noise
from crevasse.methods.problem import Outcome, Problem, Run, Step, check_settings, choose, level_regions
from crevasse.methods.steady import is_noisy, steady
from crevasse.native import Graduated as Engine
from crevasse.result import Cuts, Status

Steps = Iterator[Step]
Given = tuple[Array, Array, Array, NDArray[np.uint8], NDArray[np.int32] | None, Array, NDArray[np.int8] | None]
"""What the engine is given of a problem."""


SAME = 0.25
"""Pixels by which heights of the same surface may differ."""
FEW = 0.005
"""Share of the pixels that may differ by more."""
TAKE_OVER = 8
"""The iteration that goes on from a surface of half the resolution: jumps of three pixels are still tolerated, so
that what was wrong at contours opens or closes."""
REBUILD = 4
"""Iterations for which the solver keeps its coarser levels."""
SETTLE = -1.0
"""The scale that asks for weights which are flat within the noise."""
SETTLE_ITERATIONS = 20
"""Of the solver, at most: enough for long winding parts."""
CERTAIN = 6.0
"""Standard deviations of noise that a turn must exceed to count as a crease when settling."""


class _Found(NamedTuple):
    """A surface, its energy by region, and the iterations that were planned for it."""

    heights: Array
    energies: Array
    total: int


class _Guess(NamedTuple):
    """A surface of half the resolution, what it solves, and after how many iterations."""

    heights: Array
    problem: Problem
    iterations: int


@dataclass(frozen=True)
class Graduated:
    """Graduated reweighting of rigid quadrilaterals.

    Attributes
    ----------
    iterations : outer iterations of each start
    scale : jump in pixels that is tolerated at the beginning; it falls by a factor of 1000
    final_iterations : how many of the iterations use the last, redescending weights
    solver_iterations : iterations of the linear solver in each outer iteration
    solver_tolerance : relative residual at which they may end before
    polish_iterations : iterations with evidence common to all starts that each gets at its end
    starts : how many of the three starts to try; the one with least energy is kept, region by region. No other is
        needed where nothing jumps after the first, or where the first two agree. Maps of more than half a million
        pixels make them at half the resolution; what refines the surface counts as one more
    parts : into how many parts the surface is divided for moves of whole parts; 0 for no such moves
    gain : least fall of the energy by such a move; opening a contact that nothing speaks for or against costs 1
    behind : pixels by which an island, whose place the normals do not tell, is set behind what occludes it; 0 leaves
        it in contact
    """

    iterations: int = 60
    scale: float = 10.0
    final_iterations: int = 6
    solver_iterations: int = 3
    solver_tolerance: float = 1e-6
    polish_iterations: int = 10
    starts: int = 3
    parts: int = 1000
    gain: float = 20.0
    behind: float = 0.0

    name: ClassVar[str] = "graduated"
    bytes_per_pixel: ClassVar[int] = 200

    def __post_init__(self) -> None:
        check_settings(
            self,
            iterations=(1, 100_000),
            scale=(0.01, 1e6),
            final_iterations=(0, 100_000),
            solver_iterations=(1, 1000),
            solver_tolerance=(0, 1),
            polish_iterations=(0, 100_000),
            starts=(1, len(STARTS)),
            parts=(0, 1_000_000),
            gain=(0.1, 1e9),
            behind=(0, 1e6),
        )

    def run(self, problem: Problem) -> Run:
        best, engine = yield from self._find(problem)
        consider(engine, POLISH)
        engine.write(best)
        placed = place_islands(engine, problem, best, self.behind)
        engine.write(placed.heights)
        return Outcome(
            level_regions(placed.heights, problem),
            Status.SCHEDULE_DONE,
            cut(engine, problem),
            islands=placed.labels,
            warnings=placed.warnings,
        )

    def _find(self, problem: Problem) -> Generator[Step, None, tuple[Array, Engine]]:
        """The surface with least energy, and the engine that it was found with."""
        noise = estimate_noise(problem)
        guess = (yield from self._guess(problem)) if is_large(problem) else None
        engine = make_engine(steady(problem, noise))
        if not is_noisy(noise).any():
            problem.forget_slopes()
        if guess is None:
            found = yield from self._search(engine, problem)
        else:
            consider(engine, POLISH)
            engine.write(double(guess.heights, guess.problem, problem))
            done = guess.iterations
            del guess
            found = yield from self._refine(engine, problem, done)
        best = settle(engine, problem, found.heights, found.energies, noise, self.solver_tolerance)
        best = yield from self._resume(engine, problem, best, noise, found.total)
        return best, engine

    def _search(self, engine: Engine, problem: Problem) -> Generator[Step, None, _Found]:
        """The best of several starts, region by region."""
        total = self.starts * (self.iterations + self.polish_iterations)
        best = np.zeros(problem.mask.shape)
        least = np.full(problem.regions + 1, math.inf)
        doubtful = np.ones(problem.regions + 1, bool)
        for number, start in enumerate(STARTS[: self.starts]):
            consider(engine, start, keep=False)
            yield from self._anneal(engine, problem, number, 0, total)
            yield from self._polish(engine, problem, number, total)
            consider(engine, JUDGE)
            if number == 0:
                # Where nothing jumps, there is nothing to move and no other surface to be found.
                doubtful = count_cuts(engine, problem) > 0
                best, least = read_heights(engine, problem), region_energies(engine, problem)
                if not doubtful.any():
                    break
            total = yield from self._dock(engine, problem, number, total)
            energies, heights = region_energies(engine, problem), read_heights(engine, problem)
            better = doubtful & (energies < least)
            if number > 0:
                doubtful &= differ(best, heights, problem)
            best = choose(better, problem, heights, best)
            least = np.where(better, energies, least)
            del heights
            if not doubtful.any():
                break
        return _Found(best, least, total)

    def _refine(self, engine: Engine, problem: Problem, done: int) -> Generator[Step, None, _Found]:
        """From the surface of half the resolution that the engine holds: polished, and annealed once more.

        Polishing keeps the places of large parts, annealing finds those of the pixels at their contours.
        """
        total = done + self._ahead()
        yield from self._polish(engine, problem, self.starts, total)
        consider(engine, JUDGE)
        best, least = read_heights(engine, problem), region_energies(engine, problem)
        consider(engine, STARTS[0])
        yield from self._anneal(engine, problem, self.starts, self._take_over(), total)
        yield from self._polish(engine, problem, self.starts, total)
        consider(engine, JUDGE)
        energies = region_energies(engine, problem)
        engine.write(choose(energies < least, problem, read_heights(engine, problem), best))
        del best
        if count_cuts(engine, problem).any():
            total = yield from self._dock(engine, problem, self.starts, total)
        return _Found(read_heights(engine, problem), region_energies(engine, problem), total)

    def _guess(self, problem: Problem) -> Generator[Step, None, _Guess]:
        """The surface as it is found at half the resolution."""
        small = halve(problem)
        run, done = self._find(small), 0
        # States that somebody keeps must not keep the engine: its memory is needed for the finer map.
        now: list[Callable[[], Array]] = []
        while True:
            try:
                step = next(run)
            except StopIteration as end:
                heights: Array = end.value[0]
                break
            done += 1
            now[:] = [step.heights]
            yield step._replace(
                total=step.total + self._ahead(),
                change=2 * step.change,
                strength=2 * step.strength,
                heights=lambda: double(now[0](), small, problem),
            )
            del step
        now[:] = [lambda: heights]
        return _Guess(heights, small, done)

    def _take_over(self) -> int:
        """The iteration that takes over a surface of half the resolution; one at which the solver is rebuilt."""
        return min(TAKE_OVER, self.iterations - 1) // REBUILD * REBUILD

    def _ahead(self) -> int:
        """Iterations of a refinement."""
        return self.iterations - self._take_over() + 2 * self.polish_iterations

    def _resume(
        self, engine: Engine, problem: Problem, heights: Array, noise: Array, total: int
    ) -> Generator[Step, None, Array]:
        """In noisy regions, from the surface of steadier slopes to that of the slopes as they are."""
        noisy = is_noisy(noise)
        if not noisy.any():
            return heights
        retarget(engine, problem)
        engine.write(heights)
        yield from self._polish(engine, problem, self.starts - 1, total + self.polish_iterations)
        return choose(noisy, problem, read_heights(engine, problem), heights)

    def _dock(self, engine: Engine, problem: Problem, number: int, total: int) -> Generator[Step, None, int]:
        """Moves of parts, whose polishes come on top of the total."""
        if self.parts == 0:
            return total
        rules = Docking(parts=self.parts, gain=self.gain)
        polish = lambda: self._polish(engine, problem, number, total + self.polish_iterations)  # noqa: E731
        for step in dock(engine, problem, rules, polish):
            yield step
            total = step.total
        return total

    def _anneal(self, engine: Engine, problem: Problem, number: int, begin: int, total: int) -> Steps:
        length = max(self.iterations - self.final_iterations - 5, 1)
        for k in range(begin, self.iterations):
            scale = self.scale * 0.001 ** min(1.0, k / length)
            if k >= self.iterations - self.final_iterations:
                scale = 0.0
            yield self._step(engine, problem, number, k, total, scale, k == 0)

    def _polish(self, engine: Engine, problem: Problem, number: int, total: int) -> Steps:
        consider(engine, POLISH)
        for k in range(self.polish_iterations):
            yield self._step(engine, problem, number, self.iterations + k, total, 0.0, False)

    def _step(
        self, engine: Engine, problem: Problem, number: int, k: int, total: int, scale: float, flat: bool
    ) -> Step:
        energy, moved, work = engine.step(
            scale, flat, self.solver_iterations, self.solver_tolerance, k % REBUILD == 0
        )
        change = moved / np.count_nonzero(problem.mask)
        return Step(
            number,
            k,
            total,
            energy,
            change,
            scale,
            work,
            lambda: level_regions(read_heights(engine, problem), problem),
        )


def count_cuts(engine: Engine, problem: Problem) -> NDArray[np.int_]:
    """How many pixels have a cut beside or below them, by region."""
    right, down = cut(engine, problem)
    cuts = np.zeros(problem.mask.shape, bool)
    cuts[:, :-1] |= right
    cuts[:-1] |= down
    return count(cuts, problem)


def differ(first: Array, second: Array, problem: Problem) -> NDArray[np.bool_]:
    """Regions in which two starts have ended in different surfaces. Where they have not, a further one would not."""
    apart = np.abs(level_regions(second - first, problem)) > SAME
    return np.asarray(count(apart, problem) > FEW * count(problem.mask, problem))


def count(flags: NDArray[np.bool_], problem: Problem) -> NDArray[np.int_]:
    """How many pixels are set, by region."""
    if problem.regions == 1:
        return np.array([0, np.count_nonzero(flags)])
    return np.bincount(problem.labels[flags], minlength=problem.regions + 1)


def settle(
    engine: Engine, problem: Problem, heights: Array, energies: Array, noise: Array, tolerance: float
) -> Array:
    """One solve to the end, flat within the noise; each region of little noise keeps it if its energy falls.

    The few solver iterations of each outer one leave long winding parts unfinished, and weights that follow the
    sign of a residual would turn noise into a slope.
    """
    quiet = ~is_noisy(noise)
    if not quiet[1:].any():
        return heights
    doubtful = math.degrees(CERTAIN * float(noise[1:][quiet[1:]].max()))
    consider(engine, POLISH._replace(angle=math.hypot(POLISH.angle, doubtful)))
    engine.write(heights)
    engine.step(SETTLE, False, SETTLE_ITERATIONS, tolerance, True)
    consider(engine, JUDGE)
    better = quiet & (region_energies(engine, problem) < energies)
    return choose(better, problem, read_heights(engine, problem), heights)


def make_engine(problem: Problem) -> Engine:
    """The native state of a problem: slopes, targets and variances of its pairs."""
    return Engine(*_given(problem), problem.curvature, problem.threads)


def retarget(engine: Engine, problem: Problem) -> None:
    """Give the engine these slopes to meet; those it has go on telling where jumps are likely."""
    engine.retarget(*_given(problem))


def _given(problem: Problem) -> Given:
    slopes = problem.slopes
    mask = problem.mask.view(np.uint8)
    return (
        slopes.across,
        slopes.along,
        slopes.cosine,
        mask,
        problem.several_labels,
        estimate_noise(problem),
        problem.hints,
    )


def cut(engine: Engine, problem: Problem) -> Cuts:
    """Pairs whose jump is an outlier, or forced."""
    height, width = problem.mask.shape
    right, down = np.zeros((height, width - 1), np.uint8), np.zeros((height - 1, width), np.uint8)
    engine.cuts(right, down)
    found = Cuts(right.view(bool), down.view(bool))
    if problem.hints is None:
        return found
    beside = force(problem.hints[:, :-1], problem.hints[:, 1:]) & problem.pairs[0]
    below = force(problem.hints[:-1], problem.hints[1:]) & problem.pairs[1]
    return Cuts(found.right | beside, found.down | below)


def force(first: NDArray[np.int8], second: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Pairs between which hints force a jump."""
    return np.asarray((first == 1) | (second == 1) | ((first > 0) & (second > 0) & (first + second == 5)))
