"""The page's server against other sites, large files and clients that vanish."""

from __future__ import annotations

import http.client
import os
import signal
import struct
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from page_client import PATIENCE, PageClient, request, start_server, start_server_telling
from web_tools import LONG_RUN, Client, Running, running, wait_until
from websockets.exceptions import InvalidStatus

from crevasse.web.limits import Limits
from crevasse.web.serving import Place, open_socket


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running(Limits(upload_bytes=100_000, pixels=300_000, sessions=3, runs=1)) as one:
        yield one


def alive(pid: int) -> bool:
    """Whether a process runs; one that only waits to be collected does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc to look at processes")


def test_only_this_machine_can_connect() -> None:
    with open_socket(Place()) as listener:
        assert listener.getsockname()[0] == "127.0.0.1"


def test_a_foreign_host_is_refused(server: Running) -> None:
    for host in ("evil.example", f"evil.example:{server.port}", "127.0.0.1", f"127.0.0.1.evil.example:{server.port}"):
        status, body, _ = server.request("GET", "/", headers={"Host": host})
        assert status == 403
        assert b"<html" not in body
    assert server.request("GET", "/")[0] == 200


def test_a_foreign_origin_is_refused(server: Running) -> None:
    with Client(server) as client:
        path = f"/session/{client.token}/files?name=a.png"
        for origin in ("http://evil.example", "null", "https://127.0.0.1", f"http://localhost:{server.port}"):
            assert server.request("PUT", path, b"x", {"Origin": origin})[0] == 403
        assert server.request("PUT", path, b"x", {"Origin": f"http://127.0.0.1:{server.port}"})[0] == 200


def test_a_foreign_site_gets_no_socket(server: Running) -> None:
    with pytest.raises(InvalidStatus) as caught:
        Client(server, origin="http://evil.example")
    assert caught.value.response.status_code == 403
    with pytest.raises(InvalidStatus):
        Client(server, additional_headers={"Origin": "null"})
    with Client(server, origin=f"http://127.0.0.1:{server.port}") as client:
        assert client.hello["kind"] == "hello"


def test_answers_keep_the_page_to_itself(server: Running) -> None:
    headers = server.request("GET", "/")[2]
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy and "script-src 'self'" in policy and "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert "access-control-allow-origin" not in headers


def test_the_page_refers_to_no_other_site(server: Running) -> None:
    for path in ("/", "/index.css"):
        text = server.request("GET", path)[1].decode()
        assert "http://" not in text and "https://" not in text and "//cdn" not in text


def test_paths_do_not_leave_the_page(server: Running) -> None:
    for path in ("/../app.py", "/%2e%2e/app.py", "/..%2fapp.py", "/examples/../../app.py"):
        assert server.request("GET", path)[0] == 404


def test_an_announced_upload_that_is_too_large_is_refused(server: Running) -> None:
    with Client(server) as client:
        status, answer = client.upload("big.png", bytes(100_001))
        assert status == 413
        assert "big.png is larger" in answer["message"]
        session = server.server.sessions[client.token]
        assert not session.uploads.names and not list(session.folder.rglob("*.png"))


def test_an_unannounced_upload_that_is_too_large_is_cut_off(server: Running) -> None:
    with Client(server) as client:
        chunks = (bytes(20_000) for _ in range(20))
        origin = {"Origin": f"http://127.0.0.1:{server.port}"}
        with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)) as link:
            link.request("PUT", f"/session/{client.token}/files?name=big.png", chunks, origin, encode_chunked=True)
            assert link.getresponse().status == 413
        session = server.server.sessions[client.token]
        assert not session.uploads.names and not list(session.folder.rglob("*.png"))


def bomb(width: int, height: int) -> bytes:
    """A PNG of a few kilobytes that says it has this many pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = zlib.compress(bytes(3 * width + 1) * min(height, 500), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def peak_memory(pid: int) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) * 1024


@needs_proc
def test_too_many_pixels_are_refused_before_they_are_decoded(server: Running) -> None:
    with Client(server) as client:
        client.open(example="islands")
        before = peak_memory(client.worker_pid())
        assert client.upload("bomb.png", bomb(20000, 20000))[0] == 200
        client.send("open")
        message = client.until("refused")[0]["message"]
        assert "bomb.png" in message and "memory" in message
        assert peak_memory(client.worker_pid()) < before + 200 * 2**20, "20000 x 20000 pixels would take 1.2 GB"


def test_a_little_too_many_pixels_are_refused_too(server: Running) -> None:
    with Client(server) as client:
        client.upload("map.png", bomb(700, 500))
        client.send("open")
        assert client.until("refused")[0]["message"]


@needs_proc
def test_a_worker_that_needs_too_much_memory_says_so_and_nothing_else_breaks() -> None:
    with running(Limits(memory_bytes=1_000_000_000)) as server, Client(server) as client, Client(server) as other:
        other.open(example="islands")
        field = np.zeros((3600, 3600, 3), np.float32)
        field[..., 2] = 1
        data = b"\x93NUMPY\x01\x00" + _npy_header(field) + field.tobytes()
        assert client.upload("map.npy", data)[0] == 200
        client.send("open")
        header, _ = client.until("refused", "lost", "map")
        assert "memory" in header.get("message", "")
        assert client.open(example="islands")[0]["pixels"] > 0
        other.send("run", method="poisson", settings={}, strokes=[])
        assert other.until("finished")[0]["usable"]


def _npy_header(array: np.ndarray) -> bytes:
    text = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {array.shape}, }}"
    text += " " * (-(len(text) + 11) % 64) + "\n"
    return struct.pack("<H", len(text)) + text.encode()


@needs_proc
def test_files_are_decoded_in_another_process(server: Running) -> None:
    with Client(server) as client:
        client.open(example="islands")
        assert client.worker_pid() != os.getpid()
        assert "crevasse.web.worker" in Path(f"/proc/{client.worker_pid()}/cmdline").read_text()


def test_temporary_files_go_with_the_session(server: Running) -> None:
    with Client(server) as client:
        client.upload("K.txt", b"1 0 0\n0 1 0\n0 0 1\n")
        client.open(example="islands")
        client.send("run", method="poisson", settings={}, strokes=[])
        client.until("finished")
        client.download("mesh-ply", "poisson")
        folder = server.server.sessions[client.token].folder
        assert (folder / "input" / "K.txt").exists()
        wait_until(lambda: not list(folder.rglob("*.ply")), "the downloaded file is removed")
    wait_until(lambda: not folder.exists(), "the session's folder is removed")


def test_temporary_files_go_with_the_server() -> None:
    with running() as one, Client(one) as client:
        client.upload("K.txt", b"1 0 0\n0 1 0\n0 0 1\n")
        folder = one.server.folder
        assert folder is not None and folder.exists()
    assert not folder.exists()


def test_a_server_clears_up_after_one_that_was_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    dead, alive_one = tmp_path / f"crevasse-serve-{ended.pid}-a", tmp_path / f"crevasse-serve-{os.getppid()}-a"
    for folder in (dead, alive_one, tmp_path / "crevasse-serve-other"):
        folder.mkdir()
    with running():
        assert not dead.exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([alive_one.name, "crevasse-serve-other"])


def test_stopping_the_server_is_no_error() -> None:
    process, port = start_server()
    assert request(port, "GET", "/")[0] == 200
    process.send_signal(signal.SIGINT)
    assert "Stopped." in process.communicate(timeout=PATIENCE)[1]
    assert process.returncode == 0


@needs_proc
def test_a_client_that_vanishes_leaves_no_run_behind(server: Running) -> None:
    client = Client(server)
    client.open(example="islands")
    client.send("run", **LONG_RUN)
    client.until("progress")
    pid = client.worker_pid()
    assert server.server.queue.free == 0
    client.socket.socket.close()
    wait_until(lambda: not alive(pid), "the worker has ended")
    wait_until(lambda: server.server.queue.free == 1, "its turn is given back")


def test_runs_wait_for_their_turn_and_can_be_cancelled(server: Running) -> None:
    with Client(server) as first, Client(server) as second:
        first.open(example="islands")
        second.open(example="islands")
        first.send("run", **LONG_RUN)
        first.until("progress")
        second.send("run", method="poisson", settings={}, strokes=[])
        assert second.until("queued")[0]["place"] == 1
        first.send("cancel")
        first.until("cancelled")
        assert second.until("finished")[0]["result"] == "poisson"


def test_a_paused_run_lets_others_go_first(server: Running) -> None:
    with Client(server) as first, Client(server) as second:
        first.open(example="islands")
        first.send("run", **LONG_RUN)
        first.until("progress")
        first.send("pause")
        first.until("paused")
        second.open(example="islands")
        second.send("run", method="poisson", settings={}, strokes=[])
        assert second.until("finished")


def test_no_session_can_read_files_of_another(server: Running) -> None:
    with Client(server) as first, Client(server) as second:
        first.open(example="islands")
        first.send("run", method="poisson", settings={}, strokes=[])
        first.until("finished")
        assert first.token != second.token and len(first.token) >= 32
        assert server.request("GET", f"/session/{second.token}/download/depth-npy?result=poisson")[0] == 400
        guess = first.token[:-1] + ("A" if first.token[-1] != "A" else "B")
        assert server.request("GET", f"/session/{guess}/download/depth-npy?result=poisson")[0] == 404
        assert server.request("PUT", f"/session/{guess}/files?name=a.png", b"x")[0] == 404


def test_too_many_pages_are_turned_away(server: Running) -> None:
    clients = [Client(server) for _ in range(3)]
    try:
        with Client(server) as late:
            assert late.hello["kind"] == "full"
    finally:
        for client in clients:
            client.socket.close()
    wait_until(lambda: not server.server.sessions, "the pages have gone")
    with Client(server) as again:
        assert again.hello["kind"] == "hello"


def test_messages_name_the_users_file_and_no_path_of_the_server(server: Running) -> None:
    with Client(server) as client:
        client.upload("holiday.png", b"this is no picture")
        client.send("open")
        message = client.until("refused")[0]["message"]
        assert "holiday.png" in message
        assert "/tmp" not in message and str(server.server.folder) not in message


def test_a_client_without_an_origin_gets_no_session(server: Running) -> None:
    with pytest.raises(InvalidStatus) as caught:
        Client(server, origin=None)
    assert caught.value.response.status_code == 403
    with Client(server) as client, closing(http.client.HTTPConnection("127.0.0.1", server.port)) as link:
        link.request("PUT", f"/session/{client.token}/files?name=a.png", b"x")
        assert link.getresponse().status == 403
        assert not server.server.sessions[client.token].uploads.names


def test_refusals_carry_the_headers_of_the_page(server: Running) -> None:
    headers = server.request("GET", "/", headers={"Host": "evil.example"})[2]
    assert headers["x-content-type-options"] == "nosniff"
    assert "default-src 'none'" in headers["content-security-policy"]


def test_an_uploaded_file_cannot_read_other_files(server: Running, tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    side, secret = 24, tmp_path / "secret.txt"
    secret.write_bytes(b"correct horse battery staple. " * 40)
    with h5py.File(tmp_path / "depth_gt.mat", "w") as file:
        file.create_dataset("depth", (side, side), "u1", external=[(str(secret), 0, side * side)])
    np.save(tmp_path / "normal_map.npy", np.full((side, side, 3), [0.0, 0.6, 0.8]))
    with Client(server) as client:
        for name in ("normal_map.npy", "depth_gt.mat"):
            assert client.upload(name, (tmp_path / name).read_bytes())[0] == 200
        client.send("open")
        assert "another file" in client.until("map", "refused")[0]["message"]


def test_a_server_for_other_machines_requires_its_token() -> None:
    process, port, told = start_server_telling("--host", "0.0.0.0")
    try:
        token = told.partition("?token=")[2].split()[0]
        assert len(token) >= 32
        assert request(port, "GET", "/")[0] == 403
        assert request(port, "GET", "/?token=guess")[0] == 403
        with pytest.raises(InvalidStatus):
            PageClient(port)
        status, _, headers = request(port, "GET", f"/?token={token}")
        assert (status, headers["location"]) == (303, "/")
        cookie = headers["set-cookie"].partition(";")[0]
        assert "HttpOnly" in headers["set-cookie"] and "SameSite=Strict" in headers["set-cookie"]
        assert b"<html" in request(port, "GET", "/", headers={"Cookie": cookie})[1]
        with PageClient(port, additional_headers={"Cookie": cookie}) as client:
            assert client.hello["kind"] == "hello"
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)


def test_a_server_for_this_machine_needs_no_token() -> None:
    assert all(Place(host).loopback for host in ("127.0.0.1", "127.0.0.2", "localhost", "::1"))
    assert not any(Place(host).loopback for host in ("0.0.0.0", "::", "192.168.1.4", "lab-pc"))


def test_maps_are_taken_up_to_the_limit_of_pixels() -> None:
    side = 540
    rows, columns = np.mgrid[:side, :side] / side - 0.5
    normals = np.stack([columns, -rows, np.sqrt(1 - rows**2 - columns**2)], axis=-1)
    from crevasse.files.png import encode_png

    data = encode_png(np.rint((normals + 1) / 2 * 255).astype(np.uint8), {})
    with running(Limits(pixels=side * side)) as roomy, Client(roomy) as client:
        assert client.upload("map.png", data)[0] == 200
        client.send("open")
        header = client.until("map", "refused")[0]
        assert header["kind"] == "map" and header["size"] == [side, side], header
