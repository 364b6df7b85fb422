"""What every camera provides, whichever it is."""

import numpy as np
import pytest

import crevasse
from crevasse import Orthographic, Perspective
from crevasse.cameras import MODELS, Camera, from_dict

CAMERAS = [Orthographic(), Orthographic(0.25), Perspective(210.0, 190.0, 31.0, 22.5)]
each_camera = pytest.mark.parametrize("camera", CAMERAS, ids=str)


@each_camera
def test_each_camera_has_what_the_protocol_asks_for(camera):
    assert isinstance(camera, Camera)
    assert MODELS[camera.model] is type(camera)


@each_camera
def test_a_camera_comes_back_from_its_description(camera):
    assert from_dict(camera.to_dict()) == camera


def test_an_unknown_model_is_refused_by_name():
    with pytest.raises(ValueError, match="model is 'fisheye'; give one of orthographic, perspective"):
        from_dict({"model": "fisheye"})


@each_camera
@pytest.mark.parametrize(("factor", "first"), [(2, None), (3, 1), (4, 0), (5, None)])
def test_a_scaled_camera_sees_each_sample_where_the_full_map_has_it(camera, factor, first):
    start = (factor - 1) / 2 if first is None else first
    samples = np.arange(6.0)
    there = camera.points(start + factor * samples, start + factor * samples, 7.0)
    here = camera.scaled(factor, first).points(samples, samples, 7.0)
    # Parallel rays have no origin of their own: both maps begin at (0, 0).
    assert np.allclose(np.diff(here, axis=0), np.diff(there, axis=0))
    if camera.gauge == "scale":
        assert np.allclose(here, there)


@each_camera
def test_the_footprint_is_the_distance_of_neighbouring_pixels_on_a_frontal_plane(camera):
    left, right = camera.points([10, 10], [20, 21], 5.0)
    assert camera.footprint(5.0) == pytest.approx(np.linalg.norm(right - left))


@each_camera
def test_the_gauge_is_what_leaves_the_normals_unchanged(camera):
    """A shift of the heights is the same freedom in every camera; what it does to depth is the gauge."""
    heights = camera.to_heights(np.array([3.0, 4.0, 6.0]))
    before, after = camera.to_depth(heights), camera.to_depth(heights + 5.0)
    change = after - before if camera.gauge == "offset" else after / before
    assert np.allclose(change, change[0])
    other = after / before if camera.gauge == "offset" else after - before
    assert not np.allclose(other, other[0])


@each_camera
def test_slopes_and_normals_are_inverse(camera):
    normals = np.random.default_rng(3).normal(size=(8, 9, 3)) * 0.3 + [0.0, 0.0, 1.0]
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    right, down = camera.slopes(normals, np.ones((8, 9), bool)).steepness()
    assert np.allclose(camera.normals(right, down), normals)


def test_any_object_with_the_protocol_is_a_camera_but_its_class_is_not():
    class Halved(Orthographic):
        """A camera of somebody else."""

    flat = np.tile([0.6, 0.0, 0.8], (4, 5, 1))
    assert crevasse.integrate(flat, camera=Halved(0.5)).footprint == 0.5
    with pytest.raises(ValueError, match="camera is <class"):
        crevasse.integrate(flat, camera=Halved)


def test_normals_of_a_camera_far_off_its_axis_do_not_overflow():
    slopes = np.array([[0.5, -0.25]])
    normals = Perspective(1e-9, 1e-9, 1e6, 0.0).normals(slopes, slopes)
    assert np.allclose(np.linalg.norm(normals, axis=-1), 1.0)
