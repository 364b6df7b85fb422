"""The page in a real browser: axe finds nothing against WCAG 2.2 AA in any of its states, in either theme."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("playwright", reason="playwright is not installed")
pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed")

from axe_playwright_python.sync_playwright import Axe
from browser_page import Page

pytestmark = pytest.mark.browser

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def violations(page: Page, state: str) -> list[str]:
    """What axe finds wrong, a line each."""
    found = Axe().run(page.tab, options={"runOnly": RULES}).response["violations"]
    return [f"{state}: {one['id']}: {node['html'][:120]}" for one in found for node in one["nodes"]]


def states(page: Page) -> Iterator[str]:
    """Bring the page into one state after another."""
    yield "empty"
    page.drop({"name": "a.png", "mimeType": "image/png", "buffer": b"no picture"})
    page.tab.wait_for_selector(".notice.bad")
    yield "error"
    page.tab.click(".notice button")
    page.open_example("demo")
    page.unfold()
    page.tab.check("input[name=tool][value=exclude]", force=True)
    yield "open, with the method's settings and the brush"
    page.set("iterations", "8")
    page.integrate()
    page.tab.click("#compare > summary")
    yield "finished"
    page.tab.click("#download-open")
    page.shows("#snippet", "crevasse")
    yield "downloads"
    page.tab.keyboard.press("Escape")
    page.tab.click("#help-open")
    yield "keys"
    page.tab.keyboard.press("Escape")


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_axe_finds_nothing(server: Any, browser: Any, theme: str) -> None:
    page = Page(browser, f"http://127.0.0.1:{server.port}/", color_scheme=theme, reduced_motion="reduce")
    found = [line for state in states(page) for line in violations(page, state)]
    assert found == []
    page.close()


def test_axe_would_find_something(page: Page) -> None:
    page.tab.evaluate("document.getElementById('theme').style.color = '#333'")
    page.tab.evaluate("document.getElementById('browse').textContent = ''")
    rules = {line.split(": ")[1] for line in violations(page, "broken")}
    assert {"color-contrast", "button-name"} <= rules
