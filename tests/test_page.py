"""The page of one file: what it holds, and that a real browser shows it."""

import base64
import io
import json
import re
import zlib
from dataclasses import replace

import numpy as np
import pytest

import crevasse
from crevasse import pictures, scenes
from crevasse.lattice import jumps_across, label_islands
from crevasse.mesh.welded import Welded, join_pairs
from crevasse.pictures.page import surface_data
from crevasse.pictures.viewed import octahedral
from crevasse.surface import Surface, cut_pairs

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


def unpack(packed):
    """The numbers of a packed array, as the viewer reads them."""
    dtype = np.dtype(packed["type"]).newbyteorder("<")
    planes = np.frombuffer(zlib.decompress(base64.b64decode(packed["data"])), np.uint8)
    apart = planes.reshape(dtype.itemsize, -1).T.copy().view(dtype).reshape(-1, packed["channels"])
    return np.cumsum(apart, axis=0, dtype=dtype).squeeze()


def test_it_refers_to_nothing_outside_itself(text):
    for reference in re.findall(r'(?:src|href)="([^"]{0,40})', text):
        assert reference.startswith("data:image/")
    # Names of XML, and addresses in messages of the 3D library, are no references.
    bare = re.sub(
        r"base64,[^\"]*|http://www\.w3\.org/\S*|https://github\.com/mrdoob/\S*|https://threejs\.org/\S*", "", text
    )
    assert not re.search(r"url\(|@import|XMLHttpRequest|https?://", bare)
    assert "default-src 'none'" in text


def test_the_title_is_text(text):
    assert "<title>A &lt;title&gt; &amp; more</title>" in text


def test_every_pixel_of_the_surface_is_there(result, text):
    data = data_of(text)
    top, left, height, width = data["window"]
    window = np.s_[top : top + height, left : left + width]
    assert data["step"] == 1 and data["size"] == list(result.mask.shape)
    links = unpack(data["arrays"]["links"]).reshape(height, width)
    np.testing.assert_array_equal(links & 1, result.mask[window])
    assert (links & 1).sum() == result.pixels
    heights = unpack(data["arrays"]["heights"]).reshape(height, width) / data["parts"] + data["level"]
    expected = result.camera.to_heights(np.where(result.mask, result.depth, 1.0))[window]
    assert np.abs(heights - expected)[result.mask[window]].max() < 0.6 / data["parts"] + 1e-6
    cut = result.cuts.right[top : top + height, left : left + width - 1]
    assert not (links[:, :-1] & 2)[cut].any() and cut.any()
    assert data["camera"]["kind"] == "perspective" and data["camera"]["fx"] == pytest.approx(result.camera.fx)


def test_shared_corners_and_normals_are_those_of_the_mesh(result, text):
    data = data_of(text)
    mesh = Welded(result.surface, result.mask, join_pairs(result.mask, result.cuts))
    depth = np.concatenate([block.vertices[:, 2] for block in mesh.vertex_blocks()])
    points = unpack(data["arrays"]["points"]) / data["parts"] + data["level"]
    # All but the spikes of the contour, which are cut off.
    assert np.quantile(np.abs(points - result.camera.to_heights(depth)), 0.9) < 2e-3
    normals = unpack(data["arrays"]["normals"])
    np.testing.assert_array_equal(normals, octahedral(result.normals[_window(data)]).reshape(-1, 2))


def _window(data):
    top, left, height, width = data["window"]
    return np.s_[top : top + height, left : left + width]


@pytest.mark.parametrize("most", [3000, 300])
def test_a_large_surface_is_sampled_and_keeps_its_cuts(result, most):
    data = surface_data(result, most)
    step = data["step"]
    assert step > 1
    _, _, height, width = data["window"]
    links = unpack(data["arrays"]["links"]).reshape(-(-height // step), -(-width // step))
    assert (links & 1).sum() <= 1.1 * most
    inside = links & 1
    open_pairs = (inside[:, :-1] & inside[:, 1:]).sum() - (links & 2).sum() // 2
    assert 0.3 < open_pairs * step / np.count_nonzero(result.cuts.right) < 3


def test_known_truth_adds_the_error_and_an_animation_the_run(result, text):
    assert 'alt="Error"' not in text
    more = pictures.page(result, "demo", truth=result.depth, animation=b"RIFF")
    assert 'alt="Error"' in more
    assert base64.b64encode(b"RIFF").decode() in more


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

    page.evaluate(
        """async () => {
            const stage = document.getElementById("stage");
            const frame = () => new Promise(requestAnimationFrame);
            do { await frame(); await frame(); await frame(); } while (stage.dataset.waiting);
        }"""
    )
    picture = np.asarray(Image.open(io.BytesIO(page.locator("#stage").screenshot())).convert("RGB")).astype(int)
    # Without the border, the buttons above and those below.
    return picture[48:-116, 12:-12]


def surface_of(picture):
    return picture.min(axis=-1) > 90


@pytest.mark.browser
def test_it_opens_from_disk_without_network_or_complaint(opened):
    assert opened.evaluate("document.documentElement.dataset.viewer") == "ready"
    assert opened.troubles == []
    assert [url for url in opened.requested if not url.startswith(("file:", "data:"))] == []
    assert opened.locator("#note").is_hidden()


@pytest.mark.browser
def test_it_draws_every_pixel(opened, result):
    canvas_of(opened)
    assert int(opened.evaluate("document.getElementById('stage').dataset.pixels")) == result.pixels


@pytest.mark.browser
def test_from_the_camera_the_surface_has_the_outline_of_the_mask(opened, result):
    opened.click("#front")
    shown = surface_of(canvas_of(opened))
    rows, columns = np.flatnonzero(shown.any(axis=1)), np.flatnonzero(shown.any(axis=0))
    seen = shown[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    true = [np.ptp(np.flatnonzero(result.mask.any(axis=axis))) + 1 for axis in (1, 0)]
    assert seen.shape[0] / seen.shape[1] == pytest.approx(true[0] / true[1], rel=0.12)


@pytest.mark.browser
def test_walls_at_jumps_are_off_until_they_are_wanted(opened):
    bare = canvas_of(opened)
    opened.check("#show-jumps")
    walled = canvas_of(opened)
    warmer = (walled[..., 0] - walled[..., 2]) - (bare[..., 0] - bare[..., 2])
    assert (warmer > 15).mean() > 0.003


@pytest.mark.browser
def test_turning_and_colouring_change_the_picture(opened):
    before = canvas_of(opened)
    opened.focus("#stage")
    opened.keyboard.press("ArrowRight")
    turned = canvas_of(opened)
    opened.select_option("#shading", "depth")
    coloured = canvas_of(opened)
    assert (before != turned).any(axis=-1).mean() > 0.05
    assert np.ptp(coloured, axis=-1).mean() > 2 * np.ptp(turned, axis=-1).mean()
    assert "Depth" in opened.inner_text("#legend")


@pytest.mark.browser
def test_it_measures_like_the_page_of_the_server(opened):
    canvas_of(opened)
    opened.click(".tools [data-tool=ruler]")
    box = opened.locator("#stage").bounding_box()
    for across, down in ((0.45, 0.62), (0.6, 0.7)):
        opened.mouse.click(box["x"] + across * box["width"], box["y"] + down * box["height"])
    opened.wait_for_function("() => Number(document.body.dataset.measured) > 0")


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


@pytest.mark.browser
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
