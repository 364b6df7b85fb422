"""Maps in every common image format are read at every door; damaged ones are told in our own words."""

import json
from pathlib import Path

import numpy as np
import OpenImageIO as oiio
import pytest
from click.testing import CliRunner
from maps import ball, encode
from PIL import Image

import crevasse
from crevasse.cli.main import cli
from crevasse.files import BadInput
from crevasse.web.opening import open_files

SUFFIXES = ("jpg", "jpeg", "webp", "tga", "bmp", "png", "tif")


def write(path, normals):
    """An 8-bit image by its suffix, as well as the format can."""
    values = encode(normals, 8)
    spec = oiio.ImageSpec(values.shape[1], values.shape[0], 3, "uint8")
    spec["CompressionQuality"] = 100
    spec["compression"] = "lossless" if path.suffix == ".webp" else "jpeg:98"
    if path.suffix in (".tga", ".bmp", ".png", ".tif"):
        spec["compression"] = "none"
    output = oiio.ImageOutput.create(str(path))
    assert output.open(str(path), spec) and output.write_image(values) and output.close()


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_python_command_line_and_page_read_every_format(tmp_path, monkeypatch, suffix):
    monkeypatch.chdir(tmp_path)
    normals, mask = ball(64)
    Path("folder").mkdir()
    write(Path(f"map.{suffix}"), normals)
    write(Path(f"folder/normal_map.{suffix}"), normals)
    inner = np.abs(normals[..., 2]) > 0.5
    for source in (f"map.{suffix}", "folder"):
        found = crevasse.read_normals(source)
        assert np.abs(found.normals - normals)[inner & mask].max() < (0.12 if suffix.startswith("jp") else 0.01)
    done = CliRunner().invoke(cli, ["info", f"map.{suffix}", "--json"])
    assert json.loads(done.stdout)["frame"]["detected"] in (
        ("opengl", "undecided") if suffix.startswith("jp") else ("opengl",)
    )
    page = open_files(Path("folder"), {f"normal_map.{suffix}": f"map.{suffix}"}, {}, 1 << 20)
    assert page.normals.shape == (64, 64, 3)


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("share", [0.02, 0.5])
def test_a_truncated_file_is_reported_in_our_own_words(tmp_path, suffix, share):
    path = tmp_path / f"map.{suffix}"
    write(path, np.random.default_rng(0).normal([0, 0, 1], 0.2, (64, 64, 3)))
    data = path.read_bytes()
    path.write_bytes(data[: max(int(share * len(data)), 30)])
    with pytest.raises(BadInput) as caught:
        crevasse.read_normals(path)
    text = str(caught.value)
    assert text.startswith(str(path))
    for word in (
        "OpenImageIO",
        "oiio",
        "libpng",
        "TIFF: ",
        "scanline",
        "Corrupt",
        "Read error",
        "setjmp",
        "IDAT",
        "stride",
    ):
        assert word not in text


@pytest.mark.parametrize("suffix", ["jpg", "png"])
@pytest.mark.parametrize("share", [0.3, 0.6, 0.95])
def test_a_truncated_smooth_map_is_refused_without_other_output(tmp_path, capfd, suffix, share):
    path = tmp_path / f"map.{suffix}"
    Image.fromarray(encode(ball(64)[0], 8)).save(path)
    crevasse.read_normals(path)
    data = path.read_bytes()
    path.write_bytes(data[: int(share * len(data))])
    with pytest.raises(BadInput, match="damaged"):
        crevasse.read_normals(path)
    assert capfd.readouterr() == ("", "")
