"""Load on the page's server: 20 clients at once, three of them running; and how soon surfaces are seen.

python benchmarks/web_load.py writes benchmarks/results/web_load.json.
"""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
from page_client import PageClient, start_server
from record import write_record

from crevasse.files.png import encode_png
from crevasse.scenes import SCENES
from crevasse.web.describe import EXAMPLES

CLIENTS, RUNS = 20, 3
LOADED = ("islands", "shingles", "comb")
SIZES = (512, 1024, 4096)


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


def run_one(client: PageClient, example: str, outcome: dict[int, Any], number: int) -> None:
    began = time.perf_counter()
    client.send("open", example=example)
    opened = client.until("map")[0]
    asked = time.perf_counter()
    client.send("run", method="graduated", settings={}, strokes=[])
    first = client.until("surface")[0]
    seen = time.perf_counter() - asked
    last, arrays = client.until("finished")
    outcome[number] = {
        "example": example,
        "opened": opened["name"],
        "result": first["result"],
        "first_surface_seconds": round(seen, 3),
        "seconds": round(time.perf_counter() - began, 3),
        "heights": np.where(arrays["heights"] > -1e29, arrays["heights"], 0).sum(dtype=float),
        "error": last["error"],
    }


def alone(port: int, example: str) -> dict[str, Any]:
    """What one client gets that has the server to itself."""
    outcome: dict[int, Any] = {}
    client = PageClient(port)
    run_one(client, example, outcome, 0)
    client.socket.close()
    return outcome[0]


def measure_load(port: int, pid: int) -> dict[str, Any]:
    expected = {example: alone(port, example) for example in LOADED}
    time.sleep(2)
    before = memory(pid)
    clients = [PageClient(port) for _ in range(CLIENTS)]
    outcome: dict[int, Any] = {}
    threads = [
        threading.Thread(target=run_one, args=(clients[k], LOADED[k % len(LOADED)], outcome, k)) for k in range(RUNS)
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
    clients = [PageClient(port) for _ in range(CLIENTS)]
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


def measure_first_surfaces(port: int) -> dict[str, Any]:
    """From the press of Integrate to the Poisson surface, for each example, with the server to itself."""
    seconds = {}
    for example in EXAMPLES:
        with PageClient(port) as client:
            client.open(example=example)
            asked = time.perf_counter()
            client.send("run", method="graduated", settings={}, strokes=[])
            client.until("surface")
            seconds[example] = round(time.perf_counter() - asked, 3)
    return {"case": "press of Integrate to the first surface", "seconds": seconds}


def measure_size(port: int, size: int) -> dict[str, Any]:
    """From the drop of a map of this size to its first surfaces."""
    client = PageClient(port)
    data = encoded(size)
    began = time.perf_counter()
    client.upload("map.png", data)
    uploaded = time.perf_counter()
    client.send("open", side=512)
    header, _ = client.until("map")
    opened = time.perf_counter()
    client.send("run", method="graduated", settings={}, strokes=[])
    surface, preview = client.until("surface")
    first = time.perf_counter()
    client.until("progress", "finished")
    live = time.perf_counter()
    client.send("cancel")
    client.until("cancelled")
    client.open(example="islands")
    freed = time.perf_counter()
    client.socket.close()
    return {
        "case": f"{size} x {size}, 16-bit PNG, dropped",
        "upload_seconds": round(uploaded - began, 2),
        "open_seconds": round(opened - uploaded, 2),
        "poisson_seconds": round(first - opened, 2),
        "poisson_in_preview_size": surface["coarse"],
        "first_iterations_seconds": round(live - first, 2),
        "cancelled_and_another_map_open_seconds": round(freed - live, 2),
        "preview_pixels": int(preview["heights"].size),
        "preview_megabytes": round(preview["heights"].nbytes / 2**20, 2),
        "step": header["step"],
    }


def encoded(size: int) -> bytes:
    """A smooth map of this size as a 16-bit PNG."""
    normals = np.tile(SCENES["smooth"](512).normals, (size // 512, size // 512, 1))
    return encode_png(np.rint((normals + 1) / 2 * 65535).astype(np.uint16), {})


def main() -> None:
    load = f"{os.getloadavg()[0]:.1f}"
    server, port = start_server(0, "--max-runs", str(RUNS))
    assert server.stderr is not None
    threading.Thread(target=server.stderr.read, daemon=True).start()
    try:
        rows = [measure_load(port, server.pid)]
        print(rows[-1], flush=True)
        rows.append(measure_queue(port))
        print(rows[-1], flush=True)
        rows.append(measure_first_surfaces(port))
        print(rows[-1], flush=True)
        for size in SIZES:
            rows.append(measure_size(port, size))
            print(rows[-1], flush=True)
    finally:
        server.terminate()
        server.wait()
    print(write_record("web_load", rows, load_average_before=load))


if __name__ == "__main__":
    main()
