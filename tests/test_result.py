"""The result is honest: shapes, NaN outside, islands, status, history, and the same surface step by step."""

import numpy as np
import pytest
from helpers import assert_same_surface, integrate_scene

import crevasse
from crevasse import Status, scenes
from crevasse.lattice import jumps_across, label_islands, pairs

METHODS = {
    "graduated": crevasse.Graduated(),
    "auxiliary": crevasse.AuxiliaryEdges(iterations=12),
    "poisson": crevasse.Poisson(),
    "bilateral": crevasse.Bilateral(),
}
every_method = pytest.mark.parametrize("name", METHODS)


@every_method
@pytest.mark.parametrize("scene", [scenes.holes(48), scenes.demo(48)], ids=lambda scene: scene.name)
def test_arrays_have_their_shapes_and_are_nan_outside(name, scene):
    result = integrate_scene(scene, METHODS[name])
    height, width = scene.mask.shape
    assert result.depth.dtype == result.corners.dtype == np.float64
    assert np.array_equal(np.isfinite(result.depth), scene.mask)
    assert np.array_equal(np.isfinite(result.corners), scene.mask.repeat(2, axis=0).repeat(2, axis=1))
    right, down = pairs(scene.mask)
    assert result.jumps.right.shape == (2 * height, width - 1)
    assert result.jumps.down.shape == (height - 1, 2 * width)
    assert np.array_equal(np.isfinite(result.jumps.right), right.repeat(2, axis=0))
    assert np.array_equal(np.isfinite(result.jumps.down), down.repeat(2, axis=1))
    assert np.array_equal(result.islands > 0, scene.mask)
    assert result.pixels == scene.mask.sum()


@every_method
def test_jumps_are_the_differences_of_the_corners(name):
    result = integrate_scene(scenes.demo(48), METHODS[name])
    for jump, difference in zip(result.jumps, jumps_across(result.corners), strict=True):
        np.testing.assert_array_equal(jump, difference)


@every_method
def test_depth_lies_between_its_corners(name):
    scene = scenes.smooth(40)
    result = integrate_scene(scene, METHODS[name])
    corners = result.corners
    mean = (corners[0::2, 0::2] + corners[0::2, 1::2] + corners[1::2, 0::2] + corners[1::2, 1::2]) / 4
    np.testing.assert_allclose(result.depth, mean, atol=1e-9)


@every_method
def test_the_last_state_is_the_result(name):
    scene = scenes.demo(48)
    states = list(crevasse.iterate(scene.normals, scene.mask, scene.camera, METHODS[name]))
    whole = integrate_scene(scene, METHODS[name])
    last = states[-1].result()
    assert np.array_equal(last.depth, whole.depth, equal_nan=True)
    assert last.status is whole.status is not Status.STOPPED
    assert np.array_equal(last.history["energy"], whole.history["energy"])
    assert [state.iteration for state in states[:-1]] == list(range(1, len(states)))


@every_method
def test_a_run_can_be_stopped(name):
    scene = scenes.demo(48)
    state = next(iter(crevasse.iterate(scene.normals, scene.mask, scene.camera, METHODS[name])))
    result = state.result()
    assert result.status is Status.STOPPED
    assert len(result.history) == 1
    assert np.array_equal(np.isfinite(result.depth), scene.mask)
    np.testing.assert_array_equal(result.depth, state.depth)


def test_status_says_whether_the_surface_still_moved():
    scene = scenes.demo(48)
    assert integrate_scene(scene, crevasse.Poisson()).status is Status.CONVERGED
    assert integrate_scene(scene, crevasse.Graduated()).status is Status.SCHEDULE_DONE
    assert integrate_scene(scene, crevasse.Bilateral(iterations=3)).status is Status.ITERATION_LIMIT
    assert integrate_scene(scene, crevasse.AuxiliaryEdges(iterations=3)).status is Status.ITERATION_LIMIT
    assert integrate_scene(scenes.smooth(32), crevasse.AuxiliaryEdges()).status is Status.CONVERGED
    assert all(str(status).endswith(".") for status in Status)


def test_parts_that_jumps_cut_off_are_right_in_themselves():
    scene = scenes.islands(96)
    true = np.abs(np.diff(scene.depth, axis=1)) > 2, np.abs(np.diff(scene.depth, axis=0)) > 2
    parts = label_islands(scene.mask, true)
    assert parts.max() == 2
    assert_same_surface(integrate_scene(scene).depth, scene.depth, scene.camera, 0.3, parts)


def test_islands_are_numbered_by_size_and_regions_are_counted():
    scene = scenes.regions(64)
    result = integrate_scene(scene)
    sizes = np.bincount(result.islands[scene.mask])[1:]
    assert result.regions == len(sizes) == 3
    assert (np.diff(sizes) <= 0).all()


@every_method
def test_each_region_has_its_mean_at_zero(name):
    scene = scenes.regions(48)
    result = integrate_scene(scene, METHODS[name])
    assert result.regions == 3
    for region in (1, 2, 3):
        assert abs(result.depth[result.islands == region].mean()) < 1e-9


def test_a_part_moves_by_so_many_pixels_and_the_others_stay():
    scene = scenes.SCENES["islands"](64)
    result = crevasse.integrate(scene.normals, scene.mask, scene.camera)
    moved = result.moved(2, 3.0)
    there = result.islands == 2
    assert there.any()
    np.testing.assert_allclose(moved.depth[there], result.depth[there] + 3.0)
    np.testing.assert_array_equal(moved.depth[~there], result.depth[~there])


@pytest.mark.parametrize("island", [0, -1, 99])
def test_an_island_that_is_not_there_is_refused_by_number(island):
    scene = scenes.SCENES["islands"](64)
    result = crevasse.integrate(scene.normals, scene.mask, scene.camera)
    with pytest.raises(ValueError, match=f"island is {island}; the result has islands 1 to {result.islands.max()}"):
        result.moved(island, 1.0)
