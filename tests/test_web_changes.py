"""The page in a real browser: what changes, can be undone, and survives a reload."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("playwright", reason="playwright is not installed")

from browser_page import Page, encoded

pytestmark = pytest.mark.browser

QUICK = """() => { document.getElementById("again").checked = false; }"""


def paint(page: Page, tool: str, *shares: tuple[float, float]) -> None:
    page.tab.check(f"input[name=tool][value={tool}]", force=True)
    page.drag("#map", *shares)


def strokes(page: Page) -> int:
    return int(page.tab.get_attribute("#map", "data-strokes") or 0)


def test_every_change_is_undone_and_redone(page: Page, tmp_path: Path) -> None:
    page.tab.evaluate(QUICK)
    assert page.tab.is_disabled("#undo")
    page.drop(encoded("demo", 150, tmp_path)["normals"])
    page.wait("map == 'bear.png'")
    paint(page, "exclude", (0.3, 0.5), (0.6, 0.5))
    page.tab.select_option("#frame", "directx")
    page.wait("opened > 1")
    assert strokes(page) == 1, "strokes stay on the map that is read differently"
    page.set("starts", "2")
    page.tab.press("#settings input[name=starts]", "Enter")
    page.open_example("islands")
    assert strokes(page) == 0
    undone = [
        ("map == 'bear.png'", "#frame", "directx"),
        ("phase == 'ready'", "#settings input[name=starts]", "3"),
        ("opened > 4", "#frame", "auto"),
    ]
    for condition, selector, value in undone:
        page.tab.click("#undo")
        page.wait(condition)
        page.wait("phase == 'ready'")
        assert page.tab.input_value(selector) == value
        assert strokes(page) == 1
    page.tab.keyboard.press("z")
    page.tab.wait_for_selector("#map[data-strokes='0']")
    assert page.tab.is_disabled("#undo")
    for _ in range(4):
        page.tab.wait_for_selector("#redo:not(:disabled)")
        page.tab.keyboard.press("Shift+Z")
        page.wait("phase == 'ready'")
    page.wait("map == 'islands'")
    assert page.tab.is_disabled("#redo")


def test_a_reload_finds_everything_again(page: Page, tmp_path: Path) -> None:
    page.drop(encoded("islands", 96, tmp_path)["normals"])
    page.wait("opened > 0")
    page.tab.select_option("#scale", "pixel")
    page.tab.fill("#scale-value", "0.25")
    page.set("iterations", "12")
    paint(page, "force", (0.2, 0.3), (0.8, 0.3))
    page.integrate()
    page.shows("#result-facts", "mm")
    page.tab.press("#stage", "ArrowLeft")
    page.settle()
    camera = page.tab.get_attribute("#stage", "data-camera")
    page.tab.reload()
    page.wait("finished > 0")
    page.settle()
    assert page.tab.get_attribute("#stage", "data-camera") == camera
    page.shows("#file-list", "bear.png")
    page.shows("#result-facts", "mm")
    assert strokes(page) == 1
    assert page.tab.input_value("#settings input[name=iterations]") == "12"
    assert page.tab.input_value("#scale-value") == "0.25"
    page.tab.click("#undo")
    page.tab.wait_for_selector("#map[data-strokes='0']")
    page.wait("finished > 1")
    page.drop(encoded("demo", 64, tmp_path)["normals"])
    page.wait("opened > 1")
    page.tab.click("#undo")
    page.wait("opened > 2")
    page.shows("#found-size", "96 × 96")


def test_a_length_between_two_picked_points_is_the_unit(page: Page, tmp_path: Path) -> None:
    page.drop(encoded("islands", 96, tmp_path)["normals"])
    page.wait("opened > 0")
    page.set("iterations", "8")
    page.integrate()
    page.tab.select_option("#scale", "ruler")
    page.wait("picking == '2'")
    page.press_at("#map", 0.25, 0.5)
    page.wait("picking == '1'")
    page.press_at("#map", 0.75, 0.5)
    page.wait("picking == undefined")
    page.tab.fill("#scale-value", "24")
    page.tab.press("#scale-value", "Enter")
    page.shows("#result-facts", "mm")
    page.tab.click("#download-open")
    page.tab.check("input[name=language][value=command]", force=True)
    page.shows("#snippet", "--ruler")
    depth = np.load(page.download("depth-npy").path())
    words = page.tab.inner_text("#snippet").split("--ruler ")[1].split()[0]
    r, c, s, d, length = map(float, words.split(","))
    assert length == 24 and abs(c - 24) <= 1 and abs(d - 72) <= 1
    # A pixel is a third or so of a millimetre: depths are lengths now.
    apart = np.hypot(d - c, s - r)
    rise = depth[int(s), int(d)] - depth[int(r), int(c)]
    pixel = np.sqrt((24**2 - rise**2) / apart**2)
    assert 0.2 < pixel <= 0.51


def test_a_focal_length_in_millimetres_is_a_camera(page: Page, tmp_path: Path) -> None:
    page.tab.evaluate(QUICK)
    page.drop(encoded("demo", 150, tmp_path)["normals"])
    page.wait("opened > 0")
    page.tab.select_option("#camera", "focal_mm")
    page.wait("opened > 1")
    page.tab.fill("#camera-value", "85")
    page.tab.select_option("#sensor", "23.5")
    page.wait("opened > 2")
    page.choose_method("poisson")
    page.integrate()
    page.tab.click("#download-open")
    page.shows("#snippet", f"Perspective({85 / 23.5 * 150!r}")


def test_a_k_file_and_a_mask_are_added_by_their_lines(page: Page, tmp_path: Path) -> None:
    page.tab.evaluate(QUICK)
    files = encoded("demo", 150, tmp_path)
    page.drop(files["normals"])
    page.wait("opened > 0")
    with page.tab.expect_file_chooser() as chooser:
        page.tab.select_option("#camera", "file")
    matrix = {"name": "lens.txt", "mimeType": "text/plain", "buffer": b"270 0 74.5\n0 270 74.5\n0 0 1\n"}
    chooser.value.set_files(matrix)
    page.wait("opened > 1")
    page.shows("#camera", "perspective 31.0°, from file")
    with page.tab.expect_file_chooser() as chooser:
        page.tab.click("#mask-choose")
    chooser.value.set_files({**files["mask"], "name": "inside.png"})
    page.wait("opened > 2")
    page.shows("#file-list", "inside.png")
    page.shows("#file-list", "lens.txt")


def test_strokes_are_saved_and_loaded(page: Page) -> None:
    page.tab.evaluate(QUICK)
    page.open_example("islands")
    paint(page, "forbid", (0.2, 0.2), (0.5, 0.2))
    paint(page, "force", (0.2, 0.6), (0.5, 0.6))
    with page.tab.expect_download() as caught:
        page.tab.click("#strokes-save")
    saved = Path(caught.value.path()).read_bytes()
    assert caught.value.suggested_filename == "hints.json"
    assert [stroke["tool"] for stroke in json.loads(saved)["strokes"]] == ["forbid", "force"]
    page.tab.click("#strokes-clear")
    page.tab.wait_for_selector("#map[data-strokes='0']")
    page.tab.set_input_files("#strokes-file", {"name": "hints.json", "mimeType": "text/plain", "buffer": saved})
    page.tab.wait_for_selector("#map[data-strokes='2']")
    page.tab.set_input_files("#strokes-file", {"name": "x.json", "mimeType": "text/plain", "buffer": b"[]"})
    page.shows(".notice", "holds no strokes")
    page.tab.click("#undo")
    page.tab.wait_for_selector("#map[data-strokes='0']")


def test_an_island_is_shown_and_moved(page: Page) -> None:
    page.open_example("demo")
    page.integrate()
    page.shows("#result-notes", "separated by jumps on all sides")
    part = page.tab.locator("#part-list li").first
    label = part.get_attribute("data-label")
    before = page.tab.locator("#map").screenshot()
    part.hover()
    page.tab.wait_for_selector(f"#map[data-part='{label}']")
    assert page.tab.locator("#map").screenshot() != before, "the part shines on the map"
    page.tab.mouse.move(600, 300)
    page.tab.wait_for_selector("#map[data-part='']")
    page.tab.click("#join")
    page.tab.wait_for_selector("input[name=tool][value=forbid]:checked", state="attached")
    slider = part.locator("input")
    slider.focus()
    page.tab.keyboard.press("End")
    page.wait("finished > 1")
    page.shows("#part-list output", "back")
    page.tab.click("#download-open")
    page.shows("#snippet", f"result.moved({label}, ")


def test_everything_is_taken_at_once(page: Page, tmp_path: Path) -> None:
    page.drop(encoded("islands", 64, tmp_path)["normals"])
    page.wait("opened > 0")
    page.set("iterations", "8")
    page.integrate()
    caught = page.download("everything-zip")
    assert caught.suggested_filename == "bear.zip"
    with zipfile.ZipFile(caught.path()) as archive:
        names = archive.namelist()
    assert {"bear/mesh.glb", "bear/solid.stl", "bear/height.png", "bear/page.html", "bear/reproduce.sh"} <= set(names)
    page.shows("#download-state", "bear.zip is among your downloads")
    page.tab.check("input[name=language][value=command]", force=True)
    page.shows("#snippet", "--solid")


def test_nothing_of_the_flow_needs_scrolling(server, browser, tmp_path: Path) -> None:
    page = Page(browser, f"http://127.0.0.1:{server.port}/", viewport={"width": 1024, "height": 768})
    files = encoded("demo", 150, tmp_path)
    page.drop(files["normals"], files["mask"])
    page.wait("opened > 0")
    seen = """ids => ids.filter(id => {
        const box = document.getElementById(id).getBoundingClientRect();
        return !(box.width && box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth);
    })"""
    steps = ["browse", "frame", "camera", "encoding", "found-size", "scale", "found-time", "integrate", "stage"]
    assert page.tab.evaluate(seen, steps) == []
    page.choose_method("poisson")
    page.tab.click("#drawer-close")
    page.integrate()
    assert page.tab.evaluate(seen, [*steps, "download-open"]) == []
    page.tab.click("#download-open")
    assert page.tab.evaluate(seen, ["everything", "meshes", "depths", "prints", "shows", "snippet"]) == []
    page.shot("download-1024")
    page.close()
