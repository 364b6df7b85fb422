"""Write one file per step, and report the share of all writing that is done."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import PurePath
from typing import Any, NamedTuple

Progress = Callable[[str, float], None]
"""Called with the name of the file being written, and the share of all writing that is done."""
TIMES = {".npy": 0.1, ".png": 2.0, ".ply": 6.0, ".obj": 20.0, ".glb": 6.0, ".stl": 5.0, ".html": 8.0}
SLOW = {"preview.png": 7.0, "solid.stl": 20.0}
"""Relative time that each kind of file takes to write, and files that take longer: 1 is about 0.2 s per megapixel."""


class Step(NamedTuple):
    """One file to write; `write` is given a function to call with the share that is done."""

    name: str
    write: Callable[[Callable[[float], None]], None]


def time_of(name: str) -> float:
    """The relative time that a file takes to write."""
    return SLOW.get(name, TIMES.get(PurePath(name).suffix, 1.0))


def writing_time(names: Iterable[str]) -> float:
    """The relative time that files of these names take to write."""
    return sum(time_of(name) for name in names)


def run_steps(steps: list[Step], progress: Progress) -> None:
    """Write the files one after another, and report progress."""
    total, done = writing_time(step.name for step in steps), 0.0
    for step in steps:
        begun, time = done, time_of(step.name)

        def report(share: float, step: Step = step, begun: float = begun, time: float = time) -> None:
            progress(step.name, (begun + time * share) / total)

        report(0.0)
        step.write(report)
        done += time


def plain(function: Callable[..., Any], *arguments: Any) -> Callable[[Callable[[float], None]], None]:
    """Wrap a writer that reports no progress."""

    def write(report: Callable[[float], None]) -> None:
        function(*arguments)

    return write
