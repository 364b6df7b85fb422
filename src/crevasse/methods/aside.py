"""A part of a run that goes on in a thread of its own, beside the rest of it."""

from __future__ import annotations

from collections.abc import Callable, Generator
from threading import Event, Thread
from types import TracebackType
from typing import Generic, TypeVar

from crevasse.methods.problem import Step

Found = TypeVar("Found")

PATIENCE = 0.05
"""Seconds between looks for Ctrl-C while the thread is waited for."""


class Aside(Generic[Found]):
    """Runs at once, and keeps its steps until they are asked for; leaving the context ends it.

    The kernels leave other threads alone, so that two parts of a run on a small map take the time of one.
    """

    def __init__(self, begin: Callable[[], Generator[Step, None, Found]]) -> None:
        self._begin = begin
        self._steps: list[Step] = []
        self._found: list[Found] = []
        self._error: BaseException | None = None
        self._stop = Event()
        # Nobody waits for it where the interpreter ends.
        self._thread = Thread(target=self._work, name="crevasse-aside", daemon=True)

    def __enter__(self) -> Aside[Found]:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()

    def steps(self) -> Generator[Step, None, Found]:
        """All its steps, and what it has found."""
        while self._thread.is_alive():
            self._thread.join(PATIENCE)
        if self._error is not None:
            raise self._error
        yield from self._steps
        return self._found[0]

    def _work(self) -> None:
        try:
            run = self._begin()
            while not self._stop.is_set():
                self._steps.append(next(run))
        except StopIteration as end:
            self._found.append(end.value)
        except BaseException as error:
            self._error = error
