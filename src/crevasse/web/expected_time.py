"""Expect how long the default method takes."""

from __future__ import annotations

SECONDS_PER_PIXEL = 2.4e-6
"""Of the default method on two cores: between 1.9e-6 (512 x 512) and 2.9e-6 (4096 x 4096) in the record `scaling`."""
_measured: list[float] = []


def expected_seconds(pixels: int) -> float:
    """About how long the default method takes for a map, at the pace of the runs that this process has seen."""
    return pixels * (_measured[-1] if _measured else SECONDS_PER_PIXEL)


def learn(pixels: int, seconds: float) -> None:
    """Remember the pace of a complete run of the default method."""
    if pixels > 0 and seconds > 0:
        _measured[:] = [seconds / pixels]
