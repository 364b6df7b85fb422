"""Millimetres: from a pixel's size, a distance or a ruler; every file and summary names its unit."""

import json
from pathlib import Path

import numpy as np
import OpenImageIO as oiio
import pytest
import trimesh
from command import run
from maps import ball, encode

import crevasse
from crevasse.files.depth_files import write_image
from crevasse.files.height_files import Displacement


@pytest.fixture
def here(here):
    normals, _ = ball(64)
    write_image(Path("coin.png"), encode(normals, 16), {})
    return here


def test_a_printable_object_takes_one_command(here):
    run("integrate", "coin.png", "--pixel-size", ".02mm", "--solid", "-o", "coin.stl")
    solid = trimesh.load("coin.stl")
    assert solid.is_watertight
    np.testing.assert_allclose(solid.extents[:2], 56 * 0.02, rtol=0.1)
    assert b"mm" in Path("coin.stl").read_bytes()[:80]
    assert sorted(path.name for path in here.iterdir()) == ["coin.png", "coin.stl"]
    refused = run("integrate", "coin.png", "--solid", "-o", "coin.stl", code=2)
    assert "coin.stl already exists" in refused.stderr


@pytest.mark.parametrize(("text", "size"), [("20um", 0.02), (".02", 0.02), ("0.002 cm", 0.02), ("1in", 25.4)])
def test_lengths_may_have_units(here, text, size):
    report = json.loads(run("integrate", "coin.png", "--method", "poisson", "--pixel-size", text, "--json").stdout)
    assert (report["unit"], report["metric"]) == ("mm", True)
    facts = json.loads(Path("coin/result.json").read_text())
    assert facts["camera"]["pixel_size"] == pytest.approx(size)


@pytest.mark.parametrize("text", ["-1mm", "0", "2 parsec", "nan"])
def test_other_lengths_are_refused(here, text):
    assert "is not a positive length" in run("integrate", "coin.png", "--pixel-size", text, code=2).stderr


def test_a_distance_gives_a_perspective_result_its_scale(here):
    words = ("integrate", "coin.png", "--method", "poisson", "--fov", 30, "--json")
    report = json.loads(run(*words, "--distance", "400mm").stdout)
    assert (report["unit"], report["metric"]) == ("mm", True)
    assert np.nanmedian(np.load("coin/depth.npy")) == pytest.approx(400)
    plain = json.loads(run(*words, "--overwrite").stdout)
    assert plain["metric"] is False
    assert "known up to scale" in plain["unit"]
    assert "Depth has no unit (known up to scale)" in run(*words[:-1], "--overwrite").stdout


@pytest.mark.parametrize("camera", [(), ("--fov", 30)])
def test_a_ruler_gives_any_result_its_scale(here, camera):
    run("integrate", "coin.png", "--method", "poisson", *camera, "--ruler", "32,12,32,52,10")
    depth = np.load("coin/depth.npy")
    facts = json.loads(Path("coin/result.json").read_text())["camera"]
    model = crevasse.Perspective if camera else crevasse.Orthographic
    viewer = model(**{key: value for key, value in facts.items() if key != "model"})
    first, second = viewer.points([32, 32], [12, 52], depth[[32, 32], [12, 52]])
    assert np.linalg.norm(second - first) == pytest.approx(10)


def test_scales_that_make_no_sense_are_refused(here):
    told = run("integrate", "coin.png", "--method", "poisson", "--distance", "400", code=3).stderr
    assert "--distance does not fit" in told and "--pixel-size" in told
    told = run("integrate", "coin.png", "--method", "poisson", "--ruler", "0,0,32,32,5", "-o", "b", code=3).stderr
    assert "row 0, column 0, where there is no surface" in told
    told = run("integrate", "coin.png", "--ruler", "32,12,32,52,-1", "-o", "c", code=2).stderr
    assert "the length of the ruler is -1 mm; give a positive one" in told


@pytest.mark.parametrize("words", [("--pixel-size", "1", "--ruler"), ("--fov", "30", "--distance", "400", "--ruler")])
def test_a_scale_is_given_once(here, words):
    told = run("integrate", "coin.png", "--method", "poisson", *words, "32,12,32,52,10", code=2).stderr
    assert f"{words[-3]} or --ruler, not both" in told


def test_height_maps_are_white_where_the_surface_is_high(here):
    run(
        *("integrate", "coin.png", "--method", "poisson", "--pixel-size", ".5mm"),
        *("--height-format", "png16"),
        *("--height-format", "exr"),
        *("--height-format", "tif"),
    )
    depth = np.load("coin/depth.npy")
    facts = json.loads(Path("coin/result.json").read_text())["displacement"]
    span = np.nanmax(depth) - np.nanmin(depth)
    assert facts["length"] == pytest.approx(span)
    assert facts["px"] == pytest.approx(span / 0.5)
    assert facts["words"] == f"displacement strength {span / 0.5:.3g} px = {span:.3g} mm"
    inside = np.isfinite(depth)
    for name, scale in (("height.png", span / 65535), ("height.exr", 1.0), ("height.tif", 1.0)):
        image = oiio.ImageInput.open(f"coin/{name}")
        told = json.loads(image.spec().get_string_attribute("ImageDescription"))
        assert told["words"] == facts["words"]
        samples = image.read_image(image.spec().format)[..., 0].astype(float)
        np.testing.assert_allclose(samples[inside] * scale, (np.nanmax(depth) - depth)[inside], atol=span / 60000)
        assert not samples[~inside].any()


@pytest.mark.parametrize(
    ("pixels", "words"),
    [(3706.4, "3,706 px"), (18.24, "18.2 px"), (999.7, "1,000 px"), (0.0, "0 px"), (2e9, "2e+09 px")],
)
def test_a_strength_is_a_number_that_people_read(pixels, words):
    assert str(Displacement(pixels, pixels, None)) == f"displacement strength {words}"


def test_the_command_says_the_strength_in_words(here):
    said = run("integrate", "coin.png", "--method", "poisson", "--height-format", "png16").stdout
    assert "Displacement strength" in said and "px" in said
    assert "Mesh: " in said and "1 part" in said


def test_depth_files_and_pictures_name_the_unit(here):
    run(
        "integrate",
        "coin.png",
        "--method",
        "poisson",
        "--pixel-size",
        "1mm",
        "--depth-format",
        "tif",
        "--depth-format",
        "png16",
    )
    spec = oiio.ImageInput.open("coin/depth.tif").spec()
    assert "unit: mm" in spec.get_string_attribute("ImageDescription")
    assert json.loads(Path("coin/depth.png.json").read_text())["unit"] == "mm"
    assert b"unit: mm" in Path("coin/mesh.ply").read_bytes()[:400]


@pytest.fixture(scope="module")
def seen():
    """A small plane before a camera."""
    return crevasse.integrate(np.tile([0.0, 0.0, 1.0], (4, 5, 1)), camera=crevasse.Perspective(9.0, 9.0, 2.0, 2.0))


@pytest.mark.parametrize(
    "factor",
    [0, -1, 10**30, 10**400, 1e300, 1e-300, np.nan, np.inf, "x", None, True, np.complex64(1)],
    ids="{!r:.12}".format,
)
def test_impossible_scale_factors_are_refused(seen, factor):
    with pytest.raises(ValueError, match="factor is"):
        seen.scaled(factor)
    with pytest.raises(ValueError, match=r"(distance|factor) is"):
        seen.at_distance(factor)


@pytest.mark.parametrize("odd", [np.nan, np.inf, 10**400, "1", None], ids="{!r:.12}".format)
@pytest.mark.parametrize("place", range(5))
def test_rulers_that_are_not_numbers_are_refused(seen, place, odd):
    ruler = [0, 0, 1, 1, 5.0]
    ruler[place] = odd
    with pytest.raises(ValueError, match="of ruler is"):
        seen.measured(ruler)


@pytest.mark.parametrize("length", [0, -3.0])
def test_rulers_without_a_length_are_refused(seen, length):
    with pytest.raises(ValueError, match="length of ruler is"):
        seen.measured([0, 0, 1, 1, length])


def test_a_scaled_result_keeps_its_shape():
    normals, mask = ball(32)
    for camera in (crevasse.Orthographic(0.5), crevasse.Perspective(60, 60, 15.5, 15.5)):
        result = crevasse.integrate(normals, mask, camera, "poisson")
        larger = result.scaled(3.0, "mm")
        np.testing.assert_allclose(larger.mesh().vertices, 3 * result.mesh().vertices, rtol=1e-9)
        assert larger.unit == "mm" and result.unit is None
        np.testing.assert_allclose(larger.jumps.right, 3 * result.jumps.right, rtol=1e-6, atol=1e-9)


def test_saving_writes_what_the_command_writes(here):
    normals, mask = ball(64)
    run("integrate", "coin.png", "--method", "poisson", "-o", "command")
    found = crevasse.read_normals("coin.png")
    crevasse.integrate(found.normals, found.mask, found.camera, "poisson").save("python")
    assert {path.name for path in Path("command").iterdir()} == {path.name for path in Path("python").iterdir()}
    assert Path("command/mesh.ply").read_bytes() == Path("python/mesh.ply").read_bytes()
    with pytest.raises(crevasse.files.AlreadyThere):
        crevasse.integrate(normals, mask, method="poisson").save("python")
