"""The state of a run after an iteration."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from crevasse.cameras import Array
from crevasse.result import Integration
from crevasse.surface import Jumps, Surface


@dataclass(frozen=True, eq=False)
class State:
    """The state of a run after an iteration, as `iterate` yields it; read it before asking for the next one.

    Attributes
    ----------
    iteration, total : how far the run is; total is its planned number of iterations
    start : which of the method's starts this is, from 0
    energy, change, strength : as in the history
    """

    iteration: int
    total: int
    start: int
    energy: float
    change: float
    strength: float
    seconds: float
    _surface: Callable[[], Surface] = field(repr=False)
    _result: Callable[[], Integration] = field(repr=False)

    @property
    def depth(self) -> Array:
        return self._surface().depth

    @property
    def jumps(self) -> Jumps:
        return self._surface().jumps

    @property
    def surface(self) -> Surface:
        return self._surface()

    def result(self) -> Integration:
        """The current surface as a complete result."""
        return self._result()
