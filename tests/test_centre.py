"""8-bit maps are decoded with the zero that they were written with: flat maps are flat."""

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from maps import ball

import crevasse
from crevasse.cli.main import cli
from crevasse.files.centre import decode_table, flat_value, from_bytes
from crevasse.files.depth_files import write_image

FULL, WHOLE, CUT = "round((n + 1) * 127.5)", "round(n * 127 + 128)", "floor((n + 1) * 127.5)"
ENCODERS = {
    FULL: lambda n: np.floor((n + 1) * 127.5 + 0.5),
    WHOLE: lambda n: np.rint(n * 127 + 128),
    CUT: lambda n: np.floor((n + 1) * 127.5),
}


def bricks(size=256, steep=0.35):
    """A tileable map: flat bricks with bevels, and joints between them; its slopes sum up to zero."""
    rows, columns = np.indices((size, size))
    slopes = []
    for along in (columns, rows):
        at = along % 64
        slopes.append(np.where(at < 6, -steep, np.where(at >= 58, steep, 0.0)))
    normals = np.stack([slopes[0], -slopes[1], np.ones((size, size))], axis=-1)
    return normals / np.linalg.norm(normals, axis=-1, keepdims=True)


def colours(normals, encoder):
    return np.clip(ENCODERS[encoder](normals), 0, 255).astype(np.uint8)


def wrap_steps(vectors):
    """Height that a map gains from its left to its right and from its top to its bottom, in pixels, on average."""
    return (vectors[..., 0] / vectors[..., 2]).mean() * 256, (vectors[..., 1] / vectors[..., 2]).mean() * 256


def test_a_map_of_the_flat_colour_is_flat(tmp_path):
    flat = np.zeros((512, 512, 3), np.uint8) + np.array([128, 128, 255], np.uint8)
    write_image(tmp_path / "flat.png", flat, {})
    found = crevasse.read_normals(tmp_path / "flat.png")
    assert np.ptp(crevasse.integrate(found.normals, found.mask, method="poisson").depth) < 1e-6
    assert "128" in found.encoding


@pytest.mark.parametrize("encoder", list(ENCODERS))
def test_a_tileable_map_has_no_step_at_its_wrap(encoder):
    vectors, _ = from_bytes(colours(bricks(), encoder))
    assert np.abs(wrap_steps(vectors)).max() < 0.25


@pytest.mark.parametrize("encoder", [FULL, WHOLE])
def test_the_lengths_of_tilted_normals_identify_the_encoder(encoder):
    normals, mask = ball(128)
    values = np.where(mask[..., None], colours(normals, encoder), 0).astype(np.uint8)
    vectors, told = from_bytes(values)
    assert told == ("8-bit, 128 is zero" if encoder == WHOLE else "8-bit (n + 1) / 2")
    assert np.abs((vectors - normals)[mask].mean(axis=0)).max() < 3e-4, "no tilt is added"


def test_a_smooth_map_has_no_flat_value():
    normals, mask = ball(128)
    assert flat_value(colours(normals, FULL)[mask][:, 0]) is None
    assert flat_value(np.full(1000, 127)) == 127
    assert flat_value(np.full(1000, 90)) is None


def test_the_centre_can_be_given(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_image(Path("map.png"), colours(bricks(), WHOLE), {})
    for centre, whole in (("127.5", False), ("128", True)):
        found = crevasse.read_normals("map.png", centre=centre)
        np.testing.assert_allclose(
            found.decoded.lengths, np.linalg.norm(decode_table(whole)[found.pixels.values], axis=-1)
        )
        done = CliRunner().invoke(cli, ["info", "map.png", "--centre", centre, "--json"])
        assert json.loads(done.stdout)["encoding"] == found.encoding
    with pytest.raises(ValueError, match=r"centre is '127'; give one of auto, 127\.5, 128"):
        crevasse.read_normals("map.png", centre="127")


def test_info_says_which_value_is_zero(tmp_path):
    write_image(tmp_path / "map.png", colours(bricks(), WHOLE), {})
    done = CliRunner().invoke(cli, ["info", str(tmp_path / "map.png")])
    assert "flat is 128" in done.stdout
    write_image(
        tmp_path / "map.png", np.where(ball(128)[1][..., None], colours(ball(128)[0], WHOLE), 0).astype(np.uint8), {}
    )
    done = CliRunner().invoke(cli, ["info", str(tmp_path / "map.png")])
    assert "128 is zero" in done.stdout
