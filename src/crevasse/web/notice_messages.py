"""What a server tells a page in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, kw_only=True)
class Snippet:
    """Commands that reproduce a surface; `command` is None where the command line cannot."""

    kind: Literal["snippet"] = "snippet"
    result: str
    python: str
    command: str | None
    files: tuple[str, ...]


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
