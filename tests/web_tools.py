"""A server and its clients for the tests of the page."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn
from websockets.sync.client import connect

from crevasse.web.app import Server, create_app
from crevasse.web.frames import unpack
from crevasse.web.guard import allowed_hosts
from crevasse.web.limits import Limits
from crevasse.web.serving import Place, open_socket

PATIENCE = 120.0
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
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        link.request(verb, path, body, headers or {})
        answer = link.getresponse()
        return answer.status, answer.read(), {name.lower(): value for name, value in answer.getheaders()}


@contextmanager
def running(limits: Limits | None = None, shown: Path | None = None) -> Iterator[Running]:
    with open_socket(Place()) as listener:
        port = listener.getsockname()[1]
        guard = create_app(allowed_hosts(port), limits, shown)
        config = uvicorn.Config(guard, log_level="warning", timeout_graceful_shutdown=1)
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


class Client:
    """What the page does, without a browser."""

    def __init__(self, server: Running, **options: Any) -> None:
        self.server = server
        address = f"ws://127.0.0.1:{server.port}/session"
        self.socket = connect(address, max_size=None, compression=None, **options).__enter__()
        self.hello = self.next()[0]

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    @property
    def token(self) -> str:
        return str(self.hello.get("session"))

    def send(self, kind: str, **fields: Any) -> None:
        self.socket.send(json.dumps({"kind": kind, **fields}))

    def next(self) -> tuple[dict[str, Any], dict[str, Any]]:
        message = self.socket.recv(timeout=PATIENCE)
        return (json.loads(message), {}) if isinstance(message, str) else unpack(message)

    def until(self, *kinds: str) -> tuple[dict[str, Any], dict[str, Any]]:
        """The next message of one of these kinds; the page's acknowledgements are sent on the way."""
        while True:
            header, arrays = self.next()
            if "heights" in arrays:
                self.send("drawn")
            if header["kind"] in kinds:
                return header, arrays
            assert header["kind"] not in ("refused", "lost", "full", "finished"), header

    def open(self, **fields: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        self.send("open", **fields)
        return self.until("map")

    def upload(self, name: str, data: bytes) -> tuple[int, dict[str, Any]]:
        status, body, _ = self.server.request("PUT", f"/session/{self.token}/files?name={name}", data)
        return status, json.loads(body)

    def download(self, what: str, result: str) -> bytes:
        status, body, _ = self.server.request("GET", f"/session/{self.token}/download/{what}?result={result}")
        assert status == 200, body
        return body

    def worker_pid(self) -> int:
        worker = self.server.server.sessions[self.token].worker
        assert worker is not None
        return worker.process.pid
