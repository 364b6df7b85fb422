"""The page in a real browser: runs and views."""

from __future__ import annotations

import signal
import socket
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("playwright", reason="playwright is not installed")

from browser_page import PICTURES, Page, encoded, long_run
from page_client import start_server
from web_tools import Running, running

from crevasse.scenes import SCENES

pytestmark = pytest.mark.browser


BEGIN_AND_STOP = """() => {
    const [integrate, stop] = ["integrate", "stop"].map((id) => document.getElementById(id));
    integrate.click();
    const label = stop.textContent;
    stop.click();
    return label;
}"""


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
    page.shows("#result-notes", "separated by jumps on all sides")
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
    page.choose_method("poisson")
    page.integrate()
    page.wait("detailed == 'poisson'")
    assert drawn_pixels(page) == inside
    page.tab.select_option("#view-a", "truth")
    page.wait("detailed == 'poisson truth'")
    assert drawn_pixels(page) == inside


def test_the_newest_result_is_shown_and_fills_the_view(page: Page) -> None:
    page.open_example("demo")
    for method in ("graduated", "poisson"):
        page.choose_method(method)
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
    page.choose_method("poisson")
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
    page.choose_method("poisson")
    page.integrate()
    alone = {}
    for name in ("truth", "poisson"):
        page.tab.select_option("#view-a", name)
        page.wait(f"detailed.split(' ').includes('{name}')")
        alone[name] = page.stage()
    page.tab.check("input[name=layout][value=wipe]", force=True)
    page.tab.select_option("#view-b", "truth")
    for name in alone:
        page.wait(f"detailed.split(' ').includes('{name}')")
    page.tab.focus("#wipe")
    for key, share in (("Home", 0.0), ("End", 1.0)):
        page.tab.press("#wipe", key)
        wiped = page.stage()
        expected = alone["poisson" if share else "truth"]
        # Away from the controls, some of which make room for the wipe's.
        centre = (slice(90, -150), slice(20, -110))
        assert np.abs(wiped[centre] - expected[centre]).mean() < 0.6
    page.tab.fill("#wipe", "500")
    page.tab.click("#theme")
    page.tab.select_option("#shading", "depth")
    page.shot("wipe-light")


def test_hovering_shows_depth_and_normal(page: Page) -> None:
    page.open_example("islands")
    page.choose_method("poisson")
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


def test_large_maps_leave_the_page_responsive(server: Running, browser: Any, tmp_path: Path) -> None:
    page = Page(browser, f"http://127.0.0.1:{server.port}/")
    page.drop(encoded("smooth", 1024, tmp_path)["normals"])
    page.wait("opened > 0")
    page.shows("#found-size", "1024 × 1024")
    page.set("iterations", "100000")
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
    page.tab.wait_for_selector("#map[width='192']")


def test_the_page_survives_a_restart_of_the_server_during_a_run(browser: Any, tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process, _ = start_server(port)
    try:
        page = Page(browser, f"http://127.0.0.1:{port}/")
        page.drop(encoded("islands", 96, tmp_path)["normals"])
        page.wait("opened > 0")
        page.set("iterations", "100000")
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
        page.choose_method("poisson")
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
