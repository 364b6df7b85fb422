"""What must hold for every method, whatever the map: exact planes, and symmetries of the problem."""

import numpy as np
import pytest
from helpers import assert_same_surface, at_most, integrate_scene
from hypothesis import given, settings
from hypothesis import strategies as st
from symmetries import SAMPLES, mirrored, plane, random_mask, transposed, upside_down

import crevasse
from crevasse import scenes
from crevasse.cameras import Orthographic, Perspective
from crevasse.scenes.scene import masked

# Linear solves to their end, few enough iterations: the properties hold at any of them.
METHODS = {
    "graduated": crevasse.Graduated(solver_iterations=200, solver_tolerance=1e-12),
    "auxiliary": crevasse.AuxiliaryEdges(iterations=24, tolerance=1e-11, solver_iterations=500),
    "poisson": crevasse.Poisson(tolerance=1e-12),
    "bilateral": crevasse.Bilateral(iterations=20, tolerance=1e-11),
}
every_method = pytest.mark.parametrize("name", METHODS)
every_camera = pytest.mark.parametrize("camera", ["orthographic", "perspective"])
slopes = st.floats(-1.5, 1.5)


@every_method
@every_camera
@settings(max_examples=at_most(12, "CREVASSE_EXAMPLES"), deadline=None)
@given(right=slopes, down=slopes, height=st.integers(2, 17), width=st.integers(2, 17), seed=st.integers(0, 999))
def test_planes_are_exact(name, camera, right, down, height, width, seed):
    viewer = (
        Orthographic() if camera == "orthographic" else Perspective(60.0, 60.0, (width - 1) / 2, (height - 1) / 2)
    )
    normals, truth = plane(viewer, (height, width), right, down)
    mask = random_mask((height, width), seed)
    if not mask.any():
        mask[0, 0] = True
    depth = crevasse.integrate(normals, mask, viewer, METHODS[name]).depth
    assert_same_surface(depth, np.where(mask, truth, np.nan), viewer, 1e-6)


@pytest.mark.parametrize("name", ["graduated", "auxiliary"])
@pytest.mark.parametrize("scene", [scenes.planes(20), scenes.tilted(20)], ids=lambda scene: scene.name)
def test_planes_that_meet_between_pixels_are_exact(name, scene):
    assert_same_surface(integrate_scene(scene, METHODS[name]).depth, scene.depth, scene.camera, 1e-6)


@settings(max_examples=at_most(30, "CREVASSE_EXAMPLES"), deadline=None)
@given(st.lists(st.floats(-0.05, 0.05), min_size=5, max_size=5), st.integers(2, 24), st.integers(2, 24))
def test_quadratics_are_exact_for_graduated(coefficients, height, width):
    a, b, c, d, e = coefficients
    rows, columns = np.mgrid[:height, :width]
    truth = a * columns**2 + b * columns * rows + c * rows**2 + d * columns + e * rows
    right, down = 2 * a * columns + b * rows + d, b * columns + 2 * c * rows + e
    normals = np.stack([right, -down, np.ones_like(right)], axis=-1)
    depth = crevasse.integrate(normals, method=METHODS["graduated"]).depth
    assert_same_surface(depth, truth, Orthographic(), 1e-4)


@every_method
@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize("change", [mirrored, upside_down, transposed])
def test_flips_and_transposes_commute(name, sample, change):
    scene = SAMPLES[sample]
    turned = change(scene)
    plain = integrate_scene(scene, METHODS[name])
    depth = integrate_scene(turned, METHODS[name]).depth
    back = {"mirrored": depth[:, ::-1], "upside down": depth[::-1], "transposed": depth.T}[turned.name]
    assert_same_surface(back, plain.depth, scene.camera, TURNED[name])


TURNED = {"graduated": 5e-2, "auxiliary": 1e-3, "poisson": 1e-6, "bilateral": 5e-3}
"""How far results of turned maps may be apart, in pixels: what rounding grows to in each method's loop, where it may
also decide which iteration is the last."""


@every_method
@pytest.mark.parametrize("sample", ["holes", "perspective"])
def test_values_outside_the_mask_do_not_matter(name, sample):
    scene = SAMPLES[sample]
    plain = integrate_scene(scene, METHODS[name]).depth
    top, left = 3, 7
    mask = np.pad(scene.mask, ((top, 2), (left, 5)))
    normals = np.pad(scene.normals, ((top, 2), (left, 5), (0, 0)), constant_values=0.577)
    camera = scene.camera.cropped(-top, -left)
    padded = crevasse.integrate(normals, mask, camera, METHODS[name]).depth
    assert np.array_equal(padded[top:-2, left:-5], plain, equal_nan=True)
    assert np.isnan(padded[:top]).all()

    rows, columns = np.flatnonzero(scene.mask.any(axis=1)), np.flatnonzero(scene.mask.any(axis=0))
    box = slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)
    assert box[0].start > 0
    camera = scene.camera.cropped(box[0].start, box[1].start)
    cropped = crevasse.integrate(scene.normals[box], scene.mask[box], camera, METHODS[name]).depth
    assert np.array_equal(cropped, plain[box], equal_nan=True)


@every_method
@pytest.mark.parametrize("sample", ["stairs", "perspective"])
def test_regions_do_not_know_of_each_other(name, sample):
    scene = SAMPLES[sample]
    gap = np.arange(scene.mask.shape[1]) == scene.mask.shape[1] // 2
    both = masked(scene, scene.mask & ~gap)
    together = integrate_scene(both, METHODS[name])
    assert together.regions >= 2
    for side in (np.arange(len(gap)) < np.argmax(gap), np.arange(len(gap)) > np.argmax(gap)):
        alone = integrate_scene(masked(scene, scene.mask & side), METHODS[name])
        part = np.where(side, together.depth, np.nan)
        assert_same_surface(part, alone.depth, scene.camera, TURNED[name])


@every_method
def test_pixel_size_scales_depth_and_nothing_else(name):
    scene = SAMPLES["stairs"]
    plain = integrate_scene(scene, METHODS[name])
    scaled = crevasse.integrate(scene.normals, scene.mask, Orthographic(0.25), METHODS[name])
    np.testing.assert_allclose(scaled.depth, 0.25 * plain.depth, rtol=1e-12)
    np.testing.assert_allclose(scaled.corners, 0.25 * plain.corners, rtol=1e-12)
    np.testing.assert_allclose(scaled.jumps.right, 0.25 * plain.jumps.right, rtol=1e-9, atol=1e-12)
    assert np.array_equal(scaled.islands, plain.islands)


@every_method
def test_a_long_focal_length_is_orthographic(name):
    scene = SAMPLES["holes"]
    focal = 1e7
    camera = Perspective(focal, focal, 20.0, 20.0)
    far = crevasse.integrate(scene.normals, scene.mask, camera, METHODS[name])
    near = integrate_scene(scene, METHODS[name])
    difference = (np.log(far.depth) * focal - near.depth)[scene.mask]
    assert np.abs(difference - np.median(difference)).max() < 1e-3


@every_method
def test_the_length_of_normals_is_irrelevant(name):
    scene = SAMPLES["relief"]
    lengths = 10 ** np.random.default_rng(5).uniform(-6, 6, scene.mask.shape)
    plain = integrate_scene(scene, METHODS[name]).depth
    scaled = crevasse.integrate(scene.normals * lengths[..., None], scene.mask, scene.camera, METHODS[name]).depth
    assert_same_surface(scaled, plain, scene.camera, TURNED[name])


@every_method
def test_single_precision_normals_are_welcome(name):
    scene = SAMPLES["holes"]
    plain = integrate_scene(scene, METHODS[name]).depth
    single = crevasse.integrate(scene.normals.astype(np.float32), scene.mask, scene.camera, METHODS[name]).depth
    assert_same_surface(single, plain, scene.camera, 1e-3)


@every_method
def test_the_same_bits_whatever_the_threads(name):
    # Large enough that several threads really share it.
    scene = scenes.demo(420)
    method = {
        "graduated": crevasse.Graduated(iterations=8, polish_iterations=1, final_iterations=1, starts=1, parts=20),
        "auxiliary": crevasse.AuxiliaryEdges(iterations=2, tolerance=1e-2),
        "bilateral": crevasse.Bilateral(iterations=2, exact=True),
        "poisson": crevasse.Poisson(),
    }[name]
    one, two, three = (integrate_scene(scene, method, threads=count) for count in (1, 2, 3))
    assert np.array_equal(one.depth, two.depth, equal_nan=True)
    assert np.array_equal(one.depth, three.depth, equal_nan=True)
    assert np.array_equal(one.history["energy"], three.history["energy"])
