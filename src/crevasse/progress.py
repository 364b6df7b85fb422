"""Show the progress of long work: its phase, the share of all of it that is done, and the time left."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from html import escape
from types import MappingProxyType

from crevasse.state import State

ReportProgress = Callable[[str, float], None]
"""Called with the name of a phase, and the share of it that is done."""
Plan = Mapping[str, float]
"""The phases in order, by their first words, and the relative time that each is expected to take."""
INTEGRATING: Plan = MappingProxyType({"integrating": 1.0})
SILENCE = 10.0
"""Seconds between two lines where there is no terminal."""
BETWEEN_UPDATES = 0.2
"""Seconds between two updates of a notebook's bar."""
EARLY_SHARE, EARLY_SECONDS = 0.01, 0.5
"""Below these, the pace is not known yet."""


def silent(phase: str, share: float) -> None:
    """Show no progress."""


@contextmanager
def show_progress(title: str, quiet: bool = False, plan: Plan = INTEGRATING) -> Iterator[ReportProgress]:
    """Yield a function that shows the progress of each phase.

    A terminal or a notebook gets a bar; anything else, such as a log, a line now and then.
    """
    clock = PhaseClock(plan)
    if quiet:
        yield silent
    elif in_notebook():
        with _notebook_bar(title, clock) as report_progress:
            yield report_progress
    elif sys.stderr.isatty():
        with _bar(title, clock) as report_progress:
            yield report_progress
    else:
        yield _lines(title, clock)


@contextmanager
def _bar(title: str, clock: PhaseClock) -> Iterator[ReportProgress]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TextColumn("{task.fields[left]}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(title, total=1.0, left=UNKNOWN)

        def report_progress(phase: str, share: float) -> None:
            before = clock.phase
            done, left = clock.update(phase, share, time.perf_counter())
            progress.update(
                task, description=f"{title}: {phase}", completed=done, left=left, refresh=clock.phase != before
            )

        yield report_progress


@contextmanager
def _notebook_bar(title: str, clock: PhaseClock) -> Iterator[ReportProgress]:
    """A bar of plain HTML: that of rich needs ipywidgets, and warns where they are missing."""
    from IPython.display import HTML, display

    shown = display(HTML(""), display_id=True)
    updated = 0.0

    def report_progress(phase: str, share: float) -> None:
        nonlocal updated
        before, now = clock.phase, time.perf_counter()
        done, left = clock.update(phase, share, now)
        if now - updated >= BETWEEN_UPDATES or clock.phase != before:
            updated = now
            words = f"{title}: {phase}, {done:.0%}, {left}"
            shown.update(HTML(f'<progress value="{done:.3f}" max="1"></progress> {escape(words)}'))

    try:
        yield report_progress
    finally:
        shown.update(HTML(""))


def _lines(title: str, clock: PhaseClock) -> ReportProgress:
    said = time.perf_counter()

    def report_progress(phase: str, share: float) -> None:
        nonlocal said
        now = time.perf_counter()
        done, left = clock.update(phase, share, now)
        if now - said >= SILENCE:
            said = now
            sys.stderr.write(f"{title}: {phase}, {done:.0%}, {left}\n")
            sys.stderr.flush()

    return report_progress


def in_notebook() -> bool:
    """Whether this runs in a Jupyter kernel."""
    return "ipykernel" in sys.modules


class PhaseClock:
    """The share of all planned phases that is done, which never decreases, and the time left."""

    def __init__(self, plan: Plan = INTEGRATING) -> None:
        self.plan, self.total = dict(plan), sum(plan.values())
        self.phase, self.done, self.share = "", 0.0, 0.0
        self.began: float | None = None
        self.phase_began = 0.0

    def update(self, phase: str, share: float, now: float) -> tuple[float, str]:
        """The share that is done, and a text on the time left, at the time `now` in seconds."""
        name = phase.split(" ")[0]
        if self.began is None:
            self.began = now
        if name != self.phase:
            self.phase, self.share, self.phase_began = name, 0.0, now
        self.share = min(max(self.share, share), 1.0)
        before, weight, after = self._around(name)
        self.done = max(self.done, (before + weight * self.share) / self.total)
        return self.done, self._time_left(now, weight, after)

    def _around(self, name: str) -> tuple[float, float, float]:
        """Planned time before a phase, of it, and after it; a phase that was not planned takes none."""
        if name not in self.plan:
            return self.done * self.total, 0.0, (1 - self.done) * self.total
        names = list(self.plan)
        times = list(self.plan.values())
        at = names.index(name)
        return sum(times[:at]), times[at], sum(times[at + 1 :])

    def _time_left(self, now: float, weight: float, after: float) -> str:
        """The pace of a phase says when it ends, that of the whole run how long the later ones take."""
        assert self.began is not None
        spent, here = now - self.began, now - self.phase_began
        if self.done <= EARLY_SHARE or spent < EARLY_SECONDS:
            return UNKNOWN
        pace = spent / (self.done * self.total)
        if self.share <= EARLY_SHARE or here < EARLY_SECONDS:
            return time_left(pace * (weight * (1 - self.share) + after))
        return time_left(here * (1 - self.share) / self.share + pace * after)


UNKNOWN = "estimating the time left"


def time_left(seconds: float) -> str:
    """The time left in words.

    >>> time_left(30.2), time_left(200), time_left(0.2)
    ('about 30 s left', 'about 3 min left', 'about 1 s left')
    """
    return f"about {max(seconds, 1):.0f} s left" if seconds < 100 else f"about {seconds / 60:.0f} min left"


def follow(states: Iterable[State], report_progress: ReportProgress) -> State:
    """Run to the end and report progress; return the last state."""
    last: State | None = None
    for last in states:
        report_progress("integrating", last.iteration / max(last.total, last.iteration, 1))
    assert last is not None
    return last
