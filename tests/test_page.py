"""The page of one file: what it holds, and that a real browser shows it."""

import base64
import io
import json
import re
import shutil
from dataclasses import replace

import numpy as np
import pytest

import crevasse
from crevasse import pictures, scenes
from crevasse.lattice import jumps_across, label_islands
from crevasse.pictures.page import surface_data
from crevasse.surface import Surface, cut_pairs

BROWSER_OPTIONS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"]
PATIENCE = 600_000
"""Milliseconds to wait for what takes moments on a machine that is not busy."""


def true_result(scene):
    """The result that a perfect method would give for a scene."""
    result = crevasse.integrate(scene.normals, scene.mask, scene.camera, crevasse.Poisson())
    heights = scene.camera.to_heights(np.where(scene.mask, scene.depth, 1.0))
    surface = Surface(heights, scene.mask, result.surface.steepness, scene.camera)
    cuts = cut_pairs(scene.mask, jumps_across(scene.camera.to_heights(surface.corner_depth)), 0.5)
    return replace(result, surface=surface, cuts=cuts, islands=label_islands(scene.mask, cuts))


@pytest.fixture(scope="module")
def result():
    return true_result(scenes.demo(128))


@pytest.fixture(scope="module")
def text(result):
    return pictures.page(result, "A <title> & more")


def data_of(text):
    return json.loads(re.search(r'<script id="data"[^>]*>(.*?)</script>', text, re.DOTALL)[1])


def unpack(base64_text, dtype):
    return np.frombuffer(base64.b64decode(base64_text), dtype)


def test_it_refers_to_nothing_outside_itself(text):
    for reference in re.findall(r'(?:src|href)="([^"]{0,40})', text):
        assert reference.startswith("data:image/")
    assert not re.search(r"url\(|@import|fetch\(|XMLHttpRequest|https?://", re.sub(r"base64,[^\"]*", "", text))
    assert "default-src 'none'" in text


def test_the_title_is_text(text):
    assert "<title>A &lt;title&gt; &amp; more</title>" in text


def test_the_surface_is_the_corners_in_pixels(result, text):
    data = data_of(text)
    corners = unpack(data["corners"], "<f4").reshape(2 * data["height"], 2 * data["width"])
    left, top, step = data["origin"]
    assert step == 1
    rows, columns = slice(int(top), int(top) + data["height"]), slice(int(left), int(left) + data["width"])
    inside = result.mask[rows, columns].repeat(2, 0).repeat(2, 1)
    assert (np.isfinite(corners) == inside).all()
    expected = result.camera.to_heights(result.corners[2 * rows.start : 2 * rows.stop, 2 * columns.start :])
    off = np.abs(corners - expected[:, : corners.shape[1]])[inside]
    # All but the spikes of the contour, which are cut off.
    assert np.quantile(off, 0.95) < 1e-3
    assert data["lens"] == pytest.approx([result.camera.fx, result.camera.fy, result.camera.cx, result.camera.cy])


@pytest.mark.parametrize("side", [100, 30])
def test_a_large_surface_is_reduced_and_keeps_its_cuts(result, side):
    data = surface_data(result, side)
    step = data["origin"][2]
    assert step > 1
    assert max(data["width"], data["height"]) <= side
    right, down = (unpack(data[name], np.uint8) for name in ("right", "down"))
    assert right.size == data["height"] * (data["width"] - 1)
    assert down.size == (data["height"] - 1) * data["width"]
    cuts = np.count_nonzero(result.cuts.right) + np.count_nonzero(result.cuts.down)
    assert cuts / step / 3 < right.sum() + down.sum() < cuts


def test_known_truth_adds_the_error_and_an_animation_the_run(result, text):
    assert 'alt="Error"' not in text
    more = pictures.page(result, "demo", truth=result.depth, animation=b"RIFF")
    assert 'alt="Error"' in more
    assert base64.b64encode(b"RIFF").decode() in more


def find_browser():
    for name in ("chromium", "chromium-browser", "google-chrome", "chrome"):
        if shutil.which(name):
            return shutil.which(name)
    return None


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = find_browser()
    if path is None:
        pytest.skip("no Chromium on this machine")
    with playwright.sync_playwright() as tool:
        browser = tool.chromium.launch(executable_path=path, args=BROWSER_OPTIONS, timeout=PATIENCE)
        yield browser
        browser.close()


@pytest.fixture
def opened(browser, text, tmp_path):
    """The page as opened from disk, with what went wrong and what was asked for."""
    path = tmp_path / "page.html"
    path.write_text(text, "utf-8")
    page = browser.new_page(viewport={"width": 500, "height": 700})
    page.set_default_timeout(PATIENCE)
    page.troubles, page.requested = [], []
    page.on("console", lambda message: page.troubles.append(message.text))
    page.on("pageerror", lambda error: page.troubles.append(str(error)))
    page.on("request", lambda request: page.requested.append(request.url))
    page.goto(path.as_uri())
    wait(page)
    yield page
    page.close()


def wait(page):
    page.wait_for_selector("html[data-viewer=ready], html[data-viewer=none]", state="attached")


def canvas_of(page):
    from PIL import Image

    wait(page)
    picture = np.asarray(Image.open(io.BytesIO(page.locator("#surface").screenshot())).convert("RGB")).astype(int)
    # Without the rounded corners, through which the page is seen.
    return picture[12:-12, 12:-12]


def surface_of(picture):
    return picture.max(axis=-1) > 60


@pytest.mark.browser
def test_it_opens_from_disk_without_network_or_complaint(opened):
    assert opened.evaluate("document.documentElement.dataset.viewer") == "ready"
    assert opened.troubles == []
    assert [url for url in opened.requested if not url.startswith(("file:", "data:"))] == []
    assert opened.locator("#note").is_hidden()


@pytest.mark.browser
def test_from_the_camera_the_surface_has_the_outline_of_the_mask(opened, result):
    opened.click("#front")
    shown = surface_of(canvas_of(opened))
    rows, columns = np.flatnonzero(shown.any(axis=1)), np.flatnonzero(shown.any(axis=0))
    seen = shown[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    true = [np.ptp(np.flatnonzero(result.mask.any(axis=axis))) + 1 for axis in (1, 0)]
    assert seen.shape[0] / seen.shape[1] == pytest.approx(true[0] / true[1], rel=0.12)
    assert seen.mean() == pytest.approx(result.pixels / (true[0] * true[1]), abs=0.06)


@pytest.mark.browser
def test_jumps_are_shown_as_curtains_that_can_be_opened(opened):
    closed = canvas_of(opened)
    opened.uncheck("#jumps")
    bare = canvas_of(opened)
    blue = [np.count_nonzero(picture[..., 2] - picture[..., 0] > 25) for picture in (closed, bare)]
    assert blue[0] > 100
    assert blue[1] == 0


@pytest.mark.browser
def test_turning_and_colouring_change_the_picture(opened):
    before = canvas_of(opened)
    opened.focus("#surface")
    opened.keyboard.press("ArrowRight")
    turned = canvas_of(opened)
    opened.select_option("#colouring", "1")
    coloured = canvas_of(opened)
    assert (before != turned).any(axis=-1).mean() > 0.05
    spread = [np.ptp(picture, axis=-1)[surface_of(picture)].mean() for picture in (turned, coloured)]
    assert spread[1] > 2 * spread[0]


@pytest.mark.browser
def test_every_picture_loads(opened):
    sizes = opened.evaluate("[...document.images].map((image) => image.naturalWidth)")
    assert len(sizes) >= 3
    assert min(sizes) > 100


@pytest.mark.browser
def test_a_browser_without_webgl_shows_a_message(browser, text, tmp_path):
    path = tmp_path / "page.html"
    path.write_text(text, "utf-8")
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    page.add_init_script("HTMLCanvasElement.prototype.getContext = () => null")
    page.goto(path.as_uri())
    wait(page)
    assert "WebGL2 is not available" in page.inner_text("#note")
    assert page.locator("figure").count() >= 3
    page.close()


def test_the_index_of_a_batch_sorts_by_a_click(browser, tmp_path):
    from crevasse.files.batch_page import write_index

    seconds = {"b": 2.5, "a": 10.0, "c": 1.0}
    entries = [{"input": name, "state": "done", "output": name, "seconds": value} for name, value in seconds.items()]
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(write_index(tmp_path, entries).as_uri())
    orders, marked = [], []
    for column in ("map", "seconds", "seconds"):
        page.get_by_role("button", name=column, exact=True).click()
        orders.append("".join(page.locator("tbody tr td:nth-child(2)").all_inner_texts()))
        marked.append(
            [page.locator("th[aria-sort]").all_inner_texts(), page.locator("[aria-sort=descending]").count()]
        )
    page.close()
    assert orders == ["abc", "cba", "abc"]
    assert marked == [[["map"], 0], [["seconds"], 0], [["seconds"], 1]]
