"""The frame is told from the data, or said to be undecidable; it is never told wrongly."""

import os
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from maps import ball, encode

import crevasse
from crevasse import scenes
from crevasse.cli.main import cli
from crevasse.files import read_folder, read_normals
from crevasse.files.checks import camera_warnings, detect, encoding_warnings, frame_warnings, settle_frame
from crevasse.files.depth_files import write_image, write_picture
from crevasse.files.detect import _judge_curl, detect_frame
from crevasse.files.evidence import Curl, flips
from crevasse.files.frames import Frame, is_conventional, opposite
from crevasse.files.silhouettes import trace_silhouette

FLIPS = flips(1) + flips(-1)
NORMALS, MASK = ball(96)


def stored_in(frame, normals):
    """OpenGL normals as a file in `frame` holds them."""
    stored = np.empty_like(normals)
    for along, (component, sign) in enumerate(zip(frame.order, frame.signs, strict=True)):
        stored[..., component] = sign * normals[..., along]
    return stored


@pytest.mark.parametrize("frame", FLIPS, ids=lambda frame: frame.name)
def test_every_flip_of_a_ball_is_recognised(frame):
    found = detect_frame(stored_in(frame, NORMALS), MASK, crevasse.Orthographic())
    assert found.sure
    assert found.detected == frame.name


@pytest.mark.parametrize("noise", [0.02, 0.1])
def test_noise_and_eight_bits_do_not_fool_it(noise):
    rough = NORMALS + np.random.default_rng(0).normal(0, noise, NORMALS.shape)
    rough = encode(rough / np.linalg.norm(rough, axis=-1, keepdims=True), 8) / 127.5 - 1
    for frame in FLIPS[:8]:
        found = detect_frame(stored_in(frame, rough * MASK[..., None]), MASK, crevasse.Orthographic(), 8)
        assert found.detected in (frame.name, "undecided")


@pytest.mark.parametrize("frame", FLIPS[::3], ids=lambda frame: frame.name)
def test_a_part_of_a_long_silhouette_is_enough(frame, monkeypatch):
    monkeypatch.setattr("crevasse.files.evidence.EDGE_PIXELS", 80)
    found = detect_frame(stored_in(frame, NORMALS), MASK, crevasse.Orthographic())
    assert (found.detected, found.sure) == (frame.name, True)


@pytest.mark.parametrize("frame", ["opengl", "directx", "opencv"])
def test_exchanged_red_and_blue_are_detected_and_restored(tmp_path, frame):
    swapped = stored_in(Frame.parse(frame), NORMALS)[..., ::-1]
    found = detect_frame(swapped, MASK, crevasse.Orthographic())
    assert found.sure
    assert "Red and blue are exchanged" in found.evidence[0]
    np.save(tmp_path / "map.npy", swapped)
    read = read_normals(tmp_path / "map.npy")
    np.testing.assert_allclose(read.normals, NORMALS, atol=1e-12)
    assert found.detected in read.warnings[-1]


def test_normals_turned_a_quarter_to_the_side_are_not_exchanged_colours():
    for sign in (1, -1):
        turned = np.stack([sign * NORMALS[..., 2], NORMALS[..., 1], -sign * NORMALS[..., 0]], axis=-1)
        found = detect_frame(turned, MASK, crevasse.Orthographic())
        assert (found.detected, found.sure) == ("world", True)


def rough_cap(bend=1.0, side=128):
    """Normals of a cap, or bent the other way a bowl, that slope by 60 degrees at the edge, rough as measured."""
    rows, columns = (np.indices((side, side)) - (side - 1) / 2) / (0.45 * side)
    mask = np.hypot(rows, columns) < 1
    slope = 1.7 * bend
    normals = np.stack([slope * columns, -slope * rows, np.ones_like(rows)], axis=-1)
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    normals += np.random.default_rng(3).normal(0, 0.15, normals.shape)
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    return normals * mask[..., None], mask


@pytest.mark.parametrize("frame", ["opengl", "directx", "opencv"])
def test_an_edge_that_slopes_outwards_decides_where_noise_hides_the_curl(frame):
    normals, mask = rough_cap()
    found = detect_frame(stored_in(Frame.parse(frame), normals), mask, crevasse.Orthographic(), 8)
    assert (found.detected, found.sure) == (frame, True)
    assert any("slopes outwards" in sentence for sentence in found.evidence)


@pytest.mark.parametrize("frame", ["opengl", "directx", "opencv"])
def test_a_rough_bowl_is_not_taken_for_a_cap(frame):
    normals, mask = rough_cap(-1.0)
    found = detect_frame(stored_in(Frame.parse(frame), normals), mask, crevasse.Orthographic(), 8)
    assert found.detected in (frame, "undecided")


def test_the_outward_direction_is_the_gradient_of_the_blurred_mask():
    from scipy import ndimage

    mask = MASK & (np.random.default_rng(2).random(MASK.shape) > 0.01)
    edge = trace_silhouette(NORMALS, mask, crevasse.Orthographic())
    down, right = np.gradient(ndimage.gaussian_filter(mask.astype(float), 2.0, mode="nearest"))
    known = np.zeros_like(mask)
    known[3:-3, 3:-3] = (mask & ~ndimage.binary_erosion(mask, border_value=1))[3:-3, 3:-3]
    known &= np.hypot(down, right) > 0.04
    outward = np.stack([-right[known], down[known]], axis=-1) / np.hypot(down, right)[known][:, None]
    np.testing.assert_allclose(edge.outward, outward, atol=1e-12)
    np.testing.assert_array_equal(edge.normals, NORMALS[known])


def test_pure_noise_is_undecided():
    random = np.random.default_rng(1).normal([0, 0, 1], 0.3, (96, 96, 3))
    random /= np.linalg.norm(random, axis=-1, keepdims=True)
    found = detect_frame(random, np.ones((96, 96), bool), crevasse.Orthographic())
    assert (found.detected, found.sure, found.fits) == ("undecided", False, ())


def test_without_a_silhouette_bumps_and_dents_are_the_same_and_the_conventional_reading_wins():
    window = np.s_[24:72, 24:72]
    for frame in FLIPS[:8]:
        stored = stored_in(frame, NORMALS)[window]
        found = detect_frame(stored, np.ones((48, 48), bool), crevasse.Orthographic())
        if frame.order == (0, 1, 2):
            usual = frame if frame.signs[0] > 0 else opposite(frame)
            assert (found.detected, found.sure) == (usual.name, True)
            assert opposite(usual).name in found.evidence[-1]
        else:
            assert not found.sure
            assert frame.name in found.fits
            assert len(found.fits) == 2


def test_the_evidence_on_curl_is_of_the_scale_that_decides():
    frames = flips(1)
    unclear, clear = np.full((8, 20), 0.01), np.full((8, 20), 0.01)
    unclear[4:] = clear[1:] = 1.0
    curls = [Curl(tiles, np.ones(20), 1.0) for tiles in (unclear, clear)]
    left, sentences = _judge_curl(curls, frames, 8)
    assert left == [frames[0]]
    assert sentences[0].startswith(f"Read as {frames[0].name}, the gradient field is curl-free")


@pytest.mark.parametrize(
    ("frame", "columns"), [(Frame((1, 0, 2)), slice(100, 180)), (Frame((1, 0, 2), (-1, -1, 1)), slice(10, 90))]
)
def test_curl_alone_does_not_make_a_swap_of_axes_certain(frame, columns):
    # Along this diagonal the silhouette is the same with x and y swapped.
    normals, mask = ball(192)
    window = slice(10, 90), columns
    found = detect_frame(stored_in(frame, normals)[window], mask[window], crevasse.Orthographic())
    assert found.detected == "undecided"
    assert not any("--frame" in str(warning) for warning in frame_warnings(found, "opengl"))


@pytest.mark.parametrize("size", [96, 128])
def test_no_swap_of_axes_is_proposed_for_stairs(tmp_path, size):
    scene = scenes.stairs(size)
    write_image(tmp_path / "stairs.png", encode(scene.normals, 8), {})
    said = CliRunner().invoke(cli, ["info", str(tmp_path / "stairs.png")])
    assert "read it as opengl" in said.stdout
    assert "cannot be determined" in said.stdout
    assert "pass --frame" not in said.stderr


def test_a_cylinder_does_not_determine_the_direction_of_its_axis():
    angle = np.linspace(-1.4, 1.4, 80)
    normals = np.zeros((60, 80, 3)) + np.stack([np.sin(angle), 0 * angle, np.cos(angle)], axis=-1)
    for frame in FLIPS[:8]:
        found = detect_frame(stored_in(frame, normals), np.ones((60, 80), bool), crevasse.Orthographic())
        assert not found.sure
        assert frame.name in found.fits or not found.fits


def test_planes_are_undecided():
    normals = np.broadcast_to([0.28, 0.0, 0.96], (50, 50, 3))
    assert detect_frame(normals, np.ones((50, 50), bool), crevasse.Orthographic()).detected == "undecided"


@pytest.mark.parametrize("degrees", [60, 90, 120])
def test_world_space_normals_are_reported(degrees):
    turn = np.radians(degrees)
    rotation = np.array([[1, 0, 0], [0, np.cos(turn), -np.sin(turn)], [0, np.sin(turn), np.cos(turn)]])
    found = detect_frame(NORMALS @ rotation.T, MASK, crevasse.Orthographic())
    assert (found.detected, found.sure) == ("world", True)
    assert "export camera-space normals" in frame_warnings(found, "opengl")[0]


@pytest.mark.parametrize("degrees", [20, 30, 45])
def test_tilted_normals_are_not_taken_for_the_camera_s(degrees):
    turn = np.radians(degrees)
    rotation = np.array([[1, 0, 0], [0, np.cos(turn), -np.sin(turn)], [0, np.sin(turn), np.cos(turn)]])
    found = detect_frame(NORMALS @ rotation.T, MASK, crevasse.Orthographic())
    assert found.detected in ("undecided", "world")


def test_a_requested_frame_is_kept_with_a_warning_if_it_is_wrong(tmp_path):
    np.save(tmp_path / "map.npy", stored_in(Frame.parse("directx"), NORMALS))
    found = read_normals(tmp_path / "map.npy", frame="opengl")
    assert found.frame == "opengl"
    assert found.warnings[-1] == "The map looks like directx, but was read as opengl: pass frame='directx'."
    np.testing.assert_allclose(found.normals[..., 1], -NORMALS[..., 1], atol=1e-12)


@pytest.mark.parametrize("frame", ["directx", "opencv"])
def test_by_default_the_reader_follows_the_data_and_says_so(tmp_path, frame):
    np.save(tmp_path / "map.npy", stored_in(Frame.parse(frame), NORMALS))
    found = read_normals(tmp_path / "map.npy")
    assert found.frame == frame
    assert f"The data indicate the frame {frame}" in found.warnings[-1]
    np.testing.assert_allclose(found.normals, NORMALS, atol=1e-12)


def wide_room(size=96, degrees=75):
    """Normals of a box seen from inside, with ceiling and floor that slope away: n_z is negative on much of them."""
    camera = crevasse.Perspective.from_field_of_view(degrees, (size, size))
    rows, columns = np.indices((size, size))
    u, v = (columns - camera.cx) / camera.fx, (rows - camera.cy) / camera.fy
    normals = np.full((size, size, 3), [0.0, 0.0, 1.0])
    tilt = np.radians(20)
    normals[(v > 0.35) & (v > np.abs(u))] = [0, np.cos(tilt), -np.sin(tilt)]
    normals[(v < -0.35) & (-v > np.abs(u))] = [0, -np.cos(tilt), -np.sin(tilt)]
    return normals, np.ones((size, size), bool), camera


def test_an_interior_seen_by_a_wide_lens_is_not_world_space():
    normals, mask, camera = wide_room()
    assert np.mean(normals[..., 2] < 0) > 0.2
    assert detect_frame(normals, mask, camera).detected in ("opengl", "undecided")
    without = detect_frame(normals, mask, crevasse.Orthographic())
    assert not without.sure
    assert "give the camera" in without.evidence[-1]


def test_the_rays_of_the_camera_rule_out_readings_that_would_be_seen_from_behind():
    normals, mask, camera = wide_room()
    found = detect_frame(stored_in(Frame.parse("directx"), normals), mask, camera)
    assert any("facing the viewer" in sentence and "opengl" not in sentence for sentence in found.evidence)


@pytest.mark.parametrize(
    ("camera", "told"),
    [
        (crevasse.Perspective(1.2, 1.2, 48, 48), "focal length of 1.2 pixels is implausible"),
        (crevasse.Perspective(100, 300, 48, 48), "differ implausibly"),
        (crevasse.Perspective(100, 100, 480, 48), "lies far outside the map"),
        (crevasse.Perspective(100, 100, 31.5, 47.5), "rows and columns were swapped"),
    ],
)
def test_an_implausible_camera_is_reported(tmp_path, camera, told):
    np.save(tmp_path / "map.npy", NORMALS[16:80])
    found = read_normals(tmp_path / "map.npy", camera=camera)
    assert any(told in sentence for sentence in found.warnings)
    assert not camera_warnings(read_normals(tmp_path / "map.npy", camera=crevasse.Perspective(100, 100, 47.5, 31.5)))


def test_the_right_frame_brings_no_warning(tmp_path):
    np.save(tmp_path / "map.npy", stored_in(Frame.parse("directx"), NORMALS))
    found, detection = settle_frame(read_normals(tmp_path / "map.npy", frame="directx"), "directx")
    assert detection.detected == "directx"
    assert found.warnings == ()


def test_eight_bits_stored_in_sixteen_are_reported(tmp_path):
    write_image(tmp_path / "fake.png", encode(NORMALS, 8).astype(np.uint16) * 257, {})
    write_image(tmp_path / "real.png", encode(NORMALS, 16), {})
    assert "holds 8-bit values" in encoding_warnings(read_normals(tmp_path / "fake.png"))[0]
    assert encoding_warnings(read_normals(tmp_path / "real.png")) == []


def test_the_srgb_curve_is_reported(tmp_path):
    linear = (NORMALS + 1) / 2
    curved = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    colours = np.rint(curved * 255).astype(np.uint8)
    colours[~MASK] = 0
    write_image(tmp_path / "map.png", colours, {})
    assert "pass srgb=True" in encoding_warnings(read_normals(tmp_path / "map.png"))[0]
    assert encoding_warnings(read_normals(tmp_path / "map.png", srgb=True)) == []


def test_lengths_other_than_one_are_reported(tmp_path):
    short = NORMALS * np.where(np.arange(96) % 3 == 0, 0.8, 1.0)[:, None]
    write_image(tmp_path / "map.png", encode(short, 16), {})
    assert "unit length" in encoding_warnings(read_normals(tmp_path / "map.png"))[0]


DATA = os.environ.get("CREVASSE_DATA")
MAPS = sorted(path.parent for path in Path(DATA).glob("*/*/normal_map.png")) if DATA else []
OBJECTS = ("diligent/", "scenes/", "maps/human", "maps/owl", "maps/bunny", "maps/reading")


@pytest.mark.data
@pytest.mark.skipif(not MAPS, reason="CREVASSE_DATA names no folder with maps")
@pytest.mark.parametrize("folder", MAPS, ids=[f"{path.parent.name}/{path.name}" for path in MAPS])
def test_no_flip_of_a_known_map_is_misnamed(folder):
    found = read_folder(folder)
    name = f"{folder.parent.name}/{folder.name}"
    whole_object = name.startswith(OBJECTS) and "analytic" not in name
    for number in range(8):
        frame = FLIPS[number + 8 * (number % 2)]
        detection = detect_frame(stored_in(frame, found.normals), found.mask, found.camera, found.bits)
        assert detection.detected in (frame.name, "undecided") or (
            not is_conventional(frame) and is_conventional(Frame.parse(detection.detected))
        ), "of readings that fit, a conventional one may win over the one that nobody writes"
        assert detection.detected == frame.name or not whole_object
        assert detection.sure == (detection.detected != "undecided")
        assert not detection.fits or frame.name in detection.fits


def test_an_implausible_camera_does_not_make_a_map_certainly_world_space(tmp_path):
    write_image(tmp_path / "ball.png", encode(NORMALS, 16), {})
    found = crevasse.read_normals(tmp_path / "ball.png", camera=crevasse.Perspective(1.0, 1.0, 0.0, 0.0))
    assert any("implausible" in warning for warning in found.warnings)
    detection = detect(found)
    assert (detection.detected, detection.sure) == ("undecided", False)
    assert "check the camera" in detection.evidence[-1]


def test_a_surface_with_many_jumps_gets_no_advice_to_swap_its_axes(tmp_path):
    scene = scenes.stairs(128)
    write_picture(tmp_path / "stairs.png", ((scene.normals + 1) * 127.5 + 0.5).astype(np.uint8))
    found = crevasse.read_normals(tmp_path / "stairs.png")
    assert found.frame == "opengl"
    assert not any("y,x,z" in warning for warning in found.warnings)
