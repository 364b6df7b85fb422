"""Load on the page's server: 20 clients at once, three of them running; and how soon surfaces are seen.

python benchmarks/web_load.py writes benchmarks/results/web_load.json.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path
from typing import Any

import numpy as np
from record import write_record
from websockets.sync.client import connect

from crevasse.scenes import SCENES
from crevasse.web.frames import unpack

CLIENTS, RUNS = 20, 3
SETTINGS = {"starts": 1, "iterations": 30}
EXAMPLES = ("islands", "shingles", "comb")
SIZES = (512, 1024, 4096)


class Client:
    """A page without a browser."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.socket = connect(f"ws://127.0.0.1:{port}/session", max_size=None, compression=None).__enter__()
        self.token = self.next()[0]["session"]

    def send(self, kind: str, **fields: Any) -> None:
        self.socket.send(json.dumps({"kind": kind, **fields}))

    def next(self) -> tuple[dict[str, Any], dict[str, Any]]:
        message = self.socket.recv(timeout=900)
        return (json.loads(message), {}) if isinstance(message, str) else unpack(message)

    def until(self, *kinds: str) -> tuple[dict[str, Any], dict[str, Any]]:
        while True:
            header, arrays = self.next()
            if "heights" in arrays:
                self.send("drawn")
            if header["kind"] in kinds:
                return header, arrays
            if header["kind"] in ("refused", "lost", "full"):
                raise RuntimeError(header["message"])

    def upload(self, name: str, data: bytes) -> None:
        address = f"http://127.0.0.1:{self.port}/session/{self.token}/files?name={name}"
        urllib.request.urlopen(urllib.request.Request(address, data, method="PUT")).read()


def family(pid: int) -> list[int]:
    """A process and all its descendants."""
    parents: dict[int, list[int]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
            parents.setdefault(parent, []).append(int(folder.name))
    members, fresh = [pid], [pid]
    while fresh:
        fresh = [child for one in fresh for child in parents.get(one, [])]
        members += fresh
    return members


def memory(pid: int) -> float:
    """Resident memory of the server and its workers in MB, shared pages counted once (proportional set size)."""
    total = 0
    for member in family(pid):
        try:
            lines = Path(f"/proc/{member}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total / 1024


def run_one(client: Client, example: str, outcome: dict[int, Any], number: int) -> None:
    began = time.perf_counter()
    client.send("open", example=example)
    opened = client.until("map")[0]
    client.send("run", method="graduated", settings=SETTINGS, strokes=[])
    first = client.until("surface")[0]
    seen = time.perf_counter() - began
    last, arrays = client.until("finished")
    outcome[number] = {
        "example": example,
        "opened": opened["name"],
        "result": first["result"],
        "seconds_to_first_surface": round(seen, 3),
        "seconds": round(time.perf_counter() - began, 3),
        "heights": np.where(arrays["heights"] > -1e29, arrays["heights"], 0).sum(dtype=float),
        "error": last["error"],
    }


def alone(port: int, example: str) -> dict[str, Any]:
    """What one client gets that has the server to itself."""
    outcome: dict[int, Any] = {}
    client = Client(port)
    run_one(client, example, outcome, 0)
    client.socket.close()
    return outcome[0]


def measure_load(port: int, pid: int) -> dict[str, Any]:
    expected = {example: alone(port, example) for example in EXAMPLES}
    time.sleep(2)
    before = memory(pid)
    clients = [Client(port) for _ in range(CLIENTS)]
    outcome: dict[int, Any] = {}
    threads = [
        threading.Thread(target=run_one, args=(clients[k], EXAMPLES[k % len(EXAMPLES)], outcome, k))
        for k in range(RUNS)
    ]
    began, peak = time.perf_counter(), 0.0
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        peak = max(peak, memory(pid))
        time.sleep(0.2)
    seconds = time.perf_counter() - began
    same = all(
        run["opened"] == run["example"] and run["heights"] == expected[run["example"]]["heights"]
        for run in outcome.values()
    )
    for client in clients:
        client.socket.close()
    time.sleep(3)
    return {
        "case": f"{CLIENTS} clients, {RUNS} running at once",
        "cores": os.cpu_count(),
        "finished": len(outcome),
        "every_client_got_its_own_data": same,
        "seconds": round(seconds, 2),
        "seconds_alone": {name: run["seconds"] for name, run in expected.items()},
        "memory_before_mb": round(before, 1),
        "memory_peak_mb": round(peak, 1),
        "memory_after_mb": round(memory(pid), 1),
    }


def measure_queue(port: int) -> dict[str, Any]:
    """All clients run: more than there are turns for."""
    clients = [Client(port) for _ in range(CLIENTS)]
    outcome: dict[int, Any] = {}
    threads = [threading.Thread(target=run_one, args=(clients[k], "islands", outcome, k)) for k in range(CLIENTS)]
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for client in clients:
        client.socket.close()
    heights = {run["heights"] for run in outcome.values()}
    return {
        "case": f"{CLIENTS} clients run, {RUNS} at a time",
        "finished": len(outcome),
        "all_alike": len(heights) == 1,
        "seconds": round(time.perf_counter() - began, 2),
    }


def measure_size(port: int, size: int) -> dict[str, Any]:
    """From the drop of a map of this size to its first surfaces."""
    normals = np.tile(SCENES["smooth"](512).normals.astype(np.float32), (size // 512, size // 512, 1))
    client = Client(port)
    data = b"\x93NUMPY\x01\x00" + _header(size) + normals.tobytes()
    began = time.perf_counter()
    client.upload("map.npy", data)
    uploaded = time.perf_counter()
    client.send("open", side=512)
    header, _ = client.until("map")
    opened = time.perf_counter()
    client.send("run", method="graduated", settings={}, strokes=[])
    surface, preview = client.until("surface")
    first = time.perf_counter()
    client.until("progress", "finished")
    live = time.perf_counter()
    client.socket.close()
    return {
        "case": f"{size} x {size}, dropped",
        "upload_seconds": round(uploaded - began, 2),
        "open_seconds": round(opened - uploaded, 2),
        "poisson_seconds": round(first - opened, 2),
        "poisson_in_preview_size": surface["coarse"],
        "first_iterations_seconds": round(live - first, 2),
        "preview_pixels": int(preview["heights"].size),
        "preview_megabytes": round(preview["heights"].nbytes / 2**20, 2),
        "step": header["step"],
    }


def _header(size: int) -> bytes:
    text = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({size}, {size}, 3), }}"
    text += " " * (-(len(text) + 11) % 64) + "\n"
    return len(text).to_bytes(2, "little") + text.encode()


def main() -> None:
    command = [str(Path(sys.executable).with_name("crevasse")), "serve", "--port", "0", "--no-browser"]
    server = subprocess.Popen([*command, "--max-runs", str(RUNS)], stderr=subprocess.PIPE, text=True)
    assert server.stderr is not None
    port = int(server.stderr.readline().partition("127.0.0.1:")[2].partition("/")[0])
    threading.Thread(target=server.stderr.read, daemon=True).start()
    try:
        rows = [measure_load(port, server.pid)]
        print(rows[-1], flush=True)
        rows.append(measure_queue(port))
        print(rows[-1], flush=True)
        for size in SIZES:
            rows.append(measure_size(port, size))
            print(rows[-1], flush=True)
    finally:
        server.terminate()
        server.wait()
    load = f"{os.getloadavg()[0]:.1f}"
    print(write_record("web_load", rows, load_average=load))


if __name__ == "__main__":
    main()
