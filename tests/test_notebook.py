"""An Integration shows itself in a notebook."""

import base64
import io
import re
import sys
import types
from dataclasses import replace
from html import escape

import numpy as np
import pytest

import crevasse
from crevasse import scenes


@pytest.fixture(scope="module")
def result():
    scene = scenes.disc(64)
    return crevasse.integrate(scene.normals, scene.mask, scene.camera)


def test_it_shows_the_relief_and_the_jumps_without_other_files(result):
    from PIL import Image

    html = result._repr_html_()
    sources = re.findall(r'src="([^"]*)"', html)
    assert all(source.startswith("data:image/png;base64,") for source in sources)
    relief, jumps = (np.asarray(Image.open(io.BytesIO(base64.b64decode(s.split(",")[1])))) for s in sources)
    assert relief.shape == jumps.shape
    assert relief.mean() > 100 > jumps.mean()


def test_it_says_how_the_run_went(result):
    html = result._repr_html_()
    assert escape(str(result.status)) in html
    assert f"{result.pixels:,} pixels" in html
    assert f"{result.iterations} iteration" in html
    assert "Graduated" in html


def test_warnings_are_shown_as_text_and_not_as_markup(result):
    html = replace(result, warnings=("depth < 0 & falling",))._repr_html_()
    assert "depth &lt; 0 &amp; falling" in html


def test_a_large_map_gives_a_small_card():
    scene = scenes.smooth(900)
    result = crevasse.integrate(scene.normals, scene.mask, scene.camera, crevasse.Poisson())
    assert len(result._repr_html_()) < 600_000


class Shown:
    """What a notebook displays at one place, in turn."""

    def __init__(self):
        self.texts = []

    def display(self, text, display_id):
        self.texts.append(text)
        return self

    def update(self, text):
        self.texts.append(text)


def test_progress_is_a_bar_of_html_that_vanishes_and_needs_no_widgets(monkeypatch):
    shown = Shown()
    page = types.ModuleType("IPython.display")
    page.HTML, page.display = str, shown.display
    for name, module in {"ipykernel": page, "IPython": page, "IPython.display": page}.items():
        monkeypatch.setitem(sys.modules, name, module)
    scene = scenes.disc(64)
    crevasse.integrate(scene.normals, scene.mask, method="poisson", progress=True)
    assert re.search(r'<progress value="[01]\.\d+" max="1"></progress> Poisson: integrating, \d+%', shown.texts[1])
    assert shown.texts[-1] == ""
