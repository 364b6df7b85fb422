"""A run that is advanced in short stretches between messages to the page."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from crevasse.files.strokes import Painting
from crevasse.pictures import Film
from crevasse.state import State
from crevasse.web.surface_messages import ProgressHeader


class ActiveRun:
    """A run, what happened since its progress was last read, and what an animation of it needs."""

    def __init__(self, states: Iterator[State], name: str, settings: dict[str, Any], painting: Painting) -> None:
        self.film = Film()
        self.states: Iterator[State] = self.film.watch(states)
        self.name, self.settings, self.painting = name, settings, painting
        self.state: State | None = None
        self.records: list[tuple[int, float, float]] = []

    def carry_on(self, seconds: float) -> bool:
        """Iterate until the time is up, at least once; whether the run is over.

        The first call iterates only once, so that even the shortest run shows a surface before it ends.
        """
        until = time.perf_counter() + (seconds if self.state else 0.0)
        while True:
            state = next(self.states, None)
            if state is None:
                return True
            if self.state is None or state.iteration > self.state.iteration:
                self.records.append((state.iteration, state.energy, state.change))
            self.state = state
            if time.perf_counter() >= until:
                return False

    def progress(self) -> ProgressHeader:
        """Progress since the previous call."""
        assert self.state is not None
        records, self.records = self.records, []
        return ProgressHeader(
            result=self.name,
            iteration=self.state.iteration,
            total=self.state.total,
            seconds=self.state.seconds,
            records=tuple((number, _finite(energy), _finite(change)) for number, energy, change in records),
            level=None,
        )


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
