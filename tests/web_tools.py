"""A server in this process and its clients, for the tests of the page."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn
from page_client import PATIENCE, PageClient, request

from crevasse.web.app import Server, create_app
from crevasse.web.connections import bounded_protocol
from crevasse.web.guard import allowed_hosts
from crevasse.web.limits import Limits
from crevasse.web.serving import Place, open_socket

LONG_RUN = {"method": "graduated", "settings": {"iterations": 100_000}, "strokes": []}
"""A run that ends by itself only long after the test."""


@dataclass
class Running:
    """A server in a thread of its own."""

    port: int
    server: Server

    def request(
        self, verb: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> tuple[int, bytes, dict[str, str]]:
        return request(self.port, verb, path, body, headers)


@contextmanager
def running(
    limits: Limits | None = None, preloaded: Path | None = None, request_seconds: float = PATIENCE
) -> Iterator[Running]:
    """A server; a machine that is busy may let a client wait long before it can send the head of its request."""
    with open_socket(Place()) as listener:
        port = listener.getsockname()[1]
        guard = create_app(allowed_hosts(port), limits, preloaded)
        protocol = bounded_protocol((limits or Limits()).connections, request_seconds)
        config = uvicorn.Config(guard, http=protocol, log_level="warning", timeout_graceful_shutdown=1)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        wait_until(lambda: server.started, "the server has started")
        try:
            yield Running(port, guard.app.state.server)  # type: ignore[attr-defined]
        finally:
            server.should_exit = True
            thread.join()


def wait_until(condition: Callable[[], Any], what: str) -> None:
    """Wait for something that happens in another thread or process."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f"waited in vain until {what}"
        time.sleep(0.02)


class Client(PageClient):
    """A page of a server that runs in this process."""

    def __init__(self, server: Running, **options: Any) -> None:
        super().__init__(server.port, **options)
        self.server = server

    def worker_pid(self) -> int:
        worker = self.server.server.sessions[self.token].worker
        assert worker is not None
        return worker.process.pid
