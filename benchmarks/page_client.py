"""The page's side of the server without a browser, for the tests and the record of its load."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from websockets.sync.client import connect

from crevasse.web.framing import unpack

PATIENCE = 600.0
"""Seconds to wait for what takes moments on a machine that is not busy."""
Message = tuple[dict[str, Any], dict[str, Any]]


def start_server(
    port: int = 0, *options: str, preexec: Callable[[], None] | None = None
) -> tuple[subprocess.Popen[str], int]:
    """`crevasse serve` in a process of its own, ready to be asked, and its port."""
    return start_server_telling("--port", str(port), *options, preexec=preexec)[:2]


def start_server_telling(
    *options: str, preexec: Callable[[], None] | None = None
) -> tuple[subprocess.Popen[str], int, str]:
    """`crevasse serve` on any free port; also the first line that it prints."""
    command = [
        str(Path(sys.executable).with_name("crevasse")),
        "serve",
        "--port",
        "0",
        "--no-browser",
        *options,
    ]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, preexec_fn=preexec)
    assert process.stderr is not None
    told = process.stderr.readline()
    assert "http://127.0.0.1:" in told, told
    return process, int(told.partition("127.0.0.1:")[2].partition("/")[0]), told


def request(
    port: int, verb: str, path: str, body: Any = None, headers: dict[str, str] | None = None
) -> tuple[int, bytes, dict[str, str]]:
    """Status, body and headers of the server's answer."""
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    with closing(link):
        link.request(verb, path, body, {"Origin": f"http://127.0.0.1:{port}", **(headers or {})})
        with link.getresponse() as answer:
            return answer.status, answer.read(), {name.lower(): value for name, value in answer.getheaders()}


class PageClient:
    """What the page does: a session with its socket, uploads and downloads."""

    def __init__(self, port: int, **options: Any) -> None:
        self.port = port
        resume = options.pop("resume", None)
        query = "" if resume is None else f"?resume={resume}"
        address = f"ws://127.0.0.1:{port}/session{query}"
        options = {"origin": f"http://127.0.0.1:{port}", **options}
        self.socket = connect(address, max_size=None, compression=None, **options).__enter__()
        self.hello = self.next()[0]

    def __enter__(self) -> PageClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    @property
    def token(self) -> str:
        return str(self.hello.get("session"))

    def send(self, kind: str, **fields: Any) -> None:
        self.socket.send(json.dumps({"kind": kind, **fields}))

    def next(self) -> Message:
        message = self.socket.recv(timeout=PATIENCE)
        return (json.loads(message), {}) if isinstance(message, str) else unpack(message)

    def until(self, *kinds: str) -> Message:
        """The next message of one of these kinds; the page's acknowledgements are sent on the way."""
        while True:
            header, arrays = self.next()
            if "heights" in arrays:
                self.send("drawn")
            if header["kind"] in kinds:
                return header, arrays
            assert header["kind"] not in ("refused", "lost", "full", "finished"), header

    def open(self, **fields: Any) -> Message:
        self.send("open", **fields)
        return self.until("map")

    def upload(self, name: str, data: bytes) -> tuple[int, dict[str, Any]]:
        status, body, _ = request(self.port, "PUT", f"/session/{self.token}/files?name={name}", data)
        return status, json.loads(body)

    def download(self, what: str, result: str) -> bytes:
        status, body, _ = request(self.port, "GET", f"/session/{self.token}/download/{what}?result={result}")
        assert status == 200, body
        return body
