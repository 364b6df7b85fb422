"""Start, query and kill worker processes."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import struct
import sys
from typing import Any

from crevasse.web.framing import Header, pack, read_header
from crevasse.web.limits import Limits
from crevasse.web.notice_messages import Failure

STOPPED = "the worker process ended before it answered"
INTERVAL = 0.05
"""Seconds between two tries to interrupt a worker."""


class WorkerStopped(Exception):
    """The worker process ended before it answered."""


class Refused(Exception):
    """The worker answered that it cannot do what was asked; the message is for people."""


class Worker:
    """A process that decodes and computes for one session, within its own memory limit."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.lock = asyncio.Lock()
        self.ready = False
        self.serving: asyncio.Task[Any] | None = None
        self.interruptions: set[asyncio.Future[None]] = set()

    @classmethod
    async def start(cls, limits: Limits) -> Worker:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "crevasse.web.worker",
            str(limits.memory_bytes),
            str(limits.pixels),
            str(limits.disk_bytes),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            # Libraries write complaints about damaged files there, as many as a client provokes.
            stderr=None if os.environ.get("CREVASSE_TRACEBACK") else asyncio.subprocess.DEVNULL,
        )
        return cls(process)

    async def ask(self, request: Header) -> tuple[Header, bytes]:
        """Send a request, and return the header and the whole frame of the answer.

        A cancelled caller does not cut the exchange in two: what the process does for it is interrupted, the
        exchange runs to its end, and the next one waits for it.
        """
        exchange = asyncio.ensure_future(self._exchange(request))
        try:
            return await asyncio.shield(exchange)
        except asyncio.CancelledError:
            interruption = asyncio.ensure_future(self._interrupt(exchange))
            self.interruptions.add(interruption)
            interruption.add_done_callback(self.interruptions.discard)
            raise

    async def _exchange(self, request: Header) -> tuple[Header, bytes]:
        async with self.lock:
            self.serving = asyncio.current_task()
            if not self.ready:
                await self._receive()
                self.ready = True
            await self._send(pack(request))
            frame = await self._receive()
        header = read_header(frame)
        if header["kind"] == "refused":
            raise Refused(header["message"])
        return header, frame

    async def _send(self, request: bytes) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(struct.pack("<Q", len(request)) + request)
            await self.process.stdin.drain()
        except ConnectionError as error:
            raise WorkerStopped(STOPPED) from error

    async def _receive(self) -> bytes:
        assert self.process.stdout is not None
        try:
            (length,) = struct.unpack("<Q", await self.process.stdout.readexactly(8))
            return await self.process.stdout.readexactly(length)
        except (asyncio.IncompleteReadError, ConnectionError) as error:
            raise WorkerStopped(STOPPED) from error

    async def _interrupt(self, exchange: asyncio.Future[tuple[Header, bytes]]) -> None:
        """Interrupt what the process does for one exchange, and nothing else: its map stays open.

        The signal is repeated, because a process that has not begun with the exchange ignores it.
        """
        if self.serving is not exchange:
            exchange.cancel()
        while not exchange.done():
            if self.ready and sys.platform != "win32":
                with contextlib.suppress(ProcessLookupError):
                    self.process.send_signal(signal.SIGINT)
            await asyncio.wait([exchange], timeout=INTERVAL)
        if not exchange.cancelled():
            # Retrieve the exception, so that asyncio does not log an error that was expected.
            exchange.exception()

    async def kill(self) -> None:
        """End the process at once, whatever it is doing."""
        if self.process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self.process.kill()
        await self.process.wait()


class Workers:
    """Provide workers, and keep one ready so that no page waits for imports."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.spare: asyncio.Task[Worker] | None = None

    def prepare(self) -> None:
        if self.spare is None:
            self.spare = asyncio.ensure_future(Worker.start(self.limits))

    async def take(self) -> Worker:
        self.prepare()
        spare, self.spare = self.spare, None
        assert spare is not None
        worker = await spare
        if worker.process.returncode is not None:
            worker = await Worker.start(self.limits)
        self.prepare()
        return worker

    async def close(self) -> None:
        spare, self.spare = self.spare, None
        if spare is not None:
            await (await spare).kill()


def describe_failure(error: BaseException) -> Failure:
    """Error message to the page for a failed request."""
    if isinstance(error, Refused):
        return Failure(kind="refused", message=str(error))
    if isinstance(error, WorkerStopped):
        lost = "The process that worked on this map ended; it may have needed more memory than allowed."
        return Failure(kind="lost", message=lost)
    if isinstance(error, ValueError):
        return Failure(kind="refused", message=str(error))
    return Failure(kind="refused", message=f"{type(error).__name__}: {error}")
