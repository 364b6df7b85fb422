"""A pixel with a wrong normal does not stand off the surface around it; what is no spike stays."""

import numpy as np
import pytest
from helpers import assert_same_surface, integrate_scene

from crevasse import scenes
from crevasse.methods.graduated.stages.remove_spikes import remove_spikes
from crevasse.scenes import Scene

FLAT = np.zeros((9, 11))
EVERYWHERE = np.ones(FLAT.shape, bool)


def with_pixel(scene, row, column, normal):
    normals = scene.normals.copy()
    normals[row, column] = normal
    return Scene("damaged", normals, scene.mask, scene.camera, scene.depth, "")


@pytest.mark.parametrize(("degrees", "turn"), [(80.0, 0.0), (89.0, 0.0), (89.0, 0.7), (89.99, 0.0), (89.99, 0.7)])
def test_a_pixel_turned_almost_away_stays_on_its_surface(degrees, turn):
    tilt = np.radians(degrees)
    normal = np.sin(tilt) * np.cos(turn), np.sin(tilt) * np.sin(turn), np.cos(tilt)
    scene = with_pixel(scenes.smooth(48), 20, 25, normal)
    assert_same_surface(integrate_scene(scene).depth, scene.depth, scene.camera, 0.2)


def test_a_pixel_takes_the_mean_height_of_its_neighbours():
    rows, columns = np.mgrid[:9, :11].astype(float)
    slope = 0.5 * columns + 2.0 * rows
    spiky = slope.copy()
    spiky[4, 5] += 7
    found = remove_spikes(spiky, (FLAT + 0.5, FLAT + 2.0), EVERYWHERE)
    np.testing.assert_allclose(found, slope)


@pytest.mark.parametrize("height", [7.0, -7.0])
def test_parts_of_several_pixels_stay(height):
    heights = FLAT.copy()
    heights[4, 5:7] = height
    assert remove_spikes(heights, (FLAT, FLAT), EVERYWHERE) is heights


def test_a_pixel_beside_a_jump_or_the_border_stays():
    beside = np.where(np.arange(11) < 5, 0.0, 20.0) + FLAT
    beside[4, 4] = 7
    at_border = FLAT.copy()
    at_border[0, 5] = at_border[8, 0] = 7
    hole = EVERYWHERE.copy()
    hole[3, 4] = False
    in_hole = FLAT.copy()
    in_hole[4, 5] = 7
    for heights, mask in ((beside, EVERYWHERE), (at_border, EVERYWHERE), (in_hole, hole)):
        assert remove_spikes(heights, (FLAT, FLAT), mask) is heights


@pytest.mark.parametrize("shape", [(1, 9), (9, 1), (2, 2), (3, 3)])
def test_maps_too_thin_for_a_ring_of_neighbours_have_no_spikes(shape):
    assert remove_spikes(np.zeros(shape), (np.zeros(shape), np.zeros(shape)), np.ones(shape, bool)) is not None


def test_blocks_of_rows_find_what_the_whole_map_holds(monkeypatch):
    random = np.random.default_rng(1)
    heights = np.zeros((40, 30))
    at = random.permutation(38 * 28)[:60]
    heights[1 + at // 28, 1 + at % 28] = 5.0
    flat, everywhere = np.zeros(heights.shape), np.ones(heights.shape, bool)
    whole = remove_spikes(heights, (flat, flat), everywhere)
    assert (whole == 0).sum() - (heights == 0).sum() > 20
    monkeypatch.setattr("crevasse.methods.graduated.stages.remove_spikes.CHUNK", 30)
    assert np.array_equal(remove_spikes(heights, (flat, flat), everywhere), whole)
