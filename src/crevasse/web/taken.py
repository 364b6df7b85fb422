"""A finished surface as the user takes it away: with its map, in its unit."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from crevasse.result import Integration
from crevasse.web.finished_run import FinishedRun
from crevasse.web.opening import Source
from crevasse.web.scale import Scale


@dataclass(frozen=True, eq=False)
class Taken:
    """What files and commands are made from."""

    run: FinishedRun
    source: Source
    scale: Scale

    @cached_property
    def result(self) -> Integration:
        """The surface in its unit."""
        return self.scale.apply(self.run.result)

    @property
    def name(self) -> str:
        """Name of the map without its suffix."""
        return str(self.source.recognised["name"]).rpartition(".")[0] or str(self.source.recognised["name"])
