"""Turn the steps and the outcome of a run into states and results on the whole map."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Camera
from crevasse.knowledge import Given
from crevasse.lattice import jumps_across, label_islands, pairs
from crevasse.methods import Method, Outcome, Step
from crevasse.methods.problem import Domain
from crevasse.result import Integration
from crevasse.state import State
from crevasse.status import HISTORY, Status
from crevasse.surface import Cuts, Surface, cut_pairs
from crevasse.validate import Valid

NOTHING = Given()

CUT = 0.5
"""Jump in pixels from which two pixels count as separated, for methods that do not report cuts."""


class Assembly:
    """Place a run's arrays, which cover the mask's bounding box, in the whole map."""

    def __init__(self, valid: Valid, domain: Domain, camera: Camera, method: Method, given: Given = NOTHING) -> None:
        self.mask, self.window, self.warnings = valid.mask, valid.window, valid.warnings
        self.domain, self.camera, self.method, self.given = domain, camera, method, given

    def state(self, step: Step, outcome: Callable[[], Outcome], history: list[tuple[float, ...]]) -> State:
        count = len(history)
        return State(
            iteration=count,
            total=step.total,
            start=step.start,
            energy=step.energy,
            change=step.change,
            strength=step.strength,
            seconds=history[-1][-1],
            _surface=lambda: self.surface(outcome()),
            _result=lambda: self.result(outcome(), np.array(history[:count], HISTORY)),
        )

    def surface(self, outcome: Outcome) -> Surface:
        corners = None if outcome.corners is None else self.whole(outcome.corners)
        return Surface(self.whole(outcome.heights), self.mask, self.steepness, self.camera, corners)

    @cached_property
    def steepness(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Slopes of the whole map, computed once because a live view asks for the surface many times."""
        right, down = (self.whole(image) for image in self.domain.steepness)
        return right, down

    def result(self, outcome: Outcome, record: NDArray[Any]) -> Integration:
        with np.errstate(all="ignore"):
            return self._result(outcome, record)

    def _result(self, outcome: Outcome, record: NDArray[Any]) -> Integration:
        surface = self.surface(outcome)
        status = outcome.status if surface.finite else Status.NOT_FINITE
        cuts = self.cuts(surface, outcome)
        islands = label_islands(self.mask, cuts) if outcome.islands is None else self.whole(outcome.islands)
        if outcome.islands is not None:
            # Count the whole border of an island as jumps, even where the method has no evidence for them.
            cuts = Cuts(
                cuts.right | _differ(islands[:, :-1], islands[:, 1:]), cuts.down | _differ(islands[:-1], islands[1:])
            )
        return Integration(
            surface=surface,
            islands=islands,
            regions=self.domain.regions,
            cuts=cuts,
            status=status,
            history=record,
            warnings=self.warnings + outcome.warnings,
            camera=self.camera,
            method=self.method,
            noise=outcome.noise,
            hints=None if self.domain.hints is None else self.whole(self.domain.hints),
            weights=None if self.domain.weights is None else self.whole(self.domain.weights),
            given=self.given,
            gauge_known=outcome.metric,
        )

    def cuts(self, surface: Surface, outcome: Outcome) -> Cuts:
        """Pairs of pixels that jumps separate, as the method reports them or by the size of the jumps."""
        if outcome.cuts is not None:
            right, down = outcome.cuts
            return Cuts(self.whole(right)[:, :-1], self.whole(down)[:-1])
        if not getattr(self.method, "tears", True):
            return Cuts(*(np.zeros_like(inside) for inside in pairs(self.mask)))
        heights = self.camera.to_heights(surface.corner_depth)
        return cut_pairs(self.mask, jumps_across(heights), CUT)

    def whole(self, image: NDArray[Any]) -> NDArray[Any]:
        """Embed an image of the window (or of its corners or pairs) in the whole map; 0 around it."""
        rows, columns = self.window
        height, width = self.domain.mask.shape
        scale = 2 if image.shape == (2 * height, 2 * width) else 1
        shape = [
            scale * side - (inner - part)
            for side, inner, part in zip(self.mask.shape, (scale * height, scale * width), image.shape, strict=True)
        ]
        padded = np.zeros(shape, image.dtype)
        top, left = scale * rows.start, scale * columns.start
        padded[top : top + image.shape[0], left : left + image.shape[1]] = image
        return padded


def _differ(first: NDArray[np.int32], second: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Where two neighbours belong to different islands."""
    return np.asarray((first != second) & (first > 0) & (second > 0))


def stopped(step: Step) -> Callable[[], Outcome]:
    """The outcome of a run that is stopped after this step."""
    return lambda: Outcome(step.heights(), Status.STOPPED, corners=step.corners and step.corners())
