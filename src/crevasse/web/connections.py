"""Limit connections: their number, and the time that slow clients may take."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_SECONDS = 10.0
"""Time for a client to send the head of a request, from when the server starts waiting for it."""
READING_SECONDS = 60.0
"""Time for a client to receive an answer before the connection is dropped."""
RESERVED_FILES = 64
"""Descriptors for the workers' pipes, uploads and the page's files."""


class BoundedProtocol(H11Protocol):
    """uvicorn's HTTP protocol with the limits that it lacks: on connections, and on waiting for clients."""

    most = 256
    request_seconds = REQUEST_SECONDS
    deadline: asyncio.TimerHandle | None = None
    stalled: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        if len(self.connections) > self.most:
            transport.abort()
        else:
            self._await_request()

    def connection_lost(self, error: Exception | None) -> None:
        self._cancel()
        super().connection_lost(error)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        # A request that is complete up to its body has a cycle; from then on the application waits, not we.
        if self.cycle is not None and not self.cycle.response_complete and self.deadline is not None:
            self.deadline.cancel()
            self.deadline = None

    def handle_websocket_upgrade(self, *given: Any) -> None:
        self._cancel()
        super().handle_websocket_upgrade(*given)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self.transport.is_closing():
            self._await_request()

    def pause_writing(self) -> None:
        super().pause_writing()
        self.stalled = self.loop.call_later(READING_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self.stalled is not None:
            self.stalled.cancel()

    def _await_request(self) -> None:
        if self.deadline is not None:
            self.deadline.cancel()
        self.deadline = self.loop.call_later(self.request_seconds, self.transport.abort)

    def _cancel(self) -> None:
        for timer in (self.deadline, self.stalled):
            if timer is not None:
                timer.cancel()
        self.deadline = self.stalled = None


def bounded_protocol(most: int, request_seconds: float = REQUEST_SECONDS) -> type[BoundedProtocol]:
    """The protocol with at most so many connections, fewer where the system allows fewer open files."""
    return type(
        "BoundedProtocol",
        (BoundedProtocol,),
        {"most": min(most, max(8, (_open_files() - RESERVED_FILES) // 2)), "request_seconds": request_seconds},
    )


def _open_files() -> int:
    """How many files this process may have open."""
    try:
        import resource
    except ImportError:
        return 1024
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return soft if soft > 0 else 1 << 16
