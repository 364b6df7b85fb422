"""Cameras from every source people have."""

import json
import math

import numpy as np
import pytest

from crevasse import Orthographic, Perspective
from crevasse.files import BadInput, CameraChoice, read_camera

HEIGHT, WIDTH = 400, 600


def write(path, text):
    path.write_text(text)
    return path


@pytest.mark.parametrize("text", ["500 0 299.5\n0 510 199.5\n0 0 1\n", "500,0,299.5\n0,510,199.5\n0,0,1"])
def test_matrix_counts_pixel_centres(tmp_path, text):
    assert read_camera(write(tmp_path / "K.txt", text), HEIGHT, WIDTH) == Perspective(500, 510, 299.5, 199.5)


def test_colmap_counts_pixel_corners(tmp_path):
    text = "# Camera list\n1 PINHOLE 600 400 500 510 300 200\n"
    assert read_camera(write(tmp_path / "cameras.txt", text), HEIGHT, WIDTH) == Perspective(500, 510, 299.5, 199.5)
    text = "1 SIMPLE_PINHOLE 600 400 500 300 200\n"
    assert read_camera(write(tmp_path / "cameras.txt", text), HEIGHT, WIDTH) == Perspective(500, 500, 299.5, 199.5)


def test_transforms_count_pixel_corners(tmp_path):
    data = {"fl_x": 500, "fl_y": 510, "cx": 300, "cy": 200, "w": 600, "h": 400}
    path = write(tmp_path / "transforms.json", json.dumps(data))
    assert read_camera(path, HEIGHT, WIDTH) == Perspective(500, 510, 299.5, 199.5)
    path.write_text(json.dumps({"camera_angle_x": 2 * math.atan(0.6)}))
    camera = read_camera(path, HEIGHT, WIDTH)
    np.testing.assert_allclose([camera.fx, camera.fy, camera.cx, camera.cy], [500, 500, 299.5, 199.5])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("1 2 3", "9 numbers, the file has 3"),
        ("500 0 0\n0 500 0\n299.5 199.5 1", "transposed"),
        ("a b c d e f g h i", "could not convert"),
        ("", "the file has 0"),
        ("{", "not a usable camera"),
        ('{"w": 600}', "neither fl_x nor camera_angle_x"),
        ('{"fl_x": 500, "w": 640, "h": 480}', "for 640 x 480 pixels but the map has 600 x 400"),
        ("1 OPENCV 600 400 500 500 300 200 0.1 0 0 0", "lens distortion"),
        ("1 FISHEYE 600 400 500 500 300 200", "FISHEYE is not supported"),
        ("1 PINHOLE 600 400 500 500 300 200\n2 PINHOLE 600 400 500 500 300 200", "lists 2 cameras"),
        ("1 PINHOLE 600 400 -500 500 300 200", "must be positive"),
    ],
)
def test_unusable_camera_files_say_why(tmp_path, text, says):
    with pytest.raises(BadInput, match=says):
        read_camera(write(tmp_path / "camera", text), HEIGHT, WIDTH)


def test_cameras_are_made_from_the_numbers_that_users_have():
    resolve = lambda **given: CameraChoice(**given).resolve(HEIGHT, WIDTH)  # noqa: E731
    assert resolve() == Orthographic()
    assert resolve(pixel_size=0.05) == Orthographic(0.05)
    assert resolve(focal=(500.0,)) == Perspective(500, 500, 299.5, 199.5)
    assert resolve(focal=(500.0, 510.0), center=(10.0, 20.0)) == Perspective(500, 510, 10, 20)
    # A 36 mm wide sensor behind 30 mm sees 600 pixels as 500 do.
    assert resolve(focal_mm=30.0, sensor_width=36.0) == Perspective(500, 500, 299.5, 199.5)
    np.testing.assert_allclose(resolve(field_of_view=90.0).fy, 200.0)


@pytest.mark.parametrize(
    "given",
    [
        {"focal": (500.0,), "pixel_size": 1.0},
        {"focal": (500.0,), "field_of_view": 30.0},
        {"focal_mm": 50.0},
        {"sensor_width": 36.0},
        {"center": (1.0, 2.0)},
        {"focal": (-5.0,)},
        {"field_of_view": 180.0},
        {"pixel_size": 0.0},
    ],
)
def test_contradictions_are_refused(given):
    with pytest.raises(ValueError, match=r"several ways|belong together|needs a focal|must be"):
        CameraChoice(**given).resolve(HEIGHT, WIDTH)
