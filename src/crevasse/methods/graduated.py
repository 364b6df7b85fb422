"""Our default: rigid quadrilaterals, graduated reweighting, jumps signed by occlusion."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import GRAZING, Array
from crevasse.lattice import MOST_RISE
from crevasse.methods.aside import Aside
from crevasse.methods.coarse import double, halve, is_large
from crevasse.methods.docking import Docking, dock, read_heights, region_energies
from crevasse.methods.evidence import JUDGE, POLISH, STARTS, consider
from crevasse.methods.islands import OUTLIER, place_islands
from crevasse.methods.noise import estimate_noise
from crevasse.methods.packed import pack
from crevasse.methods.problem import Outcome, Problem, Run, Step, change_steps, check_settings, choose, level_regions
from crevasse.methods.steady import NOISY, WINDOW, is_noisy, steady
from crevasse.methods.steep import Runs, are_likely_walls, find_runs
from crevasse.methods.walls import Walls, find_walls
from crevasse.native import EngineConstants, Weighting
from crevasse.native import GraduatedEngine as Engine
from crevasse.result import Cuts, Status

Steps = Iterator[Step]
Given = tuple[Array, Array, Array, NDArray[np.uint8], NDArray[np.int32] | None, Array, NDArray[np.int8] | None]
"""What the engine is given of a problem."""


SAME = 0.25
"""Pixels by which heights of the same surface may differ."""
FEW = 0.005
"""Share of the pixels that may differ by more."""
TAKE_OVER = 8
"""The iteration that goes on from a known surface: jumps of three pixels are still tolerated, so that what was wrong
at contours opens or closes."""
CALM_STRIDE = 3
"""Steps of the schedule that a calm surface takes at once."""
CALM_POLISH = 6
"""Iterations of a polish that move the surface by less than half of `calm`, after which it ends."""
SMALL = 1 << 16
"""Pixels in the mask up to which two threads do more with a start each than with one together."""
REBUILD = 4
"""Iterations for which the solver keeps its coarser levels."""
CONSTANTS = EngineConstants(
    grazing=GRAZING, noisy=NOISY, window=WINDOW, noise_floor=0.002, outlier=OUTLIER, most_rise=MOST_RISE
)
"""What the engine and Python both need."""
SETTLE_ITERATIONS = 20
"""Of the solver, at most: enough for long winding parts."""
CERTAIN = 6.0
"""Standard deviations of noise that a turn must exceed to count as a crease when settling."""


class _Found(NamedTuple):
    """A surface, its energy by region, and where anything jumps, by region."""

    heights: Array
    energies: Array
    jumps: NDArray[np.bool_]


@dataclass
class _Plan:
    """How many iterations a run will take, as far as is known, and which change of the heights is none.

    aside : its surfaces are asked for when it is over
    """

    total: int
    calm: float
    aside: bool = False


class _Guess(NamedTuple):
    """A surface of half the resolution, and what it solves."""

    heights: Array
    problem: Problem


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
    calm : mean change of the heights in pixels below which the schedule takes three steps at once; a polish ends
        after six iterations below half of it. 0, and noise, make all iterations, whatever happens
    starts : how many of the three starts to try; the one with least energy is kept, region by region. No other is
        needed where nothing jumps after the first, or where the first two agree. Maps of more than half a million
        pixels make them at half the resolution; what refines the surface counts as one more
    parts : into how many parts the surface is divided for moves of whole parts; 0 for no such moves
    gain : least fall of the energy by such a move; opening a contact that nothing speaks for or against costs 1
    behind : pixels by which an island, whose place the normals do not tell, is set behind what occludes it; 0 leaves
        it in contact
    walls : whether pixels that stand across a jump tell how high it is, on maps where they agree about it
    """

    iterations: int = 60
    scale: float = 10.0
    final_iterations: int = 6
    solver_iterations: int = 3
    solver_tolerance: float = 1e-6
    polish_iterations: int = 10
    calm: float = 0.005
    starts: int = 3
    parts: int = 1000
    gain: float = 20.0
    behind: float = 0.0
    walls: bool = True

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
            calm=(0, 1e6),
            starts=(1, len(STARTS)),
            parts=(0, 1_000_000),
            gain=(0.1, 1e9),
            behind=(0, 1e6),
        )

    def run(self, problem: Problem) -> Run:
        packed = pack(problem)
        if packed is None:
            return (yield from self._run(problem))
        problem.forget_slopes()
        return (yield from packed.run(self._run(packed.problem)))

    def _run(self, problem: Problem) -> Run:
        best, engine, walls = yield from self._find(problem)
        consider(engine, POLISH)
        engine.write(best)
        placed = place_islands(engine, problem, best, self.behind, walls)
        engine.write(placed.heights)
        cuts = cut(engine, problem)
        engine.release()
        return Outcome(
            level_regions(placed.heights, problem),
            Status.SCHEDULE_DONE,
            cuts,
            islands=placed.labels,
            warnings=placed.warnings if walls is None else (*placed.warnings, walls.describe()),
        )

    def _find(self, problem: Problem) -> Generator[Step, None, tuple[Array, Engine, Walls | None]]:
        """The surface with least energy, the engine that it was found with, and the walls that helped."""
        noise = estimate_noise(problem)
        # In noise nothing is ever calm for long, and what happens to be would make a run hang on rounding.
        plan = _Plan(0, 0.0 if is_noisy(noise).any() else self.calm)
        runs = find_runs(problem) if self.walls else None
        guess = (yield from self._guess(problem, plan)) if is_large(problem) else None
        pair = self.starts > 1 and problem.threads > 1 and problem.pixels <= SMALL and not are_likely_walls(runs)
        steadied = steady(problem, noise)
        engine = make_engine(steadied, 1 if pair else problem.threads)
        make = partial(make_engine, steadied) if pair else None
        del steadied
        if not pair and not is_noisy(noise).any():
            problem.forget_slopes()
        if guess is None:
            found, engine = yield from self._search(engine, problem, plan, make, runs)
        else:
            take_up(engine, double(guess.heights, guess.problem, problem))
            del guess
            found = yield from self._refine(engine, problem, plan)
        walls = find_walls(runs, found.heights)
        if walls is not None:
            engine = make(problem.threads) if make else engine
            found = yield from self._place(engine, problem, plan, found, walls)
        best = settle(engine, problem, found.heights, found.energies, noise, self.solver_tolerance)
        best = yield from self._resume(engine, problem, best, noise, plan, walls)
        return best, engine, walls

    def _place(
        self, engine: Engine, problem: Problem, plan: _Plan, found: _Found, walls: Walls
    ) -> Generator[Step, None, _Found]:
        """The regions that have walls, with their parts placed by these; the others as they were found."""
        walls.build(engine)
        take_up(engine, found.heights)
        placed = yield from self._refine(engine, problem, plan)
        walled = walls.regions(problem)
        return _Found(
            choose(walled, problem, placed.heights, found.heights),
            np.where(walled, placed.energies, found.energies),
            found.jumps,
        )

    def _search(
        self,
        engine: Engine,
        problem: Problem,
        plan: _Plan,
        make: Callable[[int], Engine] | None,
        runs: Runs | None,
    ) -> Generator[Step, None, tuple[_Found, Engine]]:
        """The best of several starts, region by region, and the engine of the last.

        Parameters
        ----------
        make : makes another engine for so many threads: then the first two starts run beside each other
        runs : what may be walls; where they are, they tell more than another start would
        """
        plan.total = self.starts * self._length()
        aside = _Plan(self._length(), plan.calm, aside=True)
        beside = Aside(lambda: self._start(make(1), problem, 1, aside)) if make else nullcontext()
        with beside as second:
            best = yield from self._start(engine, problem, 0, plan)
            walls = find_walls(runs, best.heights)
            doubtful = best.jumps if walls is None else best.jumps & ~walls.regions(problem)
            for number in range(1, self.starts):
                # Where nothing jumps, or where two starts agree, there is no other surface to be found.
                if not doubtful.any():
                    plan.total -= (self.starts - number) * self._length()
                    break
                if second is not None and number == 1:
                    found = yield from self._catch_up(second, aside, plan)
                else:
                    engine = make(problem.threads) if make else engine
                    found = yield from self._start(engine, problem, number, plan)
                better = doubtful & (found.energies < best.energies)
                doubtful = doubtful & differ(best.heights, found.heights, problem)
                best = _Found(
                    choose(better, problem, found.heights, best.heights),
                    np.where(better, found.energies, best.energies),
                    best.jumps,
                )
                del found
        return best, engine

    def _catch_up(self, second: Aside[_Found], aside: _Plan, plan: _Plan) -> Generator[Step, None, _Found]:
        """The steps of a start that ran aside, as part of the whole plan."""
        found = yield from change_steps(
            second.steps(), lambda step: step._replace(total=plan.total + aside.total - self._length())
        )
        plan.total += aside.total - self._length()
        return found

    def _start(self, engine: Engine, problem: Problem, number: int, plan: _Plan) -> Generator[Step, None, _Found]:
        """One start from nothing."""
        consider(engine, STARTS[number], keep=False)
        yield from self._anneal(engine, problem, number, 0, plan)
        yield from self._polish(engine, problem, number, plan)
        return (yield from self._finish(engine, problem, number, plan))

    def _refine(self, engine: Engine, problem: Problem, plan: _Plan) -> Generator[Step, None, _Found]:
        """From the surface that the engine holds: polished, and annealed once more.

        Polishing keeps the places of large parts, annealing finds those of the pixels at their contours.
        """
        plan.total += self._ahead()
        yield from self._polish(engine, problem, self.starts, plan)
        consider(engine, JUDGE)
        best, least = read_heights(engine, problem), region_energies(engine, problem)
        consider(engine, STARTS[0])
        yield from self._anneal(engine, problem, self.starts, self._take_over(), plan)
        yield from self._polish(engine, problem, self.starts, plan)
        consider(engine, JUDGE)
        energies = region_energies(engine, problem)
        engine.write(choose(energies < least, problem, read_heights(engine, problem), best))
        del best
        return (yield from self._finish(engine, problem, self.starts, plan))

    def _finish(self, engine: Engine, problem: Problem, number: int, plan: _Plan) -> Generator[Step, None, _Found]:
        """Moves of parts, where anything jumps."""
        consider(engine, JUDGE)
        jumps = count_cuts(engine, problem) > 0
        if self.parts == 0 or not jumps.any():
            return _Found(read_heights(engine, problem), region_energies(engine, problem), jumps)
        rules = Docking(parts=self.parts, gain=self.gain)
        polish = partial(self._polish_more, engine, problem, number, plan)
        heights, energies = yield from dock(engine, problem, rules, polish)
        return _Found(heights, energies, jumps)

    def _guess(self, problem: Problem, plan: _Plan) -> Generator[Step, None, _Guess]:
        """The surface as it is found at half the resolution."""
        small = halve(problem)
        # States that somebody keeps must not keep the engine: its memory is needed for the finer map.
        now: list[Callable[[], Array]] = []

        def widen(step: Step) -> Step:
            plan.total += 1
            now[:] = [step.heights]
            return step._replace(
                total=step.total + self._ahead(),
                change=2 * step.change,
                strength=2 * step.strength,
                heights=lambda: double(now[0](), small, problem),
            )

        # Wide pixels blend what walls tell with what lies beside them.
        plain = replace(self, walls=False)
        heights = (yield from change_steps(plain._find(small), widen))[0]
        now[:] = [lambda: heights]
        return _Guess(heights, small)

    def _length(self) -> int:
        """Iterations of a start."""
        return self.iterations + self.polish_iterations

    def _take_over(self) -> int:
        """The iteration that takes over a known surface."""
        return min(TAKE_OVER, self.iterations - 1)

    def _ahead(self) -> int:
        """Iterations of a refinement."""
        return self.iterations - self._take_over() + 2 * self.polish_iterations

    def _resume(
        self, engine: Engine, problem: Problem, heights: Array, noise: Array, plan: _Plan, walls: Walls | None
    ) -> Generator[Step, None, Array]:
        """In noisy regions, from the surface of steadier slopes to that of the slopes as they are."""
        noisy = is_noisy(noise)
        if not noisy.any():
            return heights
        retarget(engine, problem if walls is None else walls.remove(problem))
        if walls is not None:
            walls.rebuild(engine)
        engine.write(heights)
        yield from self._polish_more(engine, problem, self.starts - 1, plan)
        return choose(noisy, problem, read_heights(engine, problem), heights)

    def _anneal(self, engine: Engine, problem: Problem, number: int, begin: int, plan: _Plan) -> Steps:
        """From large jumps to small ones; in longer strides while nothing moves."""
        length = max(self.iterations - self.final_iterations - 5, 1)
        k, made = begin, 0
        while k < self.iterations:
            scale = self.scale * 0.001 ** min(1.0, k / length)
            if k >= self.iterations - self.final_iterations:
                scale = 0.0
            step = self._step(engine, problem, number, k, plan, scale, made % REBUILD == 0)
            yield step
            made += 1
            stride = CALM_STRIDE if step.change < plan.calm and k + CALM_STRIDE < length else 1
            plan.total -= stride - 1
            k += stride

    def _polish(self, engine: Engine, problem: Problem, number: int, plan: _Plan) -> Steps:
        """Iterations with the evidence that is common to all starts, until nothing moves."""
        consider(engine, POLISH)
        calm = 0
        for made in range(self.polish_iterations):
            step = self._step(engine, problem, number, self.iterations + made, plan, 0.0, made % REBUILD == 0)
            yield step
            calm += step.change < plan.calm / 2
            if calm == CALM_POLISH:
                plan.total -= self.polish_iterations - made - 1
                break

    def _polish_more(self, engine: Engine, problem: Problem, number: int, plan: _Plan) -> Steps:
        """A polish that was not planned."""
        plan.total += self.polish_iterations
        yield from self._polish(engine, problem, number, plan)

    def _step(
        self, engine: Engine, problem: Problem, number: int, k: int, plan: _Plan, scale: float, rebuild: bool
    ) -> Step:
        limit, tolerance = self.solver_iterations, self.solver_tolerance
        annealed = Weighting.FLAT if k == 0 else Weighting.ANNEALED
        weighting = annealed if scale > 0 else Weighting.REDESCENDING
        energy, moved, work = engine.iterate(weighting, scale, limit, tolerance, rebuild)
        change = moved / problem.pixels
        kept = read_heights(engine, problem) if plan.aside and problem.watched else None
        now = lambda: level_regions(read_heights(engine, problem) if kept is None else kept, problem)  # noqa: E731
        return Step(number, k, plan.total, energy, change, scale, work, now)


def take_up(engine: Engine, heights: Array) -> None:
    """Give the engine a surface to go on from."""
    consider(engine, POLISH)
    engine.write(heights)


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
    engine.iterate(Weighting.SETTLED, 0.0, SETTLE_ITERATIONS, tolerance, True)
    consider(engine, JUDGE)
    better = quiet & (region_energies(engine, problem) < energies)
    return choose(better, problem, read_heights(engine, problem), heights)


def make_engine(problem: Problem, threads: int | None = None) -> Engine:
    """The native state of a problem: slopes, targets and variances of its pairs."""
    return Engine(*_given(problem), None, problem.curvature, CONSTANTS, threads or problem.threads)


def retarget(engine: Engine, problem: Problem) -> None:
    """Give the engine these slopes to meet; those it has go on telling where jumps are likely."""
    engine.set_slopes(*_given(problem), None)


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
    right, down = np.zeros(problem.mask.shape, np.uint8), np.zeros(problem.mask.shape, np.uint8)
    engine.cuts(right, down)
    return Cuts(np.ascontiguousarray(right[:, :-1]).view(bool), down[:-1].view(bool))
