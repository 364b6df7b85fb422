"""The page's server against clients that hold, fill or flood it."""

from __future__ import annotations

import json
import logging
import socket
from collections.abc import Iterator

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from page_client import PATIENCE, request, start_server
from web_tools import Client, Running, running, wait_until

from crevasse.web import uploads
from crevasse.web.limits import Limits
from crevasse.web.log_limit import LONGEST, LogLimit


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    limits = Limits(upload_bytes=100_000, disk_bytes=150_000, sessions=8, connections=12, exports=1)
    with running(limits, request_seconds=1.0) as one:
        yield one


def half_a_request(port: int, text: bytes = b"GET / HTTP/1.1\r\nHost: 127.0.0.1") -> socket.socket:
    link = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    link.sendall(text)
    return link


def is_closed(link: socket.socket) -> bool:
    """Whether the other side has ended a connection, after it said what it had to say."""
    try:
        while link.recv(4096):
            pass
    except ConnectionError:
        pass
    return True


def test_half_a_request_is_given_up(server: Running) -> None:
    for text in (b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"):
        with half_a_request(server.port, text) as link:
            assert is_closed(link)


def test_a_request_that_trickles_in_is_dropped(server: Running) -> None:
    with half_a_request(server.port) as link, pytest.raises(OSError):
        wait_until(lambda: link.sendall(b"x"), "the server hangs up")


def test_half_sent_requests_do_not_silence_the_page(server: Running) -> None:
    links = [half_a_request(server.port) for _ in range(40)]
    try:
        wait_until(lambda: answers(server.port), "the page answers again")
    finally:
        for link in links:
            link.close()


def answers(port: int) -> bool:
    try:
        return request(port, "GET", "/")[0] == 200
    except OSError:
        return False


def test_half_sent_requests_do_not_silence_a_server_with_few_descriptors() -> None:
    process, port = start_server(0, preexec=few_descriptors)
    links = []
    try:
        for _ in range(130):
            links.append(half_a_request(port))
        wait_until(lambda: answers(port), "the page answers again")
    finally:
        for link in links:
            link.close()
        process.kill()
        process.communicate()


def few_descriptors() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_NOFILE, (128, 128))


def test_a_slow_upload_is_cancelled(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "SECONDS", 0.3)
    with Client(server) as client:
        head = (
            f"PUT /session/{client.token}/files?name=a.png HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
            f"Origin: http://127.0.0.1:{server.port}\r\nContent-Length: 1000\r\n\r\n"
        )
        with half_a_request(server.port, head.encode() + b"some") as link:
            assert b" 408 " in link.recv(4096)
        session = server.server.sessions[client.token]
        wait_until(lambda: not session.uploads.names, "nothing of it is left")


def test_all_uploads_together_have_a_limit(server: Running) -> None:
    with Client(server) as first, Client(server) as second:
        assert first.upload("a.png", bytes(90_000))[0] == 200
        status, answer = second.upload("a.png", bytes(90_000))
        assert status == 507 and "no room" in answer["message"]
        assert first.upload("a.png", bytes(80_000))[0] == 200, "an upload makes room for its successor"
        assert second.upload("a.png", bytes(60_000))[0] == 200
    wait_until(lambda: server.server.stored == 0, "the sessions' room is given back")


def test_a_vanished_upload_leaves_nothing_and_logs_nothing(server: Running, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING), Client(server) as client:
        session = server.server.sessions[client.token]
        for _ in range(5):
            head = (
                f"PUT /session/{client.token}/files?name=a.png HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
                f"Origin: http://127.0.0.1:{server.port}\r\nContent-Length: 1000\r\n\r\n"
            )
            half_a_request(server.port, head.encode() + b"some").close()
        wait_until(lambda: not session.uploads.names and not session.uploads.sizes, "nothing of it is left")
        assert client.upload("b.png", b"x")[0] == 200
    assert not caplog.records


@pytest.mark.parametrize(
    "message",
    [b"\x00\x01", "[" * 100_000, '{"kind": ' * 50_000, "", "3", '{"kind": ["open"]}'],
    ids=["binary", "nested lists", "nested objects", "empty", "a number", "a list as kind"],
)
def test_nonsense_is_answered_and_the_session_goes_on(
    server: Running, message: str | bytes, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING), Client(server) as client:
        client.socket.send(message)
        assert "unknown request" in client.until("refused")[0]["message"]
        assert client.open(example="islands")[0]["kind"] == "map"
    assert not caplog.records


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": "open", "side": "x"},
        {"kind": "open", "side": 1e999},
        {"kind": "open", "without": 5},
        {"kind": "open", "options": [1]},
        {"kind": "run", "method": "poisson", "strokes": [3]},
        {"kind": "run", "method": "graduated", "settings": {"iterations": "x"}, "strokes": []},
        {"kind": "run", "method": {}, "settings": 7},
        {"kind": "snippet", "result": {"a": 1}},
    ],
    ids=lambda fields: json.dumps(fields)[:60],
)
def test_wrong_messages_are_refused_with_a_sentence(server: Running, fields: dict[str, object]) -> None:
    with Client(server) as client:
        client.open(example="islands")
        client.socket.send(json.dumps(fields))
        message = client.until("refused", "map")[0].get("message", "")
        assert "Traceback" not in message
        assert client.open(example="islands")[0]["kind"] == "map"


def test_one_session_cannot_pile_up_downloads(server: Running) -> None:
    with Client(server) as client:
        client.open(example="islands")
        client.send("run", method="poisson", settings={}, strokes=[])
        client.until("finished")
        session = server.server.sessions[client.token]
        session.exports = 1
        path = f"/session/{client.token}/download/depth-npy?result=poisson"
        assert request(server.port, "GET", path)[0] == 429
        session.exports = 0
        for _ in range(3):
            assert request(server.port, "GET", path)[0] == 200
            wait_until(lambda: session.exports == 0, "the download is over")
        assert request(server.port, "GET", path.replace("depth-npy", "depth-xyz"))[0] == 400
        assert session.exports == 0


def test_a_log_does_not_grow_without_bound() -> None:
    limit = LogLimit(messages=5, period=3600)
    passed = []
    for _ in range(1000):
        record = logging.LogRecord("x", logging.ERROR, "", 0, "%s", ("y" * 10_000,), None)
        if limit.filter(record):
            passed.append(record.getMessage())
    assert len(passed) == 5 and max(map(len, passed)) <= LONGEST
    limit.since -= 3600
    record = logging.LogRecord("x", logging.ERROR, "", 0, "again", (), None)
    assert limit.filter(record) and record.getMessage() == "(995 messages were left out) again"
