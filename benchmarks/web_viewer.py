"""The viewer in a browser without a graphics card: first preview, frames while orbiting, memory of the tab.

python benchmarks/web_viewer.py writes benchmarks/results/web_viewer.json. Needs Chromium. The canvas is
drawn at half scale by software GL (SwiftShader). "main" is the time that the page's thread spends on a frame, "frame"
that from one drawn frame to the next, which includes the software rasteriser.
"""

from __future__ import annotations

import os
import statistics
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
from page_client import start_server
from playwright.sync_api import Page, sync_playwright
from record import write_record
from web_load import family

from crevasse.files.png import encode_png
from crevasse.scenes import SCENES

CHROMIUM = os.environ.get("CREVASSE_CHROMIUM", "/usr/bin/chromium")
ARGUMENTS = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--no-sandbox"]
FRAMES = 40
SIDE = {"1 megapixel": 1024, "500,000 pixels": 944, "2 megapixels": 1888}
"""Sides of the maps; those of the demo scene hold the mask's 56 %."""

ORBIT = """async (frames) => {
    const canvas = document.getElementById("stage");
    const main = [], whole = [];
    const native = window.requestAnimationFrame.bind(window);
    window.requestAnimationFrame = (task) => native((now) => {
        const began = performance.now(); task(now); main.push(performance.now() - began);
    });
    for (let k = 0; k < frames; k++) {
        const began = performance.now();
        canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
        await new Promise((done) => native(() => native(done)));
        whole.push(performance.now() - began);
    }
    window.requestAnimationFrame = native;
    return { main, whole };
}"""


def encoded(scene: str, size: int) -> bytes:
    """A scene of this size as a 16-bit PNG; pixels outside hold no normal."""
    found = SCENES[scene](size)
    return encode_png(np.rint((found.normals + 1) / 2 * 65535).astype(np.uint16), {})


def renderer_memory() -> tuple[float, float]:
    """Memory of the largest page process, and of the process that stands in for the graphics card, in MB."""
    pages, cards = [0.0], [0.0]
    for member in family(os.getpid()):
        folder = Path(f"/proc/{member}")
        try:
            line = (folder / "cmdline").read_bytes()
            if b"--type=renderer" not in line and b"--type=gpu-process" not in line:
                continue
            lines = (folder / "smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        size = sum(int(one.split()[1]) for one in lines if one.startswith("Pss:")) / 1024
        (pages if b"--type=renderer" in line else cards).append(size)
    return max(pages), max(cards)


def wait(tab: Page, condition: str) -> None:
    tab.wait_for_function(f"() => {{ const b = document.body.dataset; return {condition}; }}")


def measure_map(tab: Page, name: str, size: int) -> dict[str, Any]:
    """Drop a map, integrate it, orbit."""
    data = encoded("demo", size)
    tab.evaluate("delete document.body.dataset.opened")
    began = time.perf_counter()
    tab.set_input_files("#files", [{"name": "map.png", "mimeType": "image/png", "buffer": data}])
    wait(tab, "b.opened > 0")
    tab.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)))")
    preview = time.perf_counter() - began
    tab.evaluate("document.getElementById('method-box').open = true")
    tab.select_option("#method", "poisson")
    finished = tab.evaluate("document.body.dataset.finished ?? '0'")
    tab.click("#integrate")
    wait(tab, f"b.finished > {finished}")
    began = time.perf_counter()
    wait(tab, "b.detailed === 'poisson'")
    detailed = time.perf_counter() - began
    tab.wait_for_function("() => document.getElementById('stage').dataset.pixels > 1000")
    time.sleep(2)
    times = tab.evaluate(ORBIT, FRAMES)
    page, card = renderer_memory()
    return {
        "case": name,
        "map": f"{size} x {size}",
        "pixels_drawn": int(tab.evaluate("document.getElementById('stage').dataset.pixels")),
        "first_preview_seconds": round(preview, 2),
        "every_pixel_after_the_run_seconds": round(detailed, 2),
        "main_ms_median": round(statistics.median(times["main"]), 2),
        "main_ms_worst": round(max(times["main"]), 2),
        "frame_ms_median": round(statistics.median(times["whole"]), 1),
        "page_process_mb": round(page),
        "graphics_process_mb": round(card),
    }


def main() -> None:
    load = f"{os.getloadavg()[0]:.1f}"
    server, port = start_server(0)
    assert server.stderr is not None
    threading.Thread(target=server.stderr.read, daemon=True).start()
    rows = []
    try:
        with sync_playwright() as tool:
            for name, size in SIDE.items():
                browser = tool.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
                tab = browser.new_page(viewport={"width": 1440, "height": 900})
                tab.set_default_timeout(300_000)
                tab.goto(f"http://127.0.0.1:{port}/?scale=0.5")
                tab.wait_for_selector("#connection[data-state=open]")
                rows.append(measure_map(tab, name, size))
                print(rows[-1], flush=True)
                browser.close()
    finally:
        server.terminate()
        server.wait()
    print(write_record("web_viewer", rows, load_average_before=load))


if __name__ == "__main__":
    main()
