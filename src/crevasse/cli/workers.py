"""A pool of worker processes that survives the crash of a worker and ends with its parent.

In `concurrent.futures.ProcessPoolExecutor` the death of one worker fails all tasks that have not finished; here it
fails the worker's own task, whose error names the signal.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple

_SPAWN = multiprocessing.get_context("spawn")


class Finished(NamedTuple):
    """A task that ended: its number, and its result or the reason why there is none."""

    task: int
    result: Any
    error: str | None


class _Worker:
    """A process with a pipe, and the task it works on."""

    def __init__(self, work: Callable[[Any], Any]) -> None:
        self.pipe, theirs = _SPAWN.Pipe()
        self.process = _SPAWN.Process(target=_serve, args=(theirs, work), daemon=True)
        self.process.start()
        theirs.close()
        self.task: int | None = None

    def give(self, number: int, task: Any) -> None:
        self.task = number
        self.pipe.send(task)

    def end(self) -> None:
        self.pipe.close()
        self.process.join(0.2)
        if self.process.is_alive():
            self.process.terminate()
            self.process.join(2)
        if self.process.is_alive():
            self.process.kill()


def run_tasks(work: Callable[[Any], Any], tasks: Sequence[Any], count: int) -> Iterator[Finished]:
    """Run each task in one of `count` processes; yields them in the order in which they finish.

    `work` takes a task and returns its result; an exception's text becomes the task's error, and so does the death
    of its process.
    """
    waiting = list(enumerate(tasks))[::-1]
    workers = [_Worker(work) for _ in range(min(count, len(tasks)))]
    try:
        for worker in workers:
            worker.give(*waiting.pop())
        while any(worker.task is not None for worker in workers):
            busy = {worker.pipe: worker for worker in workers if worker.task is not None}
            for pipe in wait(list(busy)):
                assert isinstance(pipe, Connection)
                worker = busy[pipe]
                yield _receive(worker)
                worker.task = None
                if not worker.process.is_alive() or worker.process.exitcode is not None:
                    workers.remove(worker)
                    if waiting:
                        workers.append(worker := _Worker(work))
                if waiting:
                    worker.give(*waiting.pop())
    finally:
        for worker in workers:
            worker.end()


def _receive(worker: _Worker) -> Finished:
    """The answer of a worker, or an error if the worker died."""
    assert worker.task is not None
    try:
        result, error = worker.pipe.recv()
        return Finished(worker.task, result, error)
    except (EOFError, OSError):
        worker.process.join()
        code = worker.process.exitcode or 0
        reason = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        return Finished(worker.task, None, f"the worker process died ({reason}); the map may need too much memory")


def _serve(pipe: Connection, work: Callable[[Any], Any]) -> None:
    """Main loop of a worker: take tasks until the pipe closes or the parent dies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda number, frame: os._exit(143))
    threading.Thread(target=_watch_parent, daemon=True).start()
    while True:
        try:
            task = pipe.recv()
        except (EOFError, OSError):
            return
        answer: tuple[Any, str | None]
        try:
            answer = work(task), None
        except Exception as error:  # The batch goes on; the error is reported with its map.
            answer = None, str(error) or type(error).__name__
        try:
            pipe.send(answer)
        except OSError:
            return


def _watch_parent() -> None:
    """Exit at once when the parent dies, so that an orphan never writes at the same time as its successor."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
