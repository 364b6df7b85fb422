"""The stages of a run of the default method, in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crevasse.cameras import Array
from crevasse.methods.graduated.evidence import STARTS
from crevasse.methods.graduated.noise import is_noisy
from crevasse.methods.graduated.rules import PartMoves
from crevasse.methods.graduated.smooth_error import ErrorModel
from crevasse.methods.graduated.stages.attach_fragments import AttachFragments
from crevasse.methods.graduated.stages.further_starts import FurtherStarts
from crevasse.methods.graduated.stages.joint_solve import JointSolve
from crevasse.methods.graduated.stages.move_parts import MoveParts
from crevasse.methods.graduated.stages.place_parts import PlaceParts
from crevasse.methods.graduated.stages.refine import Polish, Reanneal
from crevasse.methods.graduated.stages.remove_spikes import RemoveSpikes
from crevasse.methods.graduated.stages.restore_slopes import RestoreSlopes
from crevasse.methods.graduated.stages.settle import Settle
from crevasse.methods.graduated.stages.span_jumps import SpanJumps
from crevasse.methods.graduated.stages.stage import Stage
from crevasse.methods.graduated.stages.start import Start
from crevasse.methods.graduated.stages.widen_errors import WidenErrors
from crevasse.methods.graduated.terms.steep_runs import find_steep_runs
from crevasse.methods.graduated.views.pyramid import is_large
from crevasse.methods.problem import Problem

if TYPE_CHECKING:
    from crevasse.methods.graduated.method import Graduated


def plan_stages(settings: Graduated, problem: Problem, noise: Array, errors: ErrorModel, finest: bool) -> list[Stage]:
    """The stages of a run.

    Parameters
    ----------
    noise : standard deviation of the slopes per region
    errors : of the normals
    finest : whether the problem is the whole one, and not one at half the resolution
    """
    if errors.is_smooth:
        stages = _smooth_stages(settings, problem, errors)
    else:
        stages = _stages(settings, problem, noise, finest)
    known = problem.domain.known
    if known is not None and finest:
        stages += [PlaceParts(known, errors.is_smooth), JointSolve()]
    return stages


def planned_iterations(stages: list[Stage], settings: Graduated) -> int:
    """Iterations that these stages are expected to make."""
    return sum(stage.planned(settings) for stage in stages)


def _stages(settings: Graduated, problem: Problem, noise: Array, finest: bool) -> list[Stage]:
    """The stages of a run on normals without smooth errors, in order."""
    # The wide pixels of a coarser map blend the height of a jump with the surface beside it.
    runs = find_steep_runs(problem) if settings.spanning and finest else None
    rules = PartMoves(settings.parts, settings.gain)
    moves = MoveParts(rules)
    pixels, noisy = problem.domain.pixels, bool(is_noisy(noise).any())
    stages: list[Stage]
    if is_large(pixels):
        stages = [Polish(), Reanneal(), moves, SpanJumps(runs, moves)]
    elif noisy:
        stages = [Start(STARTS[0]), moves, SpanJumps(runs, moves), FurtherStarts(moves)]
    else:
        stages = [Start(STARTS[0], 0, runs, rules), moves, SpanJumps(runs, moves), FurtherStarts(moves)]
    stages.append(Settle())
    if noisy:
        stages.append(RestoreSlopes(problem))
    stages += [RemoveSpikes(), AttachFragments()]
    return stages


def _smooth_stages(settings: Graduated, problem: Problem, errors: ErrorModel) -> list[Stage]:
    """The stages of a run on normals that err smoothly.

    Such normals were not computed from depth, a last solve has no exact slopes to settle on, and other evidence
    changes less than the error does.
    """
    moves = MoveParts(PartMoves(settings.parts, settings.gain), careful=True)
    begin: list[Stage] = [Polish(), Reanneal()] if is_large(problem.domain.pixels) else [Start(STARTS[0])]
    return [*begin, moves, WidenErrors(problem, errors, moves), AttachFragments()]
