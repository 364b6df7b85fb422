"""Strokes saved on the page say the same to the command line as to the page."""

import json
from dataclasses import asdict

import numpy as np
import pytest
from click.testing import CliRunner

import crevasse
from crevasse import scenes
from crevasse.cli.main import cli
from crevasse.files.depth_files import write_image
from crevasse.files.errors import BadInput
from crevasse.files.hint_files import read_hints, strokes_text
from crevasse.files.strokes import Stroke, paint

SCENE = scenes.smooth(48)
STROKES = (
    Stroke("force", 1.0, ((4.0, 24.0), (44.0, 24.0))),
    Stroke("exclude", 3.0, ((10.0, 8.0), (14.0, 12.0))),
    Stroke("forbid", 2.0, ((30.0, 30.0), (30.0, 40.0))),
)


@pytest.fixture
def folder(tmp_path):
    """A map, and strokes as the page saves them."""
    write_image(tmp_path / "map.png", np.rint((SCENE.normals + 1) / 2 * 65535).astype(np.uint16), {})
    write_image(tmp_path / "mask.png", np.uint8(255) * SCENE.mask[..., None].astype(np.uint8), {})
    strokes = [asdict(stroke) for stroke in STROKES]
    (tmp_path / "hints.json").write_text(strokes_text(strokes, SCENE.mask.shape))
    return tmp_path


def integrate(folder, *options):
    command = ["integrate", str(folder / "map.png"), "--mask", str(folder / "mask.png"), "--frame", "opengl"]
    done = CliRunner().invoke(cli, [*command, "-o", str(folder / "out"), "--overwrite", "--json", *map(str, options)])
    return done, np.load(folder / "out" / "depth.npy") if done.exit_code == 0 else None


def test_strokes_of_the_page_are_hints_of_the_command(folder):
    done, depth = integrate(folder, "--hints", folder / "hints.json")
    assert done.exit_code == 0, done.output
    painting = paint(STROKES, SCENE.mask.shape)
    source = crevasse.read_normals(folder / "map.png", mask=folder / "mask.png", frame="opengl")
    mask = source.mask & ~painting.excluded
    expected = crevasse.integrate(source.normals, mask, source.camera, hints=painting.hints)
    assert np.array_equal(depth, expected.depth, equal_nan=True)
    assert np.isnan(depth[11, 9]), "excluded pixels are left out"
    _, plain = integrate(folder)
    assert not np.array_equal(depth, plain, equal_nan=True)


def test_an_array_of_hints_says_the_same_as_strokes(folder):
    painting = paint(STROKES[:1], SCENE.mask.shape)
    (folder / "one.json").write_text(strokes_text([asdict(STROKES[0])], SCENE.mask.shape))
    np.save(folder / "hints.npy", painting.hints)
    surfaces = [integrate(folder, "--hints", folder / name)[1] for name in ("one.json", "hints.npy")]
    assert np.array_equal(*surfaces, equal_nan=True)


@pytest.mark.parametrize(
    "text, why",
    [
        ("not json", "no hints"),
        ("{}", "strokes"),
        ('{"size": [3, 3], "strokes": []}', "painted on a map of size"),
        ('{"size": [48, 48], "strokes": [{"tool": "pen"}]}', "tool is 'pen'"),
        ('{"size": [48, 48], "strokes": [7]}', "a stroke is 7"),
        ('{"size": [48, 48], "strokes": [{"tool": "force", "radius": 1e999, "points": [[1, 2]]}]}', "radius"),
        ('{"size": [48, 48], "strokes": [{"tool": "force", "radius": 1, "points": [[1, "x"]]}]}', "pairs of finite"),
        (
            '{"size": [48, 48], "strokes": [{"tool": "force", "radius": 1, "points": [[1, 1e300]]}]}',
            "pairs of finite",
        ),
        ('{"size": [48, 48], "strokes": [{"tool": "force", "radius": 1, "points": 5}]}', "a list of 1 to"),
        ("[" * 100_000, "strokes"),
    ],
)
def test_wrong_strokes_are_refused_with_a_reason(tmp_path, text, why):
    path = tmp_path / "hints.json"
    path.write_text(text)
    with pytest.raises(BadInput, match=why):
        read_hints(path, (48, 48))


def test_hints_that_leave_nothing_or_have_no_effect_are_refused(folder):
    everything = [{"tool": "exclude", "radius": 200, "points": [[24, 24]]}]
    (folder / "all.json").write_text(strokes_text(everything, SCENE.mask.shape))
    done, _ = integrate(folder, "--hints", folder / "all.json")
    assert done.exit_code == 3 and "leaves out every pixel" in done.output
    done, _ = integrate(folder, "--hints", folder / "hints.json", "--method", "poisson")
    assert done.exit_code == 2 and "--hints has no effect" in done.output


def test_a_result_depends_on_the_content_of_its_hints(folder):
    _, _ = integrate(folder, "--hints", folder / "hints.json")
    identity = json.loads((folder / "out" / "result.json").read_text())["identity"]
    assert identity["inputs"]["hints"].startswith("sha256:")


def test_an_archive_of_hints_is_read_by_its_only_array(tmp_path):
    hints = np.zeros((6, 5), np.int8)
    hints[2, 3] = 1
    np.savez(tmp_path / "by_name.npz", hints=hints, other=1 - hints)
    np.savez(tmp_path / "alone.npz", anything=hints)
    np.savez(tmp_path / "unclear.npz", one=hints, two=hints)
    for name in ("by_name.npz", "alone.npz"):
        assert np.array_equal(read_hints(tmp_path / name, (6, 5)).hints, hints)
    with pytest.raises(BadInput, match="2 arrays of shape"):
        read_hints(tmp_path / "unclear.npz", (6, 5))
