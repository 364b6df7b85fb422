"""Looking at surfaces in a real browser: light, colours, ruler, cross-section, comparison, draped images."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("playwright", reason="playwright is not installed")

from browser_page import Page, encoded

from crevasse.scenes import SCENES

pytestmark = pytest.mark.browser


def integrate(page: Page, example: str = "demo", method: str = "poisson") -> None:
    page.open_example(example)
    page.choose_method(method)
    page.integrate()


def click(page: Page, across: float, down: float) -> None:
    box = page.tab.locator("#stage").bounding_box()
    page.tab.mouse.click(box["x"] + across * box["width"], box["y"] + down * box["height"])


def test_the_light_moves_with_the_pointer_and_the_keys(page: Page) -> None:
    integrate(page)
    before = page.stage()
    box = page.tab.locator("#light").bounding_box()
    page.tab.mouse.move(box["x"] + 15, box["y"] + 12)
    page.tab.mouse.down()
    page.tab.mouse.move(box["x"] + box["width"] - 6, box["y"] + box["height"] - 10, steps=3)
    page.tab.mouse.up()
    page.tab.mouse.move(5, 5)
    dragged = page.stage()
    assert np.abs(dragged - before)[60:-130, 10:-100].mean() > 3, "light from the other side"
    page.tab.press("#light", "ArrowUp")
    page.tab.press("#light", "ArrowUp")
    assert np.abs(page.stage() - dragged)[60:-130, 10:-100].mean() > 0.5
    assert page.tab.evaluate("document.getElementById('stage').dataset.camera"), "the camera stands still"
    page.tab.dblclick("#light")
    assert np.abs(page.stage() - before)[60:-130, 10:-100].mean() < 0.5, "a double click puts it back"


def test_depth_has_a_legend_in_its_unit(page: Page, tmp_path: Path) -> None:
    # Without the truth, with which the page aligns what it shows.
    page.drop(encoded("islands", 96, tmp_path)["normals"])
    page.wait("opened > 0")
    page.integrate()
    assert page.tab.locator("#legend").is_hidden()
    page.tab.select_option("#shading", "depth")
    page.shows("#legend", "Depth")
    page.shows("#legend .unit", "px")
    depth = np.load(page.download("depth-npy").path())
    ticks = [float(text.replace("−", "-")) for text in page.tab.locator("#legend .tick").all_inner_texts()]
    assert len(ticks) >= 3 and np.nanmin(depth) - 1 <= ticks[0] < ticks[-1] <= np.nanmax(depth) + 1


@pytest.mark.parametrize("look", ["matcap", "normal", "depth", "error"])
def test_surfaces_are_shown_in_other_ways(page: Page, look: str) -> None:
    integrate(page)
    clay = page.stage()
    page.tab.select_option("#shading", look)
    page.wait(f"look == '{look}'")
    assert np.abs(page.stage() - clay).mean() > 2
    page.shot(f"look-{look}")


def test_errors_are_shown_only_where_the_truth_is_known(page: Page, tmp_path: Path) -> None:
    files = encoded("demo", 150, tmp_path)
    page.drop(files["normals"], files["mask"])
    page.wait("opened > 0")
    option = page.tab.locator("#shading option[value=error]")
    assert option.is_disabled()
    page.drop(files["truth"])
    page.wait("opened > 1")
    page.choose_method("poisson")
    page.integrate()
    assert not option.is_disabled()
    page.tab.select_option("#shading", "error")
    page.shows("#legend", "Error")


def test_the_ruler_measures_in_space(page: Page) -> None:
    integrate(page, "stairs")
    page.tab.click("#reset-view")
    page.tab.click(".tools [data-tool=ruler]")
    page.shows(".tool-hint", "first point")
    click(page, 0.42, 0.5)
    page.shows(".tool-hint", "second point")
    click(page, 0.62, 0.55)
    page.shows(".tool-hint", "apart")
    distance = float(page.data("measured"))
    assert 5 < distance < 1000
    page.shows(".overlay .measured", "px")
    page.shot("ruler-dark")
    page.tab.press("#stage", "Escape")
    assert page.tab.locator(".tool-hint").is_hidden()


def test_a_cross_section_is_plotted_and_saved(page: Page) -> None:
    integrate(page)
    page.tab.click(".tools [data-tool=profile]")
    click(page, 0.3, 0.45)
    click(page, 0.75, 0.5)
    page.wait("section > 10")
    assert page.tab.locator("#profile path.curve").count() == 2, "the surface and the truth"
    page.shot("section-dark")
    page.drag("#profile .plot", (0.4, 0.5), (0.5, 0.5))
    page.tab.wait_for_selector("#profile circle.curve", state="attached")
    with page.tab.expect_download() as caught:
        page.tab.click("#profile-csv")
    assert caught.value.suggested_filename == "section.csv"
    lines = Path(caught.value.path()).read_text().splitlines()
    assert len(lines) == int(page.data("section")) + 1
    row, column, _, depth = (float(text) for text in lines[len(lines) // 2].split(",")[:4])
    true = np.load(page.download("depth-npy").path())
    table = np.array([[float(x) if x else np.nan for x in line.split(",")[:4]] for line in lines[1:]])
    expected = true[table[:, 0].astype(int), table[:, 1].astype(int)]
    # The truth is known, so that all depths are read in its gauge: up to one scale.
    ratio = table[:, 3] / expected
    assert np.nanmax(ratio) / np.nanmin(ratio) == pytest.approx(1, abs=1e-4)
    assert row == table[len(lines) // 2 - 1, 0] and column > 0 and depth > 0


def test_two_methods_have_a_difference_map(page: Page) -> None:
    integrate(page, "demo", "poisson")
    page.tab.select_option("#shading", "difference")
    page.tab.select_option("#view-b", "truth")
    page.wait("look == 'difference'")
    page.shows("#legend", "A − B")
    page.wait("detailed == 'poisson truth'")
    one = page.stage()
    assert np.abs(one[..., 0] - one[..., 2]).max() > 60, "blue and orange"
    page.tab.check("input[name=layout][value=wipe]", force=True)
    page.shows("#legend", "Difference")
    page.shot("difference-dark")


def image_of(side: int, colour: tuple[int, int, int], folder: Path) -> dict[str, Any]:
    from crevasse.files.depth_files import write_image

    picture = np.empty((side, side, 3), np.uint8)
    picture[:] = colour
    write_image(folder / "albedo.png", picture, {})
    return {"name": "albedo.png", "mimeType": "image/png", "buffer": (folder / "albedo.png").read_bytes()}


def test_an_image_of_the_same_size_is_draped(page: Page, tmp_path: Path) -> None:
    integrate(page)
    side = SCENES["demo"]().mask.shape[0]
    page.drop(image_of(side, (250, 20, 20), tmp_path))
    page.wait("draped == 'albedo.png'")
    page.wait("look == 'photo'")
    picture = page.stage()
    assert ((picture[..., 0] > 200) & (picture[..., 1] < 60)).mean() > 0.15, "the surface is red"
    assert page.data("opened") == "1", "the map is still the one that was open"
    page.tab.select_option("#shading", "lit-photo")
    lit = page.stage()
    assert lit[..., 0][picture[..., 0] > 200].std() > 15, "the light falls on it"


def test_an_image_of_another_shape_is_refused(page: Page, tmp_path: Path) -> None:
    from crevasse.files.depth_files import write_image

    integrate(page)
    write_image(tmp_path / "albedo.png", np.zeros((40, 60, 3), np.uint8), {})
    data = (tmp_path / "albedo.png").read_bytes()
    page.drop({"name": "albedo.png", "mimeType": "image/png", "buffer": data})
    page.shows(".notice.bad", "60 × 40")
    page.drop({"name": "photo.png", "mimeType": "image/png", "buffer": b"no picture"})
    page.shows(".notice.bad", "cannot read photo.png")
