"""The page in a real browser: whoever uses it, however wide it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("playwright", reason="playwright is not installed")

from browser_page import PICTURES, Page, encoded
from web_tools import Running

pytestmark = pytest.mark.browser


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


def test_everything_is_reached_by_keyboard(page: Page, tmp_path: Path) -> None:
    page.drop(encoded("islands", 64, tmp_path)["normals"])
    page.wait("opened > 0")
    page.choose_method("poisson")
    page.integrate()
    page.choose_method("graduated")
    page.wait("finished > 1")
    page.tab.check("input[name=tool][value=exclude]", force=True)
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
        *("stage", "integrate", "method", "again", "result", "frame", "camera", "encoding", "scale", "choice"),
        *("undo", "download-open", "mask-choose", "strokes-load", "theme", "help-open"),
    }
    assert wanted <= reached, wanted - reached
    page.tab.focus("#stage")
    before = page.stage()
    page.tab.press("#stage", "ArrowLeft")
    assert np.abs(page.stage() - before).max() > 30, "arrow keys turn the surface"
    page.tab.press("#stage", "2")
    page.tab.wait_for_selector("input[name=layout][value=two]:checked", state="attached")


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
    page.choose_method("poisson")
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
