"""What a server tells a page in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, kw_only=True)
class Snippet:
    """Commands that reproduce a surface; `command` is None where the command line cannot, and `why` says so."""

    kind: Literal["snippet"] = "snippet"
    result: str
    python: str
    command: str | None
    why: str | None
    files: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Measure:
    """What the page multiplies a surface's depths by, and the unit that they are in then."""

    factor: float
    unit: str


@dataclass(frozen=True, kw_only=True)
class Island:
    """A part whose distance is a guess: its label, its pixels, the middle of its box, and by how far it was moved."""

    label: int
    pixels: int
    row: int
    column: int
    moved: float


@dataclass(frozen=True, kw_only=True)
class Scaled:
    """Measures of all finished surfaces by name; `problem` says why a scale does not fit."""

    kind: Literal["scaled"] = "scaled"
    measures: dict[str, Measure]
    problem: str | None


@dataclass(frozen=True, kw_only=True)
class Failure:
    """What went wrong: a request that was refused, a worker that ended, or a server that is full."""

    kind: Literal["refused", "lost", "full"]
    message: str


@dataclass(frozen=True, kw_only=True)
class Queued:
    """A run that waits; 1 is next."""

    kind: Literal["queued"] = "queued"
    place: int


@dataclass(frozen=True, kw_only=True)
class Phase:
    """What the session does now."""

    kind: Literal["running", "paused", "cancelled"]
