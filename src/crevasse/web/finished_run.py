"""A finished surface, and what it was made with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from crevasse.files.strokes import Painting
from crevasse.result import Integration, Status


@dataclass(frozen=True, eq=False)
class FinishedRun:
    """A surface that the page may look at, compare and download."""

    result: Integration
    settings: dict[str, Any]
    painting: Painting
    stopped_at: int | None


def usable(result: Integration) -> Integration:
    """Refuse a result without a surface."""
    if result.status is Status.NOT_FINITE:
        raise ValueError(str(result.status))
    return result
