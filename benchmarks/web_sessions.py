"""What 200 sessions of the page leave behind: uploads, workers and lingering sessions after all pages are closed.

python benchmarks/web_sessions.py writes benchmarks/results/web_sessions.json.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from page_client import PageClient, start_server
from record import write_record
from web_load import family

from crevasse.files.png import encode_png
from crevasse.scenes import SCENES
from crevasse.web.limits import Limits

SESSIONS = 200
READY = 1
"""Workers that the server keeps ready for the next page."""
RUN: dict[str, Any] = {"method": "graduated", "settings": {"iterations": 3, "starts": 1}, "strokes": []}


def folders(pid: int) -> list[Path]:
    """Folders of sessions that the server keeps."""
    return [path for base in Path(tempfile.gettempdir()).glob(f"crevasse-serve-{pid}-*") for path in base.iterdir()]


def workers(pid: int) -> int:
    """Processes of the server besides itself."""
    return len(family(pid)) - 1


def visit(port: int, number: int, picture: bytes) -> None:
    """One page: it drops a map; some run, some download, some leave in the middle, and every other may come back."""
    with PageClient(port, **({"resume": ""} if number % 2 else {})) as client:
        client.upload("map.png", picture)
        client.open()
        if number % 5 == 0:
            client.send("run", **RUN)
            client.until("finished")
            client.download("mesh-ply", "graduated")
        elif number % 5 == 1:
            client.send("run", **{**RUN, "settings": {"iterations": 100_000}})
            client.until("progress")


def main() -> None:
    scene = SCENES["islands"](48)
    picture = encode_png(np.rint((scene.normals + 1) / 2 * 255).astype(np.uint8), {})
    process, port = start_server()
    try:
        most = 0
        for number in range(SESSIONS):
            visit(port, number, picture)
            most = max(most, workers(process.pid))
        began = time.monotonic()
        limit = Limits().linger_seconds + 30
        while (folders(process.pid) or workers(process.pid) > READY) and time.monotonic() - began < limit:
            time.sleep(0.5)
        left = {"folders_left": len(folders(process.pid)), "workers_left": workers(process.pid) - READY}
        pid = process.pid
    finally:
        process.terminate()
        process.communicate()
    after = [str(path) for path in Path(tempfile.gettempdir()).glob(f"crevasse-serve-{pid}-*")]
    row = {"sessions": SESSIONS, "most_workers": most, **left, "folders_of_ended_server": len(after)}
    write_record("web_sessions", [row])
    print(left, after, most)


if __name__ == "__main__":
    main()
