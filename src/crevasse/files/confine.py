"""Limit the resources of a process that reads untrusted files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager


def limit_resources(*, memory: int | None = None, file_size: int | None = None, seconds: int | None = None) -> None:
    """Limit address space (bytes), the size of written files (bytes) and CPU time; leave no core file.

    A limit that is already stricter stays. Where the system has no such limits, nothing happens.
    """
    try:
        import resource
    except ImportError:
        return
    wanted = {
        resource.RLIMIT_AS: memory,
        resource.RLIMIT_FSIZE: file_size,
        resource.RLIMIT_CPU: seconds,
        resource.RLIMIT_CORE: 0,
    }
    for which, value in wanted.items():
        if value is not None:
            lowest = _lowest(value, *resource.getrlimit(which))
            resource.setrlimit(which, (lowest, lowest))


@contextmanager
def limited_time(seconds: int) -> Iterator[None]:
    """End this process if the block takes more CPU time than this, where the system supports it."""
    try:
        import resource
    except ImportError:
        yield
        return
    before = resource.getrlimit(resource.RLIMIT_CPU)
    usage = resource.getrusage(resource.RUSAGE_SELF)
    allowed = int(usage.ru_utime + usage.ru_stime) + 1 + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (_lowest(allowed, *before), before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_CPU, before)


@contextmanager
def nothing_opened() -> Iterator[None]:
    """Forbid opening files within the block, where the system supports it; open files remain usable.

    Opening takes the lowest free descriptor, so a limit at that number refuses it.
    """
    try:
        import resource
    except ImportError:
        yield
        return
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    lowest = os.dup(0)
    os.close(lowest)
    resource.setrlimit(resource.RLIMIT_NOFILE, (lowest, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def _lowest(*values: int) -> int:
    """The smallest of several limits; a negative one means no limit."""
    return min(value for value in values if value >= 0)
