"""Tangent planes of pixels: exact for every camera, and arrays of corners as good as the closed form."""

from dataclasses import replace

import numpy as np
import pytest
from helpers import assert_same_surface, drain, make_engine, problem_of
from maps import scattered_scenes
from planes import ArrayPlanes
from spanning_maps import computed, truth_of

from crevasse import Graduated, Orthographic, Perspective, scenes
from crevasse.cameras import PinholePlanes, corner_heights
from crevasse.methods.graduated.evidence import STARTS
from crevasse.methods.graduated.rules import annealed
from crevasse.methods.graduated.terms.spanning import find_spanning
from crevasse.methods.graduated.terms.steep_runs import find_steep_runs
from crevasse.methods.graduated.views.pyramid import restrict
from crevasse.methods.graduated.views.repack import repack

CAMERA = Perspective(260.0, 260.0, 47.5, 47.5)
CAMERAS = {
    "orthographic": Orthographic(0.5),
    "pinhole": CAMERA,
    "short focal length": Perspective(60.0, 60.0, 30.0, 52.0),
    "pixels that are not square": Perspective(200.0, 170.0, 40.0, 50.0),
}


def with_arrays(problem, camera=CAMERA):
    """The same problem, with planes whose corners the engine must ask for."""
    planes = ArrayPlanes.of(camera, problem.mask.shape)
    return replace(problem, domain=replace(problem.domain, planes=planes))


@pytest.fixture(params=[CAMERA, CAMERAS["short focal length"]], ids=["pinhole", "short focal length"])
def both(request):
    """A problem whose planes are in closed form, and the same with arrays."""
    scene = replace(scenes.add_noise(scenes.demo(96), 0.05), camera=request.param)
    problem = problem_of(scene)
    return problem, with_arrays(problem, request.param)


@pytest.mark.parametrize("name", CAMERAS)
def test_heights_on_a_pixels_plane_are_those_of_the_plane_in_space(name):
    camera, shape = CAMERAS[name], (96, 80)
    normal = np.array([0.4, -0.3, 0.85])
    rows, columns = np.indices(shape)
    right, down = camera.slopes(np.tile(normal, (*shape, 1)), np.ones(shape, bool)).steepness(floor=1e-3)

    def heights(row, column):
        """Where rays through points of the image meet the plane, whose normal turns to the frame of points."""
        one, two = (camera.points(rows + row, columns + column, depth) for depth in (1.0, 2.0))
        facing = normal * [1.0, -1.0, -1.0]
        away = (1.0 - one @ facing) / ((two - one) @ facing)
        return camera.to_heights(np.abs(1.0 + away) if isinstance(camera, Perspective) else 1.0 + away)

    for row, column in ((0.5, 0.5), (-0.5, 0.5), (0.0, 1.0), (-1.0, 0.0)):
        rise = heights(row, column) - heights(0.0, 0.0)
        assert np.allclose(camera.planes.at(right, down, row, column), rise, atol=1e-9)


@pytest.mark.parametrize("curvature", [0.0, 0.01])
def test_planes_at_half_the_resolution_are_the_same_planes(curvature):
    right, down = np.random.default_rng(2).normal(0, 0.5, (2, 6, 7))
    fine = PinholePlanes(curvature)
    assert np.allclose(2 * fine.restricted().at(right, down, 0.5, -1.0), fine.at(right, down, 1.0, -2.0))


def test_corners_lie_half_a_pixel_from_the_centre():
    right, down = np.full((3, 4), 0.6), np.full((3, 4), -0.2)
    corners = corner_heights(PinholePlanes(0.0), right, down)
    assert np.allclose(corners[0::2, 0::2], -0.2) and np.allclose(corners[0::2, 1::2], 0.4)
    assert np.allclose(corners[1::2, 0::2], -0.4) and np.allclose(corners[1::2, 1::2], 0.2)


def test_arrays_give_the_targets_of_the_closed_form(both):
    closed, arrays = (make_engine(problem) for problem in both)
    parallel = replace(both[0], domain=replace(both[0].domain, planes=PinholePlanes(0.0)))
    for axis in (0, 1):
        assert np.abs(arrays.targets()[axis] - closed.targets()[axis]).max() < 1e-5
        assert np.array_equal(arrays.variances()[axis], closed.variances()[axis])
        assert np.abs(make_engine(parallel).targets()[axis] - closed.targets()[axis]).max() > 0.01


def test_new_slopes_keep_their_arrays(both):
    closed, arrays = both
    other = replace(closed, slopes=closed.slopes._replace(across=-closed.slopes.across))
    engine, expected = make_engine(arrays), make_engine(other)
    engine.set_slopes(with_slopes_of(arrays, other))
    for found, target in zip(engine.targets(), expected.targets(), strict=True):
        assert np.abs(found - target).max() < 1e-5


def with_slopes_of(problem, other):
    return replace(problem, slopes=other.slopes)


def heights_of(problem):
    return drain(Graduated().run(problem))[1].heights


def assert_same_heights(one, two, mask, tolerance):
    one, two = (np.where(mask, heights, np.nan) for heights in (one, two))
    assert_same_surface(one, two, Orthographic(), tolerance)


@pytest.mark.parametrize("name", ["smooth", "stairs", "spiral"])
def test_arrays_give_the_surface_of_the_closed_form(name):
    problem = problem_of(replace(scenes.SCENES[name](96), camera=CAMERA))
    assert_same_heights(heights_of(problem), heights_of(with_arrays(problem)), problem.mask, 0.01)


def test_a_large_map_of_arrays_has_the_surface_of_the_closed_form(monkeypatch):
    monkeypatch.setattr("crevasse.methods.graduated.views.pyramid.LARGE", 1 << 11)
    problem = problem_of(replace(scenes.smooth(96), camera=CAMERA))
    assert_same_heights(heights_of(problem), heights_of(with_arrays(problem)), problem.mask, 0.01)


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_do_not_change_a_bit_of_a_surface_of_arrays(threads):
    problem = with_arrays(problem_of(replace(scenes.add_noise(scenes.disc(96), 0.02), camera=CAMERA)))
    assert np.array_equal(heights_of(problem), heights_of(replace(problem, threads=threads)))


def test_a_restricted_problem_has_restricted_planes():
    problem = problem_of(replace(scenes.smooth(33), camera=CAMERA))
    arrays = with_arrays(problem)
    assert restrict(problem).domain.planes == problem.domain.planes.restricted()
    assert np.array_equal(restrict(arrays).domain.planes.bends, arrays.domain.planes.restricted().bends)


def test_a_repacked_problem_has_the_planes_of_its_pixels():
    normals, mask = scattered_scenes()
    problem = problem_of(scenes.Scene("scattered", normals, mask, CAMERA, np.zeros(mask.shape), ""))
    bends = np.random.default_rng(4).uniform(0.001, 0.01, problem.mask.shape)
    problem = replace(problem, domain=replace(problem.domain, planes=ArrayPlanes(bends)))
    packed, repacked = repack(problem)
    assert repacked is not None
    spread = repacked.spread(packed.domain.planes.bends)
    assert np.array_equal(spread[problem.mask], bends[problem.mask])
    original, moved = (make_engine(each).targets() for each in (problem, packed))
    right, down = problem.domain.pairs
    assert np.array_equal(repacked.spread(moved[0])[:, :-1][right], original[0][:, :-1][right])
    assert np.array_equal(repacked.spread(moved[1])[:-1][down], original[1][:-1][down])


def test_corners_outside_the_mask_do_not_matter(both):
    """A camera may see no plane there."""
    _, arrays = both
    bends = np.where(arrays.mask, arrays.domain.planes.bends, np.nan)
    wild = replace(arrays, domain=replace(arrays.domain, planes=ArrayPlanes(bends)))
    assert not arrays.mask.all()
    engines = [make_engine(problem) for problem in (arrays, wild)]
    for engine in engines:
        engine.iterate(STARTS[0], annealed(10.0, cold=True), solver_iterations=3, tolerance=1e-6, rebuild=True)
    assert engines[0].heights.any()
    assert np.array_equal(engines[0].heights, engines[1].heights)


def test_spanning_pixels_take_the_planes_of_their_sources_from_arrays():
    scene = computed("central differences")
    problem = problem_of(scene)
    spanning = find_spanning(find_steep_runs(problem), truth_of(scene, problem))
    closed, arrays = make_engine(problem), make_engine(with_arrays(problem, scene.camera))
    for engine in (closed, arrays):
        engine.add(spanning)
    right, down = problem.domain.pairs
    one, two = closed.targets(), arrays.targets()
    assert np.abs(one[0] - two[0])[:, :-1][right].max() < 1e-5
    assert np.abs(one[1] - two[1])[:-1][down].max() < 1e-5


def test_the_plane_of_a_source_is_seen_from_where_the_spanning_pixel_is():
    """Each pixel of a general camera sees the same plane in its own way."""
    scene = computed("central differences")
    problem = problem_of(scene)
    bends = np.random.default_rng(5).uniform(0.001, 0.01, problem.mask.shape)
    problem = replace(problem, domain=replace(problem.domain, planes=ArrayPlanes(bends)))
    spanning = find_spanning(find_steep_runs(problem), truth_of(scene, problem))
    spanning = spanning._replace(steps=np.zeros_like(spanning.steps))
    engine, expected = make_engine(problem), make_engine(spanning.without(problem))
    before = engine.targets()
    engine.add(spanning)
    right, down = problem.domain.pairs
    for axis, pairs in enumerate((np.s_[:, :-1], np.s_[:-1])):
        found, wanted, old = (
            each[axis][pairs][(right, down)[axis]] for each in (engine.targets(), expected.targets(), before)
        )
        assert np.abs(found - wanted).max() < 1e-4
        assert np.abs(found - old).max() > 1
