"""The quality report: what it measures on known surfaces, what it advises, and that its page stands alone."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest
from command import run

import crevasse
from crevasse import scenes
from crevasse.files.depth_files import write_picture
from crevasse.quality.measures import SIZES, measure_angles, measure_bend, measure_curl, measure_jumps


def integrate(scene, **arguments):
    return crevasse.integrate(scene.normals, scene.mask, scene.camera, **arguments)


def bowl(depth, side=65):
    """Normals of a paraboloid that is this many pixels deep from its rim to its middle."""
    x = np.arange(side) - side // 2
    slope = 2 * depth * x / (side // 2) ** 2
    right, down = np.broadcast_to(slope, (side, side)), np.broadcast_to(slope[:, None], (side, side))
    return crevasse.Orthographic().normals(right, down)


@pytest.fixture(scope="module")
def stairs():
    return integrate(scenes.stairs(96))


def test_curl_is_left_only_where_jumps_were_not_found(stairs):
    found = measure_curl(stairs)
    assert found.before > 0.01
    assert found.after < found.before / 5
    smooth = measure_curl(integrate(scenes.stairs(96), method="poisson"))
    assert smooth.before == smooth.after == found.before


def test_angles_are_those_of_the_slopes():
    plane = crevasse.integrate(np.tile([0.6, 0.0, 0.8], (20, 20, 1)))
    assert measure_angles(plane).wide < 1e-3
    turned = replace(plane, surface=replace(plane.surface, heights=0.0 * plane.surface.heights))
    # A flat surface under normals that lean by 36.87 degrees.
    assert measure_angles(turned).middle == pytest.approx(36.87, abs=0.01)


def test_jumps_are_counted_by_size():
    result = integrate(scenes.stairs(96))
    found = measure_jumps(result)
    assert len(found.counts) == len(SIZES) + 1
    assert sum(found.counts) == sum(int(part.sum()) for part in result.cuts) > 0
    larger = measure_jumps(replace(result, surface=result.surface.scaled(3.0), camera=result.camera.scaled(3.0)))
    assert sum(larger.counts) == sum(found.counts)


def test_a_surface_without_jumps_has_none():
    found = measure_jumps(integrate(scenes.smooth(64)))
    assert sum(found.counts) == 0 and found.share == found.tallest == found.unturned == 0


def test_bend_of_known_bowls():
    for depth in (0.0, 2.0, 10.0):
        found = measure_bend(crevasse.integrate(bowl(depth)))
        assert found.sag == pytest.approx(depth, abs=1e-3 + 0.02 * depth)
    leaning = measure_bend(crevasse.integrate(np.tile([0.6, 0.0, 0.8], (20, 30, 1))))
    assert leaning.tilt == pytest.approx(36.87, abs=0.01) and leaning.sag < 1e-3


def answers(result, **arguments):
    return {answer.question: answer for answer in result.report(**arguments).answers}


def test_what_is_z_depends_on_what_is_known():
    flat = crevasse.integrate(bowl(4.0))
    assert "Not known" in answers(flat)["What is z in millimetres?"].words
    metric = answers(flat.scaled(0.05, "mm"))["What is z in millimetres?"]
    assert "0.05 mm wide" in metric.words and not metric.do.text
    seen = crevasse.integrate(bowl(4.0), camera=crevasse.Perspective(90.0, 90.0, 32.0, 32.0))
    assert "distance" in answers(seen)["What is z in millimetres?"].do.settings


def test_why_bent_tells_flat_from_bent():
    assert answers(crevasse.integrate(bowl(0.2)))["Why is it bent?"].words.startswith("It is not")
    bent = answers(crevasse.integrate(bowl(8.0)))["Why is it bent?"]
    assert "8 px" in bent.words and "field_of_view" in bent.do.settings


def test_why_steps_knows_the_method(stairs):
    assert "are separated" in answers(stairs)["Why are there steps?"].words
    smooth = integrate(scenes.stairs(96), method="poisson")
    assert "Poisson never makes any" in answers(smooth)["Why are there steps?"].words
    assert answers(integrate(scenes.smooth(48)))["Why are there steps?"].words == "There are none."


def test_the_data_are_json(stairs):
    data = json.loads(json.dumps(stairs.report().to_dict(), allow_nan=False))
    assert set(data["findings"]) == {"sigma", "noise", "curl", "angle", "jumps", "islands", "shape"}
    assert data["verdict"] == stairs.reliability
    assert all(found["state"] in ("good", "look") and found["words"] for found in data["findings"].values())
    assert [answer["question"] for answer in data["answers"]] == list(answers(stairs))


def test_the_page_stands_alone_and_escapes_what_it_is_told(stairs):
    report = crevasse.quality.report(stairs, facts={"file": "<script>alert(1)</script>"})
    page = report.to_html('A <b>"title"</b>')
    assert "<script" not in page and "<b>&quot;" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert all(address.startswith("data:image/png;base64,") for address in re.findall(r'src="([^"]*)"', page))
    assert "http" not in page.replace("http-equiv", "")
    assert page.count("<figure>") == 5 and page.count("<article>") == 3
    assert page in report._repr_html_() or "srcdoc" in report._repr_html_()


def test_a_given_error_reaches_the_report():
    result = integrate(scenes.smooth(64))
    told = result.report(normal_error=20.0)
    assert "20 degrees (as given)" in told.uncertainty.words
    assert told.to_dict()["findings"]["sigma"]["state"] == "look"
    assert result.report().to_dict()["findings"]["sigma"]["state"] == "good"


@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (7, 1), (2, 2)])
def test_tiny_maps(shape):
    page = crevasse.integrate(np.tile([0.3, 0.2, 0.93], (*shape, 1))).report().to_html()
    assert page.count("<figure>") == 5 and "nan" not in page.lower().split("data:")[0]


@pytest.fixture
def here(tmp_path, monkeypatch):
    scene = scenes.islands(64)
    write_picture(
        tmp_path / "map.png", np.where(scene.mask[..., None], (scene.normals + 1) * 127.5 + 0.5, 0).astype("u1")
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_command_writes_sigma_and_report(here):
    done = run("integrate", "map.png", "-o", "out", "--sigma", "--report", "--depth-format", "exr", "--json")
    report = json.loads(done.stdout)
    sigma, depth = np.load("out/sigma.npy"), np.load("out/depth.npy")
    assert np.array_equal(np.isnan(sigma), np.isnan(depth)) and np.isinf(sigma).any()
    assert report["sigma"]["unplaced"] == pytest.approx(np.isinf(sigma).sum() / np.isfinite(depth).sum())
    assert set(report["outputs"]) >= {"sigma", "sigma_exr", "sigma_picture", "quality"}
    page = (here / "out" / "report.html").read_text("utf-8")
    assert report["quality"]["answers"][2]["words"] in page.replace("&#x27;", "'")
    assert "pass --pixel-size" in report["quality"]["answers"][2]["do"]
    assert json.loads((here / "out" / "result.json").read_text())["quality"] == report["quality"]


def test_the_words_are_in_the_summary(here):
    shown = run("integrate", "map.png", "-o", "out", "--sigma").stdout
    assert "90 % intervals" in shown and "sigma.tif" in shown and "report.html" not in shown


def test_nothing_more_is_written_unasked(here):
    run("integrate", "map.png", "-o", "out")
    assert not {"sigma.npy", "sigma.png", "report.html"} & {path.name for path in (here / "out").iterdir()}
    assert "sigma" not in json.loads((here / "out" / "result.json").read_text())


def test_sigma_has_no_format_without_infinity(here):
    run("integrate", "map.png", "-o", "out", "--sigma", "--depth-format", "png16")
    names = {path.name for path in (here / "out").iterdir()}
    assert {"depth.png", "sigma.npy", "sigma.png"} <= names
    assert (here / "out" / "sigma.png").read_bytes() != (here / "out" / "depth.png").read_bytes()


def test_refused_before_any_work(here):
    assert "need a folder" in run("integrate", "map.png", "-o", "coin.stl", "--report", code=2).stderr
    assert "normal-error" in run("integrate", "map.png", "--report", "--normal-error", "90", code=2).stderr
    (here / "out").mkdir()
    (here / "out" / "sigma.npy").write_bytes(b"mine")
    assert "sigma.npy" in run("integrate", "map.png", "-o", "out", "--sigma", code=2).stderr
    assert (here / "out" / "sigma.npy").read_bytes() == b"mine"


def test_a_batch_writes_them_too(here):
    run("batch", "map.png", "-o", "all", "--report", "-j", "1")
    assert (here / "all" / "map" / "report.html").exists()


@pytest.mark.browser
@pytest.mark.parametrize("width", [360, 1200])
def test_the_page_fits_its_window(browser, stairs, tmp_path, width):
    page = stairs.report().to_html("A-map-with-quite-a-long-name-" * 4)
    (tmp_path / "report.html").write_text(page, "utf-8")
    window = browser.new_page(viewport={"width": width, "height": 700})
    window.goto((tmp_path / "report.html").as_uri())
    assert window.evaluate("document.documentElement.scrollWidth") <= width
    assert window.evaluate("[...document.images].every(image => image.complete && image.naturalWidth > 0)")
    window.close()
