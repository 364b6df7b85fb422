"""Settings and main loop of the default method."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from crevasse.cameras import Array
from crevasse.methods.graduated.engine import Engine
from crevasse.methods.graduated.evidence import STARTS
from crevasse.methods.graduated.finish import finish
from crevasse.methods.graduated.judge import Candidate, Judge
from crevasse.methods.graduated.noise import estimate_noise, is_noisy
from crevasse.methods.graduated.plan import plan_stages, planned_iterations
from crevasse.methods.graduated.progress import Progress
from crevasse.methods.graduated.schedule import Schedule
from crevasse.methods.graduated.set_up import make_engine
from crevasse.methods.graduated.smooth_error import ErrorModel, model_errors, no_smooth_error
from crevasse.methods.graduated.stages.stage import Context
from crevasse.methods.graduated.views.pyramid import is_large, prolong, prolong_step, restrict
from crevasse.methods.graduated.views.repack import repack
from crevasse.methods.problem import Problem, Run, Step, change_steps
from crevasse.methods.settings import check_settings, renamed_settings

ADVANCED = {"advanced": True}
"""Marks settings that few users will ever change."""

Beginning = Generator[Step, None, Array]
Search = Generator[Step, None, tuple[Engine, Array, ErrorModel]]
"""Makes steps, and returns the best surface with the engine that found it, and how the normals err."""


@renamed_settings(calm="skip_below", walls="spanning")
@dataclass(frozen=True)
class Graduated:
    """Iteratively reweighted least squares on rigid quadrilaterals, with graduated non-convexity.

    Attributes
    ----------
    starts : how many of the three starts to try where the surface jumps and no spanning pixels place its parts; the
        one with least energy is kept, region by region, and none is made after two that agree
    parts : number of parts into which the surface is divided for moves of whole parts; 0 disables the moves
    behind : pixels by which an island, whose place the normals do not determine, is set behind what occludes it; 0
        leaves it in contact
    spanning : whether to look for pixels that span a jump and read its height from them, as in normals computed from
        depth
    iterations : outer iterations of each start
    scale : jump in pixels that is tolerated at first; it falls by a factor of 1000
    final_iterations : how many of the iterations use the last, redescending weights
    solver_iterations : iterations of the linear solver per outer iteration
    solver_tolerance : relative residual at which the linear solver stops early
    polish_iterations : iterations with lenient evidence that end each stage
    skip_below : mean change in pixels below which annealing takes three steps at once and a polish ends after six
        iterations below half of it, or four in a row below a quarter; 0, and noise, disable skipping
    gain : least fall of the energy by a move of parts; opening a contact that nothing speaks for or against costs 1
    """

    starts: int = 3
    parts: int = 1000
    behind: float = 0.0
    spanning: bool = True
    iterations: int = field(default=60, metadata=ADVANCED)
    scale: float = field(default=10.0, metadata=ADVANCED)
    final_iterations: int = field(default=6, metadata=ADVANCED)
    solver_iterations: int = field(default=3, metadata=ADVANCED)
    solver_tolerance: float = field(default=1e-6, metadata=ADVANCED)
    polish_iterations: int = field(default=10, metadata=ADVANCED)
    skip_below: float = field(default=0.005, metadata=ADVANCED)
    gain: float = field(default=20.0, metadata=ADVANCED)

    name: ClassVar[str] = "graduated"
    title: ClassVar[str] = "crevasse"
    about: ClassVar[str] = "Our default: keeps depth discontinuities of any size."
    accepts: ClassVar[frozenset[str]] = frozenset({"mask", "hints", "prior", "points", "distances", "fixed"})
    bytes_per_pixel: ClassVar[int] = 200

    def __post_init__(self) -> None:
        check_settings(
            self,
            starts=(1, len(STARTS)),
            parts=(0, 1_000_000),
            behind=(0, 1e6),
            iterations=(1, 100_000),
            scale=(0.01, 1e6),
            final_iterations=(0, 100_000),
            solver_iterations=(1, 1000),
            solver_tolerance=(0, 1),
            polish_iterations=(0, 100_000),
            skip_below=(0, 1e6),
            gain=(0.1, 1e9),
        )

    def run(self, problem: Problem) -> Run:
        """Integrate a problem; its slopes are dropped as soon as the engine has a copy."""
        problem, repacked = repack(problem)
        run = self._run(problem)
        del problem
        return (yield from run if repacked is None else repacked.follow(run))

    def _run(self, problem: Problem) -> Run:
        search = self._search(problem)
        del problem
        engine, heights, errors = yield from search
        return finish(engine, heights, self.behind, errors)

    def _search(self, problem: Problem, finer: ErrorModel | None = None) -> Search:
        """Let each stage propose a surface, and keep what the judge accepts."""
        noise, progress = estimate_noise(problem), Progress()
        # At half the resolution, where large maps start, smooth errors cannot be told from others.
        errors = model_errors(problem, noise) if finer is None or finer.is_smooth else no_smooth_error(noise)
        stages = plan_stages(self, problem, noise, errors, finer is None)
        begin = yield from self._begin(problem, errors, progress, planned_iterations(stages, self))
        engine = make_engine(problem, errors)
        # The engine has its own copy of the slopes.
        del problem
        # Never skip iterations on noisy maps: which of them look converged depends on rounding.
        skip = not is_noisy(noise).any() and not errors.is_smooth
        schedule = Schedule(engine, self, self.skip_below if skip else 0.0)
        judge = Judge(engine)
        context = Context(engine, judge, schedule, self, noise)
        best = Candidate.unrated(begin, engine.domain)
        del begin
        while stages:
            stage, *stages = stages
            proposal = yield from progress.follow(stage.propose(context, best), planned_iterations(stages, self))
            further = stage.then(judge.improves(best, proposal))
            stages = stages if further is None else [further, *stages]
            best = judge.accept(best, proposal)
            errors = proposal.errors or errors
            # A surface takes eight bytes per pixel: keep only the best.
            del proposal
        return engine, best.heights, errors

    def _begin(self, problem: Problem, errors: ErrorModel, progress: Progress, later: int) -> Beginning:
        """The heights to begin with: flat, or for a large map those found at half the resolution."""
        fine = problem.domain
        if not is_large(fine.pixels):
            return np.zeros(fine.mask.shape)
        coarse = restrict(problem)
        wide = coarse.domain
        search = self._search(coarse, errors)
        del coarse, problem
        steps = change_steps(search, lambda step: prolong_step(step, wide, fine))
        engine, heights, _ = yield from progress.include(steps, later)
        # A step that the caller keeps must not keep the engine's memory.
        engine.release()
        return prolong(heights, wide, fine)
