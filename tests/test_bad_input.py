"""Bad input is refused by name, with the cure; odd input gets a right result."""

import numpy as np
import pytest
from helpers import assert_same_surface

import crevasse
from crevasse import scenes
from crevasse.cameras import Orthographic, Perspective
from crevasse.memory import FURTHER_ROWS
from crevasse.methods import METHODS
from crevasse.methods.registry import make

FLAT = np.full((5, 6, 3), [0.0, 0.0, 1.0])
QUICK = {name: make(name, {"iterations": 9} if hasattr(cls, "iterations") else {}) for name, cls in METHODS.items()}
MASKED = [name for name, cls in METHODS.items() if "mask" in cls.accepts]
BENDING = {"fourier", "regularised", "multi-scale"}
"""Methods that do not reproduce a plane exactly: see tests/test_literature.py for what they do reproduce."""
CAMERA = Perspective(50.0, 50.0, 2.5, 2.0)


@pytest.mark.parametrize(
    ("normals", "words"),
    [
        (np.zeros((5, 6)), ["normals", "(5, 6)", "(H, W, 3)"]),
        (np.zeros((5, 6, 4)), ["normals", "(5, 6, 4)", "(H, W, 3)"]),
        (np.zeros((0, 6, 3)), ["normals", "(0, 6, 3)", "at least one row"]),
        (np.zeros((5, 0, 3)), ["normals", "(5, 0, 3)", "one column"]),
        (np.zeros((5, 6, 3)), ["normals", "zero"]),
        (np.full((5, 6, 3), np.nan), ["normals", "not finite"]),
        (np.full((5, 6, 3), np.inf), ["normals", "not finite"]),
        (-FLAT, ["normals", "30 of 30", "negate z"]),
        (np.full((5, 6, 3), 200, np.uint8), ["normals", "uint8", "decode"]),
        (FLAT.astype(np.complex128), ["normals", "complex128", "floating-point"]),
        (FLAT > 0, ["normals", "bool"]),
        (np.full((5, 6, 3), "x"), ["normals", "floating-point"]),
        ([[1.0, 2.0], [3.0]], ["normals", "array"]),
        ("normal_map.png", ["normals", "(H, W, 3)"]),
        (None, ["normals", "(H, W, 3)"]),
    ],
    ids=lambda value: "" if isinstance(value, list) else None,
)
def test_normals_that_cannot_be_integrated_are_refused(normals, words):
    with pytest.raises(ValueError) as caught:
        crevasse.integrate(normals)
    assert all(word in str(caught.value) for word in words), str(caught.value)


@pytest.mark.parametrize(
    ("mask", "words"),
    [
        (np.ones((6, 5), bool), ["mask", "(6, 5)", "(5, 6, 3)"]),
        (np.ones((5, 6, 1), bool), ["mask", "(5, 6, 1)"]),
        (np.zeros((5, 6), bool), ["mask", "False everywhere"]),
        (np.full((5, 6), "in"), ["mask", "booleans"]),
        (np.full((5, 6), np.nan), ["mask", "not finite"]),
        (True, ["mask", "()"]),
    ],
    ids=str,
)
def test_masks_that_do_not_fit_are_refused(mask, words):
    with pytest.raises(ValueError) as caught:
        crevasse.integrate(FLAT, mask)
    assert all(word in str(caught.value) for word in words), str(caught.value)


@pytest.mark.parametrize(
    ("matrix", "words"),
    [
        (np.eye(4), ["K", "(4, 4)"]),
        ([[0, 0, 3], [0, 50, 2], [0, 0, 1]], ["fx", "0", "positive"]),
        ([[50, 0, 3], [0, -50, 2], [0, 0, 1]], ["fy", "-50", "positive"]),
        ([[50, 0, 0], [0, 50, 0], [3, 2, 1]], ["transposed", "K.T"]),
        ([[50, 9, 3], [0, 50, 2], [0, 0, 1]], ["skew", "9"]),
        ([[50, 0, 3], [0, 50, 2], [0, 0, 0]], ["last row", "[0, 0, 1]"]),
        ([[np.nan, 0, 3], [0, 50, 2], [0, 0, 1]], ["K", "not finite"]),
        ("K.txt", ["K", "3 x 3"]),
    ],
    ids=str,
)
def test_invalid_camera_matrices_are_refused(matrix, words):
    with pytest.raises(ValueError) as caught:
        Perspective.from_matrix(matrix)
    assert all(word in str(caught.value) for word in words), str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"camera": np.eye(4)}, ["K has shape (4, 4)", "3 x 3"]),
        ({"camera": "pinhole"}, ["camera", "pinhole"]),
        ({"method": "graduate"}, ["method", "'graduate'", "graduated"]),
        ({"method": crevasse.Graduated}, ["method", "Graduated()"]),
        ({"method": 3}, ["method", "3"]),
        ({"threads": 0}, ["threads", "0", "at least 1"]),
        ({"threads": "many"}, ["threads", "many", "whole number"]),
        ({"threads": 1.5}, ["threads", "1.5"]),
    ],
    ids=str,
)
def test_arguments_of_the_wrong_kind_are_refused(arguments, words):
    with pytest.raises(ValueError) as caught:
        crevasse.integrate(FLAT, **arguments)
    assert all(word in str(caught.value) for word in words), str(caught.value)


@pytest.mark.parametrize("value", [0, -1, np.nan, np.inf, "1", None, True])
def test_invalid_pixel_sizes_are_refused(value):
    with pytest.raises(ValueError, match="pixel_size"):
        Orthographic(value)


@pytest.mark.parametrize("name", METHODS)
def test_settings_out_of_bounds_are_refused_by_name(name):
    for setting in vars(METHODS[name]()):
        for value in (float("nan"), -1, "much", None):
            with pytest.raises(ValueError, match=setting):
                METHODS[name](**{setting: value})


def test_refusals_come_before_the_first_step():
    with pytest.raises(ValueError, match="mask"):
        crevasse.iterate(FLAT, np.zeros((5, 6), bool))


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("camera", [Orthographic(), CAMERA], ids=["orthographic", "perspective"])
@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (9, 1), (2, 2), (1, 2)], ids=str)
def test_images_of_few_pixels(name, camera, shape):
    normals = np.full((*shape, 3), [0.3, 0.2, 0.9])
    result = crevasse.integrate(normals, None, camera, METHODS[name]())
    assert np.isfinite(result.depth).all()
    assert np.isfinite(result.corners).all()
    if isinstance(camera, Orthographic) and name not in BENDING:
        rows, columns = np.mgrid[: shape[0], : shape[1]]
        assert_same_surface(result.depth, (0.3 * columns - 0.2 * rows) / 0.9, camera, 1e-3)
    assert len(result.mesh("quads").quads) == shape[0] * shape[1]


@pytest.mark.parametrize("name", METHODS)
def test_a_mask_of_one_pixel(name):
    mask = np.zeros((5, 6), bool)
    mask[2, 3] = True
    result = crevasse.integrate(FLAT, mask, CAMERA, METHODS[name]())
    assert np.array_equal(np.isfinite(result.depth), mask)
    assert (result.regions, result.islands.max(), result.pixels) == (1, 1, 1)


@pytest.mark.parametrize("name", MASKED)
def test_pixels_that_touch_by_corners_are_regions_of_their_own(name):
    mask = np.indices((5, 6)).sum(axis=0) % 2 == 0
    result = crevasse.integrate(FLAT, mask, None, METHODS[name]())
    assert result.regions == mask.sum() == result.islands.max()
    assert np.array_equal(np.isfinite(result.depth), mask)


@pytest.mark.parametrize("value", [0.0, np.nan, np.inf, -np.inf])
def test_pixels_without_a_normal_are_outside(value):
    scene = scenes.smooth(24)
    normals, mask = scene.normals.copy(), np.ones((24, 24), bool)
    normals[5:8, 4:9] = value
    mask[5:8, 4:9] = False
    method = crevasse.Poisson()
    result = crevasse.integrate(normals, None, scene.camera, method)
    assert np.array_equal(result.mask, mask)
    assert np.array_equal(
        result.depth, crevasse.integrate(scene.normals, mask, scene.camera, method).depth, equal_nan=True
    )
    assert not result.warnings
    explicit = crevasse.integrate(normals, np.ones((24, 24)), scene.camera, method)
    assert "15 pixels inside the mask have no normal" in explicit.warnings[0]


@pytest.mark.parametrize("name", METHODS)
def test_a_few_back_facing_pixels_are_reported_and_tolerated(name):
    scene = scenes.smooth(24)
    normals = scene.normals.copy()
    normals[10:13, 10:13] *= -1
    result = crevasse.integrate(normals, None, scene.camera, QUICK[name])
    assert "9 pixels face away from the camera" in result.warnings[0]
    assert np.isfinite(result.depth).all()


def test_input_is_left_as_it_was():
    scene = scenes.holes(24)
    normals, mask = scene.normals * 3, scene.mask.copy()
    before = normals.copy(), mask.copy()
    crevasse.integrate(normals, mask)
    assert np.array_equal(normals, before[0]) and np.array_equal(mask, before[1])
    normals.flags.writeable = mask.flags.writeable = False
    crevasse.integrate(normals[::-1, ::2], mask[::-1, ::2])


def test_maps_that_do_not_fit_into_memory_are_refused_before_any_work():
    huge = np.broadcast_to(np.array([0.0, 0.0, 1.0]), (300_000, 300_000, 3))
    with pytest.raises(MemoryError) as caught:
        crevasse.integrate(huge)
    for word in ["300000 x 300000", "16.37 TB", "crop", "downsample", "max_memory"]:
        assert word in str(caught.value)


@pytest.mark.parametrize("name", METHODS)
def test_memory_is_estimated_for_the_bounding_box_of_the_mask(name):
    normals, mask = np.full((600, 500, 3), [0.0, 0.0, 1.0]), np.zeros((600, 500), bool)
    mask[100:120, 50:80] = True
    allowed = (20 + FURTHER_ROWS) * 30 * METHODS[name].bytes_per_pixel
    assert crevasse.integrate(normals, mask, method=QUICK[name], max_memory=allowed).pixels == 600
    with pytest.raises(MemoryError, match="30 x 20 pixels"):
        crevasse.integrate(normals, mask, method=QUICK[name], max_memory=allowed - 1)
