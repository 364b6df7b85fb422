"""The page in a real browser: from dropped files to downloads."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("playwright", reason="playwright is not installed")

from browser_page import Page, encoded

pytestmark = pytest.mark.browser


def test_dropped_files_are_recognised(page: Page, tmp_path: Path) -> None:
    page.shot("empty-dark")
    files = encoded("demo", 150, tmp_path)
    matrix = {"name": "K.txt", "mimeType": "text/plain", "buffer": b"270 0 74.5\n0 270 74.5\n0 0 1\n"}
    page.drop(files["normals"], files["mask"], matrix, files["truth"])
    page.wait("map == 'bear.png'")
    shown = "select => select.selectedOptions[0].textContent"
    told = {name: page.tab.eval_on_selector(f"#{name}", shown) for name in ("frame", "camera", "encoding")}
    assert told == {
        "frame": "OpenGL, y up",
        "camera": "perspective 31.0°, from file",
        "encoding": "16-bit (n + 1) / 2",
    }
    assert page.tab.inner_text("#found-size").startswith("150 × 150")
    assert "second" in page.tab.inner_text("#found-time")
    listed = page.tab.inner_text("#file-list")
    assert all(name in listed for name in ("bear.png", "mask.png", "K.txt", "depth_gt.npz"))
    page.wait("surfaces == 'truth'")
    page.tab.select_option("#camera", "orthographic")
    page.wait("opened > 1")
    page.tab.select_option("#camera", "auto")
    page.wait("opened > 2")
    page.tab.click("#file-list li:has-text('Truth') button")
    page.wait("opened > 3")
    page.wait("surfaces == ''")


def test_a_click_on_integrate_that_leaves_a_field_counts(page: Page, tmp_path: Path) -> None:
    page.drop(encoded("demo", 150, tmp_path)["normals"])
    page.wait("opened > 0")
    page.choose_method("poisson")
    page.tab.select_option("#camera", "field_of_view")
    page.wait("opened > 1")
    page.wait("phase == 'ready'")
    page.tab.fill("#camera-value", "31")
    page.tab.click("#integrate")
    page.wait("opened > 2")
    page.wait("finished > 0")
    assert page.tab.input_value("#camera-value") == "31"
    page.wait("phase == 'ready'")


def test_the_brush_excludes_and_cuts(page: Page) -> None:
    page.open_example("islands")
    page.set("starts", "1")
    page.integrate()
    islands = page.number("#result-facts dd:nth-of-type(2)")
    page.tab.check("input[name=tool][value=exclude]", force=True)
    page.tab.fill("#brush-size", "10")
    box = page.tab.locator("#map").bounding_box()
    at = [(box["x"] + box["width"] * share, box["y"] + box["height"] * 0.2) for share in (0.3, 0.6)]
    page.tab.mouse.move(*at[0])
    page.tab.mouse.down()
    page.tab.mouse.move(*at[1], steps=5)
    page.tab.mouse.up()
    page.wait("finished > 1")
    depth = np.load(page.download("depth-npy").path())
    page.tab.keyboard.press("Escape")
    assert np.isnan(depth[25, 45:75]).all() and np.isfinite(depth[45, 45:75]).all()
    page.shot("painted-dark")
    page.tab.click("#undo")
    page.wait("finished > 2")
    page.tab.check("input[name=tool][value=force]", force=True)
    page.tab.focus("#map")
    for key in ["Shift+ArrowUp"] * 4 + [" "] + ["Shift+ArrowDown"] * 8 + [" "]:
        page.tab.press("#map", key)
    page.wait("finished > 3")
    assert page.number("#result-facts dd:nth-of-type(2)") > islands, "the surface is cut from edge to edge"
    page.shows("#snippet-files", "hints.json")


def test_the_downloaded_mesh_opens_again(page: Page, tmp_path: Path) -> None:
    import trimesh

    page.open_example("islands")
    page.set("starts", "1")
    page.integrate()
    parts = {}
    for bridged in (False, True):
        page.tab.evaluate("document.getElementById('download-open').click()")
        page.tab.set_checked("#bridged", bridged)
        caught = page.download("mesh-glb")
        assert caught.suggested_filename == "mesh.glb"
        caught.save_as(tmp_path / "mesh.glb")
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
    page.choose_method("poisson")
    page.integrate()
    page.tab.wait_for_function("() => document.getElementById('snippet').textContent.includes('read_normals')")
    assert page.tab.locator("#file-list b, #snippet b").count() == 0
