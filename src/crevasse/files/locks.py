"""Locks on folders that end with the process that holds them."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from crevasse.files.errors import BadOutput, Busy
from crevasse.files.pixels import describe

INTERVAL = 0.05
"""Seconds between two tries to get a lock."""


@contextmanager
def locked(path: Path, refusal: str, shared: bool = False, patience: float = 0.0) -> Iterator[None]:
    """Hold the lock on a file; the last holder removes the file.

    The operating system releases the lock when the process ends, however it ends. A file that a killed process
    left behind locks nothing.

    Parameters
    ----------
    path : the file; its folder must exist
    refusal : what `Busy` says when another process holds the lock
    shared : whether others that share it may hold the lock too (without effect on Windows, which excludes nobody)
    patience : seconds to wait for another process
    """
    stream = _acquire(path, shared, time.monotonic() + patience)
    if stream is None:
        raise Busy(refusal)
    try:
        yield
    finally:
        # A file that others still share must stay; on Windows an open file cannot be removed.
        if os.name != "nt" and _lock(stream, shared=False):
            path.unlink(missing_ok=True)
        os.close(stream)
        if os.name == "nt" and not shared:
            _remove_on_windows(path)


def _acquire(path: Path, shared: bool, end: float) -> int | None:
    """A descriptor that holds the lock, or None on a timeout."""
    while True:
        try:
            stream = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as error:
            raise BadOutput(f"{path} cannot be written: {describe(error)}") from None
        # The last holder may have removed the file between opening and locking; a removed file locks nothing.
        if _lock(stream, shared) and _is_at(stream, path):
            return stream
        os.close(stream)
        if path.exists():
            if time.monotonic() >= end:
                return None
            time.sleep(INTERVAL)


def _is_at(stream: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(stream), os.stat(path))
    except OSError:
        return False


def _lock(stream: int, shared: bool) -> bool:
    """Try to lock an open file."""
    if os.name == "nt":
        return _lock_on_windows(stream, shared)
    import fcntl

    try:
        fcntl.flock(stream, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        # The file system has no locks: writing without one is better than waiting for ever.
        return True
    return True


def _lock_on_windows(stream: int, shared: bool) -> bool:
    import msvcrt

    try:
        if not shared:
            msvcrt.locking(stream, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
    except OSError:
        return False
    return True


def _remove_on_windows(path: Path) -> None:
    with suppress(OSError):
        path.unlink(missing_ok=True)
