"""The pictures, the animation and the page that the command line writes."""

import io
import json

import numpy as np
import pytest
from click.testing import CliRunner

from crevasse import scenes
from crevasse.cli.main import cli


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A disc over a ramp, integrated with everything that can be shown of it."""
    place = tmp_path_factory.mktemp("shown")
    np.save(place / "disc.npy", scenes.disc(64).normals)
    answer = CliRunner().invoke(
        cli, ["integrate", str(place / "disc.npy"), "-o", str(place / "out"), "--animate", "--html", "--json"]
    )
    assert answer.exit_code == 0, answer.stderr
    outputs = json.loads(answer.stdout)["outputs"]
    assert outputs["animation"] == str(place / "out" / "animation.webp")
    assert outputs["page"] == str(place / "out" / "page.html")
    return place / "out"


def test_pictures_have_the_size_of_the_map(folder):
    assert size(folder / "preview.png") == (64, 64)
    for name in ("jumps.png", "depth_colours.png"):
        assert size(folder / name)[0] > 64 + 20


def size(path):
    from PIL import Image

    with Image.open(path) as image:
        return image.size


def test_the_animation_ends_with_the_result_and_moves_before(folder):
    from PIL import Image

    image = Image.open(io.BytesIO((folder / "animation.webp").read_bytes()))
    assert image.n_frames > 8
    frames = []
    for i in (0, image.n_frames - 1):
        image.seek(i)
        frames.append(np.asarray(image.convert("RGB")).astype(int))
    assert np.abs(frames[0] - frames[1]).max() > 50


def test_the_page_is_named_after_the_map_and_shows_the_animation(folder):
    text = (folder / "page.html").read_text("utf-8")
    assert "<title>disc</title>" in text
    assert "data:image/webp;base64," in text


def test_optional_files_are_written_only_on_request(tmp_path):
    np.save(tmp_path / "disc.npy", scenes.disc(32).normals)
    answer = CliRunner().invoke(cli, ["integrate", str(tmp_path / "disc.npy"), "-o", str(tmp_path / "out")])
    assert answer.exit_code == 0, answer.stderr
    assert not list((tmp_path / "out").glob("*.webp"))
    assert not list((tmp_path / "out").glob("*.html"))
