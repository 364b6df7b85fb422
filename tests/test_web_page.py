"""The page in a real browser."""

from __future__ import annotations

import io
import os
import shutil
import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("playwright", reason="playwright is not installed")

from page_client import PATIENCE, start_server
from playwright.sync_api import sync_playwright
from web_tools import Running, running

from crevasse.files.depth_files import write_image
from crevasse.scenes import SCENES

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
CHROMIUM = os.environ.get("CREVASSE_CHROMIUM") or next((path for name in NAMES if (path := shutil.which(name))), None)
PICTURES = Path(__file__).parent.parent / "build" / "screenshots"
ARGUMENTS = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--no-sandbox"]
MILLISECONDS = 1000 * PATIENCE

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium found (install one, or set CREVASSE_CHROMIUM)"),
]


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running() as one:
        yield one


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    PICTURES.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as engine:
        one = engine.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS, timeout=MILLISECONDS)
        yield one
        one.close()


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


@pytest.fixture
def page(server: Running, browser: Any) -> Iterator[Page]:
    one = Page(browser, f"http://127.0.0.1:{server.port}/")
    yield one
    one.close()


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


def test_dropped_files_are_recognised(page: Page, tmp_path: Path) -> None:
    page.shot("empty-dark")
    files = encoded("demo", 150, tmp_path)
    matrix = {"name": "K.txt", "mimeType": "text/plain", "buffer": b"270 0 74.5\n0 270 74.5\n0 0 1\n"}
    page.drop(files["normals"], files["mask"], matrix, files["truth"])
    page.wait("map == 'bear.png'")
    facts = page.tab.inner_text("#facts")
    assert "150 × 150" in facts and "OpenGL" in facts and "perspective, 31.0° high" in facts and "16 bits" in facts
    listed = page.tab.inner_text("#file-list")
    assert all(name in listed for name in ("bear.png", "mask.png", "K.txt", "depth_gt.npz"))
    page.wait("surfaces == 'truth'")
    page.tab.select_option("#camera", "orthographic")
    page.wait("opened > 1")
    page.shows("#facts", "orthographic")
    page.tab.click("#file-list li:has-text('Truth') button")
    page.wait("opened > 2")
    page.wait("surfaces == ''")


def test_a_click_on_integrate_that_leaves_a_field_counts(page: Page, tmp_path: Path) -> None:
    page.drop(encoded("demo", 150, tmp_path)["normals"])
    page.wait("opened > 0")
    page.tab.select_option("#method", "poisson")
    page.tab.select_option("#camera", "field_of_view")
    page.wait("opened > 1")
    page.wait("phase == 'ready'")
    page.tab.fill("#camera-value", "31")
    page.tab.click("#integrate")
    page.wait("opened > 2")
    page.wait("finished > 0")
    page.shows("#facts", "31.0°")
    page.wait("phase == 'ready'")


def test_the_surface_evolves_live(page: Page) -> None:
    long_run(page, "demo")
    assert "poisson" in page.data("surfaces")
    first = page.iteration()
    assert page.data("phase") == "running"
    page.shows("#progress-text", "left")
    page.wait(f"iteration > {first + 5}")
    page.tab.screenshot(path=PICTURES / "running-dark.png")
    page.tab.click("#stop")
    page.wait("finished > 0")


def test_the_finished_surface_shows_its_jumps(page: Page) -> None:
    page.open_example("demo")
    flat = page.stage()
    page.integrate()
    page.shows("#status", "Done")
    assert page.tab.inner_text("#energy") != "–"
    final = page.stage()
    assert np.abs(final - flat).max() > 50
    page.tab.select_option("#view-a", "poisson")
    assert np.abs(page.stage() - final).mean() > 0.5, "Poisson's surface looks different"
    page.tab.select_option("#view-a", "graduated")
    page.shot("finished-dark")
    page.shows("#result-warnings", "separated by jumps on all sides")
    assert page.tab.locator(".notice").count() == 0, "what is said about the result does not cover it"


def test_walls_at_jumps_are_a_tint_that_is_off_at_first(page: Page) -> None:
    page.open_example("demo")
    page.integrate()
    assert not page.tab.is_checked("#show-jumps")
    bare = page.stage()
    page.tab.click("#show-jumps")
    walled = page.stage()
    warmer = (walled[..., 0] - walled[..., 2]) - (bare[..., 0] - bare[..., 2])
    assert (warmer > 15).mean() > 0.01, "walls are seen"
    assert (warmer > 160).mean() < 0.001, "and seen through"
    page.shot("jumps-dark")


def drawn_pixels(page: Page) -> int:
    page.settle()
    return int(page.tab.evaluate("document.getElementById('stage').dataset.pixels"))


def test_the_finished_surface_is_drawn_with_every_pixel(page: Page) -> None:
    page.open_example("demo")
    inside = int(np.count_nonzero(SCENES["demo"](384).mask))
    page.tab.select_option("#method", "poisson")
    page.integrate()
    page.wait("detailed == 'poisson'")
    assert drawn_pixels(page) == inside
    page.tab.select_option("#view-a", "truth")
    page.wait("detailed == 'poisson truth'")
    assert drawn_pixels(page) == inside


def test_the_newest_result_is_shown_and_fills_the_view(page: Page) -> None:
    page.open_example("demo")
    for method in ("graduated", "poisson"):
        page.tab.select_option("#method", method)
        page.integrate()
        assert page.tab.input_value("#view-a") == method
        for _ in range(6):
            page.tab.press("#stage", "-")
    page.integrate()
    page.tab.evaluate(
        "for (const e of document.querySelectorAll('.caption, .reset, .readout')) e.style.visibility = 'hidden'"
    )
    picture = page.stage()[5:-5, 5:-5]
    seen = picture.min(axis=-1) > 90
    rows, columns = np.flatnonzero(seen.any(axis=1)), np.flatnonzero(seen.any(axis=0))
    filled = max(np.ptp(rows) / picture.shape[0], np.ptp(columns) / picture.shape[1])
    assert 0.75 < filled < 0.99


def long_run(page: Page, example: str = "islands") -> None:
    """A run that is still going on whatever a test does meanwhile."""
    page.open_example(example)
    page.tab.fill("#settings input[name=iterations]", "100000")
    page.tab.click("#integrate")
    page.wait("iteration > 0")


def test_a_run_can_be_paused_stepped_continued_and_stopped(page: Page) -> None:
    long_run(page)
    page.tab.click("#pause")
    page.wait("phase == 'paused'")
    at = page.iteration()
    page.shot("paused-dark")
    assert page.iteration() == at
    page.tab.click("#step")
    page.wait(f"iteration == {at + 1}")
    page.wait("phase == 'paused'")
    page.tab.click("#pause")
    page.wait(f"iteration > {at + 3}")
    page.tab.click("#stop")
    page.wait("finished > 0")
    page.shows("#status", "Stopped on request")
    page.shows("#snippet", "state.iteration ==")


def test_linked_views_turn_together(page: Page) -> None:
    page.open_example("islands")
    page.tab.select_option("#method", "poisson")
    page.integrate()
    page.tab.check("input[name=layout][value=two]", force=True)
    page.tab.select_option("#view-b", "truth")
    before = page.stage()
    box = page.tab.locator("#stage").bounding_box()
    x, y = box["x"] + box["width"] / 4, box["y"] + box["height"] / 2
    page.tab.mouse.move(x, y)
    page.tab.mouse.down()
    page.tab.mouse.move(x + 60, y + 25, steps=4)
    page.tab.mouse.up()
    page.tab.mouse.move(5, 5)
    after = page.stage()
    half = before.shape[1] // 2
    for part in (slice(0, half), slice(half, None)):
        assert np.abs(after[:, part] - before[:, part]).mean() > 1, "both views have turned"
    page.shot("two-views-dark")


def test_the_wipe_moves_the_border(page: Page) -> None:
    page.open_example("demo")
    page.tab.select_option("#method", "poisson")
    page.integrate()
    alone = {}
    for name in ("truth", "poisson"):
        page.tab.select_option("#view-a", name)
        alone[name] = page.stage()
    page.tab.check("input[name=layout][value=wipe]", force=True)
    page.tab.select_option("#view-b", "truth")
    page.tab.focus("#wipe")
    for key, share in (("Home", 0.0), ("End", 1.0)):
        page.tab.press("#wipe", key)
        wiped = page.stage()
        expected = alone["poisson" if share else "truth"]
        centre = (slice(40, -60), slice(20, -20))
        assert np.abs(wiped[centre] - expected[centre]).mean() < 0.6
    page.tab.fill("#wipe", "500")
    page.tab.click("#theme")
    page.tab.select_option("#shading", "depth")
    page.shot("wipe-light")


def test_hovering_shows_depth_and_normal(page: Page) -> None:
    page.open_example("islands")
    page.tab.select_option("#method", "poisson")
    page.integrate()
    page.settle()
    box = page.tab.locator("#stage").bounding_box()
    page.tab.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.tab.wait_for_selector("#readout:not([hidden])")
    page.shows("#readout", "normal")
    page.shows("#readout", "depth A")
    page.tab.wait_for_function(
        "() => /depth A \\S+ (px|\\(no unit)/.test(document.getElementById('readout').textContent)"
    )
    box = page.tab.locator("#map").bounding_box()
    page.tab.mouse.move(box["x"] + box["width"] * 10.5 / 128, box["y"] + box["height"] * 20.5 / 128)
    page.tab.wait_for_function("() => document.getElementById('readout').textContent.includes('row 20  column 10')")


def test_the_brush_excludes_and_cuts(page: Page) -> None:
    page.open_example("islands")
    page.tab.fill("#settings input[name=starts]", "1")
    page.integrate()
    islands = page.number("#result-facts dd:nth-of-type(3)")
    page.tab.check("input[name=tool][value=exclude]", force=True)
    page.tab.fill("#brush-size", "10")
    box = page.tab.locator("#map").bounding_box()
    at = [(box["x"] + box["width"] * share, box["y"] + box["height"] * 0.2) for share in (0.3, 0.6)]
    page.tab.mouse.move(*at[0])
    page.tab.mouse.down()
    page.tab.mouse.move(*at[1], steps=5)
    page.tab.mouse.up()
    page.wait("finished > 1")
    with page.tab.expect_download() as caught:
        page.tab.click("[data-what=depth-npy]")
    depth = np.load(caught.value.path())
    assert np.isnan(depth[25, 45:75]).all() and np.isfinite(depth[45, 45:75]).all()
    page.shot("painted-dark")
    page.tab.click("#undo")
    page.wait("finished > 2")
    page.tab.check("input[name=tool][value=force]", force=True)
    page.tab.focus("#map")
    for key in ["Shift+ArrowUp"] * 4 + [" "] + ["Shift+ArrowDown"] * 8 + [" "]:
        page.tab.press("#map", key)
    page.wait("finished > 3")
    assert page.number("#result-facts dd:nth-of-type(3)") > islands, "the surface is cut from edge to edge"
    page.shows("#snippet-files", "hints.npy")


def test_the_downloaded_mesh_opens_again(page: Page, tmp_path: Path) -> None:
    import trimesh

    page.open_example("islands")
    page.tab.fill("#settings input[name=starts]", "1")
    page.integrate()
    parts = {}
    for bridged in (False, True):
        page.tab.set_checked("#bridged", bridged)
        with page.tab.expect_download() as caught:
            page.tab.click("[data-what=mesh-glb]")
        assert caught.value.suggested_filename == "mesh.glb"
        caught.value.save_as(tmp_path / "mesh.glb")
        mesh = trimesh.load(tmp_path / "mesh.glb", process=False, force="mesh")
        assert 1.9 * 128 * 128 < len(mesh.faces) <= 2 * 128 * 128
        parts[bridged] = len(trimesh.graph.connected_components(mesh.edges, min_len=3))
    assert parts[False] > parts[True] == 1


def test_a_wrong_file_is_explained_and_its_name_is_shown_as_text(page: Page) -> None:
    name = "<img src=x onerror=window.caught=1>.png"
    page.drop({"name": name, "mimeType": "image/png", "buffer": b"no picture at all"})
    page.tab.wait_for_selector(".notice.bad")
    page.shows(".notice.bad", name)
    page.shot("wrong-file-dark")
    assert page.tab.evaluate("window.caught") is None
    assert page.tab.locator("#notices img").count() == 0
    page.tab.click(".notice button")
    page.open_example("islands")
    page.wait("phase == 'ready'")


def test_a_hostile_name_of_a_good_file_stays_text(page: Page, tmp_path: Path) -> None:
    file = encoded("islands", 64, tmp_path)["normals"]
    name = "<b onclick=alert(1)>'\"&amp;.png"
    page.drop({**file, "name": name})
    page.wait("opened > 0")
    page.shows("#file-list .name", name)
    page.tab.select_option("#method", "poisson")
    page.integrate()
    page.tab.wait_for_function("() => document.getElementById('snippet').textContent.includes('read_normals')")
    assert page.tab.locator("#file-list b, #snippet b").count() == 0


BEGIN_AND_STOP = """() => {
    const [integrate, stop] = ["integrate", "stop"].map((id) => document.getElementById(id));
    integrate.click();
    const label = stop.textContent;
    stop.click();
    return label;
}"""


def test_large_maps_leave_the_page_responsive(server: Running, browser: Any, tmp_path: Path) -> None:
    page = Page(browser, f"http://127.0.0.1:{server.port}/")
    page.drop(encoded("smooth", 1024, tmp_path)["normals"])
    page.wait("opened > 0")
    page.shows("#facts", "1024 × 1024")
    page.shows("#facts", "1 of 49 pixels")
    page.tab.fill("#settings input[name=iterations]", "100000")
    assert page.tab.evaluate(BEGIN_AND_STOP) == "Cancel", "there is nothing to keep yet"
    page.wait("phase == 'ready'")
    assert page.data("finished") == ""
    page.tab.click("#integrate")
    page.wait("iteration > 0")
    page.shows("#stop", "Stop, keep")
    for _ in range(3):
        turned = ":not(:checked)" if page.tab.is_checked("#show-jumps") else ":checked"
        page.tab.keyboard.press("j")
        page.tab.wait_for_selector(f"#show-jumps{turned}", state="attached")
        assert page.data("phase") == "running", "the page answered while the run went on"
    page.tab.click("#stop")
    page.wait("finished > 0")
    page.close()


def test_without_a_graphics_card_surfaces_are_drawn_smaller(page: Page) -> None:
    page.tab.goto(page.address)
    page.tab.wait_for_selector("#connection[data-state=open]")
    page.open_example("demo")
    # 384 x 384 pixels, of which a CPU draws 192 x 192.
    page.shows("#facts", "1 of 4 pixels")


def test_everything_is_reached_by_keyboard(page: Page) -> None:
    page.open_example("islands")
    page.tab.select_option("#method", "poisson")
    page.integrate()
    page.tab.evaluate("document.activeElement.blur()")
    reached: set[str] = set()
    for _ in range(90):
        page.tab.keyboard.press("Tab")
        reached.add(page.tab.evaluate(FOCUSED))
    wanted = {
        *(
            "browse",
            "islands",
            "map",
            "tool",
            "brush-size",
            "view-a",
            "layout",
            "shading",
            "show-jumps",
            "reset-view",
        ),
        *("stage", "integrate", "method", "again", "result", "mesh-ply", "depth-npy", "picture-preview", "language"),
        *("copy", "snippet", "theme", "help-open"),
    }
    assert wanted <= reached, wanted - reached
    page.tab.focus("#stage")
    before = page.stage()
    page.tab.press("#stage", "ArrowLeft")
    assert np.abs(page.stage() - before).max() > 30, "arrow keys turn the surface"
    page.tab.press("#stage", "2")
    page.tab.wait_for_selector("input[name=layout][value=two]:checked", state="attached")


FOCUSED = """() => {
    const { id, name, dataset } = document.activeElement;
    return id || name || dataset.what || dataset.example || "";
}"""
LUMINANCE = """(name) => {
    const probe = document.createElement("i");
    probe.style.color = getComputedStyle(document.documentElement).getPropertyValue("--" + name);
    document.body.append(probe);
    const [r, g, b] = getComputedStyle(probe).color.match(/[\\d.]+/g).slice(0, 3)
        .map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    probe.remove();
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}"""


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_texts_can_be_read_in_both_themes(server: Running, browser: Any, theme: str) -> None:
    page = Page(browser, f"http://127.0.0.1:{server.port}/", color_scheme=theme)
    assert page.tab.evaluate("document.documentElement.dataset.theme") == theme
    for ink, paper in (
        ("text", "room"), ("soft", "room"), ("soft", "ground"), ("soft", "raised"), ("accent-ink", "accent"),
        ("accent", "room"), ("text", "raised"),
    ):  # fmt: skip
        light = sorted(page.tab.evaluate(LUMINANCE, name) for name in (ink, paper))
        assert (light[1] + 0.05) / (light[0] + 0.05) >= 4.5, (theme, ink, paper)
    page.close()


@pytest.mark.parametrize("width", [1366, 1024, 390])
def test_nothing_is_cut_off_at_any_width(server: Running, browser: Any, width: int) -> None:
    page = Page(browser, f"http://127.0.0.1:{server.port}/", viewport={"width": width, "height": 768})
    page.open_example("islands")
    page.tab.select_option("#method", "poisson")
    page.integrate()
    too_wide = page.tab.evaluate(
        """() => [...document.querySelectorAll("button, select, input, canvas, dd, .segments")]
            .filter((e) => e.offsetParent && e.type !== "file" && e.getBoundingClientRect().right > innerWidth + 1)
            .map((e) => e.id || e.className || e.tagName)"""
    )
    assert not too_wide
    page.settle()
    page.tab.screenshot(path=PICTURES / f"width-{width}.png", full_page=True)
    page.close()


def test_the_page_survives_a_restart_of_the_server_during_a_run(browser: Any, tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process, _ = start_server(port)
    try:
        page = Page(browser, f"http://127.0.0.1:{port}/")
        page.drop(encoded("islands", 96, tmp_path)["normals"])
        page.wait("opened > 0")
        page.tab.fill("#settings input[name=iterations]", "100000")
        page.tab.click("#integrate")
        page.wait("iteration > 0")
        process.send_signal(signal.SIGKILL)
        process.communicate()
        page.tab.wait_for_selector("#connection[data-state=closed]")
        page.tab.wait_for_selector("#integrate:disabled", state="attached")
        process, _ = start_server(port)
        page.wait("opened > 1")
        page.shows("#file-list", "bear.png")
        page.tab.uncheck("#again")
        page.tab.select_option("#method", "poisson")
        page.integrate()
        page.close()
    finally:
        process.terminate()
        process.communicate()


def test_a_result_is_shown(browser: Any, tmp_path: Path) -> None:
    np.save(tmp_path / "depth.npy", SCENES["stairs"](64).depth)
    with running(preloaded=tmp_path) as server:
        page = Page(browser, f"http://127.0.0.1:{server.port}/")
        page.wait("opened > 0")
        page.tab.wait_for_selector("#integrate:disabled", state="attached")
        picture = page.stage()
        assert picture.std() > 20, "a surface is seen"
        page.close()


def test_ticked_methods_are_compared_one_after_another(page):
    page.open_example("demo")
    page.tab.click("#compare > summary")
    page.tab.click("#compare-none")
    assert page.tab.is_disabled("#compare-run")
    for name in ("discrete-geometry", "poisson", "fourier"):
        page.tab.check(f"#compare-methods input[value={name}]")
    page.tab.click("#compare-run")
    page.wait("compared == 3")
    rows = {row.split("\t")[0]: row for row in page.tab.locator("#compare-rows tr").all_inner_texts()}
    assert len(rows) == 3
    errors = {title: float(row.split("\t")[1]) for title, row in rows.items() if "rectangle" not in row}
    assert set(errors) == {"Xie", "Poisson"} and errors["Xie"] != errors["Poisson"]
    assert {"discrete-geometry", "poisson"} <= set(page.data("surfaces").split())
    page.tab.click("[aria-label='Show Poisson in view A']")
    page.tab.click("[aria-label='Show Xie in view B']")
    assert page.tab.input_value("#view-a") == "poisson" and page.tab.input_value("#view-b") == "discrete-geometry"
    assert page.tab.is_checked("input[name=layout][value=wipe]")
    assert page.tab.evaluate("(box => box.scrollWidth <= box.clientWidth)(document.getElementById('compare-box'))")
    page.shot("compared")
    page.open_example("stairs")
    assert page.data("compared") == "0"
    assert not page.tab.is_visible("#compare-box")
