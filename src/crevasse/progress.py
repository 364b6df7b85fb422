"""A progress bar, on a terminal or in a notebook, that names its phase and says how long it will take."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from crevasse.result import State

ReportProgress = Callable[[str, float], None]
"""Called with the name of a phase, and the share of it that is done."""


@contextmanager
def show_progress(title: str, quiet: bool = False) -> Iterator[ReportProgress]:
    """Yield a function that shows the progress of each phase; without a terminal or notebook it does nothing."""
    if quiet or not (sys.stderr.isatty() or in_notebook()):
        yield lambda phase, share: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TextColumn("{task.fields[left]}"),
    )
    with Progress(*columns, console=Console(stderr=not in_notebook()), transient=True) as progress:
        task = progress.add_task(title, total=1.0, left=time_left(0.0, 0.0))
        clock = PhaseClock()

        def report_progress(phase: str, share: float) -> None:
            before = clock.phase
            done, left = clock.update(phase, share, time.perf_counter())
            progress.update(
                task, description=f"{title}: {phase}", completed=done, left=left, refresh=clock.phase != before
            )

        yield report_progress


def in_notebook() -> bool:
    """Whether this runs in a Jupyter kernel."""
    return "ipykernel" in sys.modules


class PhaseClock:
    """Shares of a phase that never decrease, and the time left."""

    def __init__(self) -> None:
        self.phase, self.share, self.began = "", 0.0, 0.0

    def update(self, phase: str, share: float, now: float) -> tuple[float, str]:
        """The share that is done, and a text on the time left, at the time `now` in seconds."""
        name = phase.split(" ")[0]
        if name != self.phase:
            self.phase, self.share, self.began = name, 0.0, now
        self.share = min(max(self.share, share), 1.0)
        return self.share, time_left(self.share, now - self.began)


def time_left(share: float, seconds: float) -> str:
    """Estimate the time left from the pace so far.

    >>> time_left(0.25, 10.0)
    'about 30 s left'
    """
    if share <= 0.01 or seconds < 0.5:
        return "estimating the time left"
    rest = seconds * (1 - share) / share
    return f"about {rest:.0f} s left" if rest < 100 else f"about {rest / 60:.0f} min left"


def follow(states: Iterable[State], report_progress: ReportProgress) -> State:
    """Run to the end and report progress; return the last state."""
    last: State | None = None
    for last in states:
        report_progress("integrating", last.iteration / max(last.total, last.iteration, 1))
    assert last is not None
    return last
