"""The page as a person uses it in a real browser, for the tests of the page."""

from __future__ import annotations

import io
import os
import shutil
from pathlib import Path
from typing import Any

import numpy as np
from page_client import PATIENCE

from crevasse.files.depth_files import write_image
from crevasse.scenes import SCENES

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
CHROMIUM = os.environ.get("CREVASSE_CHROMIUM") or next((path for name in NAMES if (path := shutil.which(name))), None)
PICTURES = Path(__file__).parent.parent / "build" / "screenshots"
ARGUMENTS = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--no-sandbox"]
MILLISECONDS = 1000 * PATIENCE


class Page:
    """The page as a person uses it; every request and error of it is noted."""

    def __init__(self, browser: Any, address: str, **options: Any) -> None:
        options = {"viewport": {"width": 1280, "height": 720}, "color_scheme": "dark", **options}
        self.context = browser.new_context(**options)
        self.context.set_default_timeout(MILLISECONDS)
        self.tab = self.context.new_page()
        self.address, self.requests, self.errors = address, [], []
        self.tab.on("request", lambda request: self.requests.append(request.url))
        self.tab.on("websocket", lambda link: self.requests.append(link.url))
        self.tab.on("pageerror", lambda error: self.errors.append(str(error)))
        self.tab.on("console", lambda line: self.errors.append(line.text) if "Security" in line.text else None)
        self.tab.goto(f"{address}?side=160")
        self.tab.wait_for_selector("#connection[data-state=open]")

    def data(self, name: str) -> str:
        return str(self.tab.evaluate(f"document.body.dataset.{name} ?? ''"))

    def iteration(self) -> int:
        return int(self.data("iteration"))

    def wait(self, condition: str) -> None:
        """Wait until a condition on the body's data holds, for instance `phase == 'ready'`."""
        self.tab.wait_for_function(f"() => {{ const b = document.body.dataset; return b.{condition}; }}")

    def open_example(self, name: str) -> None:
        before = self.data("opened") or "0"
        self.tab.click(f"[data-example={name}]")
        self.wait(f"opened > {before}")

    def drop(self, *files: dict[str, Any]) -> None:
        self.tab.set_input_files("#files", list(files))

    def unfold(self) -> None:
        """Open the method's settings."""
        self.tab.evaluate("""() => {
            for (const id of ["method-box", "more-settings"]) document.getElementById(id).open = true;
            if (getComputedStyle(document.getElementById("drawer")).visibility === "hidden")
                document.getElementById("drawer-open").click();
        }""")

    def set(self, name: str, value: str) -> None:
        """Change a setting of the method."""
        self.unfold()
        self.tab.fill(f"#settings input[name={name}]", value)

    def choose_method(self, name: str) -> None:
        self.unfold()
        self.tab.select_option("#method", name)

    def drag(self, selector: str, *shares: tuple[float, float]) -> None:
        """Draw through places of an element, as shares of its width and height."""
        box = self.tab.locator(selector).bounding_box()
        at = [(box["x"] + box["width"] * x, box["y"] + box["height"] * y) for x, y in shares]
        self.tab.mouse.move(*at[0])
        self.tab.mouse.down()
        for x, y in at[1:]:
            self.tab.mouse.move(x, y, steps=5)
        self.tab.mouse.up()

    def press_at(self, selector: str, x: float, y: float) -> None:
        """Click on a place of an element, as shares of its width and height."""
        box = self.tab.locator(selector).bounding_box()
        self.tab.mouse.click(box["x"] + box["width"] * x, box["y"] + box["height"] * y)

    def download(self, what: str) -> Any:
        """Take a file from the dialogue."""
        if not self.tab.evaluate("document.getElementById('download').open"):
            self.tab.click("#download-open")
        with self.tab.expect_download() as caught:
            self.tab.click(f"#download [data-what={what}]")
        return caught.value

    def integrate(self) -> None:
        before = self.data("finished") or "0"
        self.tab.click("#integrate")
        self.wait(f"finished > {before}")

    def settle(self) -> None:
        """Wait until the surface has risen and nothing more is to be drawn: the stage says when it waits to draw."""
        self.tab.evaluate(
            """async () => {
                const stage = document.getElementById("stage");
                const frame = () => new Promise(requestAnimationFrame);
                do { await frame(); await frame(); await frame(); } while (stage.dataset.waiting);
            }"""
        )

    def shows(self, selector: str, text: str) -> None:
        """Wait until an element shows a text."""
        self.tab.locator(selector).filter(has_text=text).first.wait_for(state="attached")

    def number(self, selector: str) -> int:
        return int(self.tab.inner_text(selector))

    def stage(self) -> np.ndarray:
        """The stage as the screen shows it, (H, W, 3)."""
        self.settle()
        return pixels(self.tab.locator("#stage").screenshot())

    def shot(self, name: str) -> None:
        self.settle()
        self.tab.screenshot(path=PICTURES / f"{name}.png")

    def close(self) -> None:
        self.context.close()
        port = self.address.rstrip("/").rpartition(":")[2]
        own = (f"http://127.0.0.1:{port}/", f"ws://127.0.0.1:{port}/", "blob:", "data:")
        strangers = [url for url in self.requests if not url.startswith(own)]
        assert not strangers, "a request left the machine"
        assert not self.errors


def pixels(data: bytes) -> np.ndarray:
    import tempfile

    import OpenImageIO as oiio

    with tempfile.NamedTemporaryFile(suffix=".png") as file:
        file.write(data)
        file.flush()
        return np.asarray(oiio.ImageBuf(file.name).get_pixels(oiio.UINT8))[..., :3].astype(int)


def encoded(name: str, size: int, folder: Path) -> dict[str, dict[str, Any]]:
    """A scene as files to drop: normal map, mask, truth."""
    scene = SCENES[name](size)
    colours = np.rint((scene.normals + 1) / 2 * 65535).astype(np.uint16)
    write_image(folder / "normals.png", colours, {})
    write_image(folder / "mask.png", np.uint8(255) * scene.mask[..., None].astype(np.uint8), {})
    truth = io.BytesIO()
    np.savez(truth, depth_gt=scene.depth)
    kinds = {
        "normals": ("bear.png", (folder / "normals.png").read_bytes()),
        "mask": ("mask.png", (folder / "mask.png").read_bytes()),
        "truth": ("depth_gt.npz", truth.getvalue()),
    }
    return {
        key: {"name": file, "mimeType": "application/octet-stream", "buffer": data}
        for key, (file, data) in kinds.items()
    }


def long_run(page: Page, example: str = "islands") -> None:
    """A run that is still going on whatever a test does meanwhile."""
    page.open_example(example)
    page.set("iterations", "100000")
    page.tab.click("#integrate")
    page.wait("iteration > 0")
