"""Surfaces of normals computed from depth: better with spanning pixels, and all other maps as without."""

from dataclasses import replace

import numpy as np
import pytest
from helpers import integrate_scene, pixel_error
from maps import ball
from scipy import ndimage
from spanning_maps import COMPUTED, computed

import crevasse
from crevasse.methods.graduated.terms.steep_runs import STEEP
from crevasse.scenes import SCENES, Scene, add_noise, from_depth

WITHOUT = crevasse.Graduated(spanning=False)


def says_spanning(result):
    return any(warning.startswith("spanning") for warning in result.warnings)


def improvement(scene):
    """Error with spanning pixels, which must be found, as a share of that without them."""
    result = integrate_scene(scene)
    assert says_spanning(result)
    return pixel_error(scene, result) / pixel_error(scene, integrate_scene(scene, WITHOUT))


@pytest.mark.parametrize("name", COMPUTED)
def test_surfaces_of_normals_computed_from_depth_are_better(name):
    assert improvement(computed(name)) < 0.8


def terraces():
    """Flat steps of one height, as a depth map shows them."""
    rows, columns = np.mgrid[:120, :120]
    heights = 25.0 * ((np.hypot(rows - 20, columns - 60) // 30) % 3)
    everywhere = np.ones(heights.shape, bool)
    return from_depth(Scene("terraces", np.zeros((120, 120, 3)), everywhere, crevasse.Orthographic(), heights, ""))


def test_terraces_of_one_height_are_placed():
    assert improvement(terraces()) < 0.5


def overlapping_discs(seed, side=100):
    """Flat discs of many heights, as a Sobel filter shows a depth map of twice the resolution."""
    random = np.random.default_rng(seed)
    rows, columns = np.mgrid[0 : 2 * side, 0 : 2 * side] / 2
    heights = np.zeros(rows.shape)
    for _ in range(25):
        x, y = random.uniform(0, side, 2)
        inside = np.hypot(columns - x, rows - y) < random.uniform(0.06, 0.2) * side
        heights = np.where(inside, np.maximum(heights, random.uniform(0.02, 0.4) * side), heights)
    right, down = (ndimage.sobel(-heights, axis) / 4 for axis in (1, 0))
    camera, mask = crevasse.Orthographic(), np.ones((side, side), bool)
    return Scene("discs", camera.normals(right, down)[::2, ::2], mask, camera, -heights[::2, ::2], "")


@pytest.mark.parametrize("seed", range(8, 16))
def test_moves_of_parts_do_not_flatten_what_spanning_pixels_place(seed):
    """All other normals are alike: nothing else speaks for a jump."""
    assert improvement(overlapping_discs(seed)) < 0.8


@pytest.mark.parametrize(("name", "cells"), [("islands", 1), ("disc", 2)])
def test_spanning_pixels_place_what_nothing_else_places(name, cells):
    assert improvement(from_depth(SCENES[name](160 * cells), cells, central=cells == 1)) < 0.1


@pytest.mark.parametrize("central", [True, False])
def test_an_island_computed_from_depth_lies_where_it_should(central):
    scene = from_depth(SCENES["islands"](160), central=central)
    result = integrate_scene(scene)
    assert says_spanning(result)
    assert pixel_error(scene, result) < 0.1


def test_spanning_pixels_that_annealing_leaves_in_doubt_are_read_once_parts_have_moved():
    """While the island lies in a wrong place, its contour agrees on several widths."""
    assert improvement(from_depth(SCENES["islands"](320), cells=2)) < 0.85


def test_a_part_placed_by_spanning_pixels_is_not_an_island():
    scene = from_depth(SCENES["disc"](320), cells=2)
    found, without = (integrate_scene(scene, method) for method in (None, WITHOUT))
    assert without.islands.max() > 1 == found.islands.max()
    assert ((found.islands > 0) == scene.mask).all()
    assert not [warning for warning in found.warnings if "distance is a guess" in warning]


def test_a_known_step_is_a_cut_and_is_reported_to_the_user():
    scene = from_depth(SCENES["comb"](160))
    result = integrate_scene(scene)
    steps = np.abs(np.diff(scene.depth, axis=1)) > 1.2 * STEEP
    cuts = result.cuts.right.copy()
    cuts[:, 1:] |= result.cuts.right[:, :-1]
    cuts[:, :-1] |= result.cuts.right[:, 1:]
    assert steps.sum() > 100 and cuts[steps].mean() > 0.9
    assert says_spanning(result)
    assert not integrate_scene(scene, WITHOUT).cuts.right[steps].any()


@pytest.mark.parametrize("name", ["two cells", "forward differences"])
def test_threads_do_not_change_a_bit_of_a_surface_with_spanning_pixels(name):
    scene = computed(name)
    states = [crevasse.iterate(scene.normals, scene.mask, scene.camera, threads=threads) for threads in (1, 2)]
    for one, two in zip(*states, strict=True):
        assert np.array_equal(one.depth, two.depth, equal_nan=True)
    assert says_spanning(one.result())


def test_maps_without_spanning_pixels_are_left_alone():
    scene = SCENES["demo"](128)
    one, two = (integrate_scene(scene, method) for method in (None, WITHOUT))
    assert np.array_equal(one.depth, two.depth, equal_nan=True)
    assert not says_spanning(one)


def test_the_rim_of_a_ball_has_no_spanning_pixels():
    assert not says_spanning(crevasse.integrate(*ball(96)))


def beside(one, other, gap=6):
    """Two scenes in one map, each a region of its own."""
    shape = (max(one.mask.shape[0], other.mask.shape[0]), one.mask.shape[1] + gap + other.mask.shape[1])
    normals, mask, depth = np.zeros((*shape, 3)), np.zeros(shape, bool), np.full(shape, np.nan)
    for scene, column in ((one, 0), (other, one.mask.shape[1] + gap)):
        rows, columns = scene.mask.shape
        place = slice(0, rows), slice(column, column + columns)
        normals[place], mask[place], depth[place] = scene.normals, scene.mask, scene.depth
    return replace(one, normals=normals, mask=mask, depth=depth)


SPANNED_AND_PLAIN = [
    ("islands", "disc"),
    *(("disc", name) for name in ("disc", "stairs", "shingles", "comb", "relief")),
]


@pytest.mark.parametrize(("spanned", "name"), SPANNED_AND_PLAIN)
def test_regions_without_spanning_pixels_keep_their_surface(spanned, name):
    plain = SCENES[name](128)
    spanned = from_depth(SCENES[spanned](320), cells=2)
    result = integrate_scene(beside(replace(spanned, camera=plain.camera, depth=spanned.depth / 2), plain))
    assert says_spanning(result)
    part = result.depth[: plain.mask.shape[0], -plain.mask.shape[1] :]
    difference = (part - integrate_scene(plain, WITHOUT).depth)[plain.mask]
    assert np.abs(difference - np.median(difference)).mean() < 0.1


def test_scattered_regions_have_spanning_pixels_too():
    """They are repacked before they are solved."""
    small = computed("central differences")
    camera = crevasse.Orthographic()
    heights = small.camera.to_heights(small.depth)
    right, down = small.camera.slopes(small.normals, small.mask).steepness(1e-3)
    normals, mask = np.zeros((1200, 1200, 3)), np.zeros((1200, 1200), bool)
    places = [(row, column) for row in (0, 1000) for column in (0, 1000)]
    for row, column in places:
        normals[row : row + 128, column : column + 128] = camera.normals(right, down) * small.mask[..., None]
        mask[row : row + 128, column : column + 128] = small.mask
    result = crevasse.integrate(normals, mask, camera)
    assert says_spanning(result)
    for row, column in places:
        error = result.depth[row : row + 128, column : column + 128] - heights
        assert np.nanmean(np.abs(error - np.nanmedian(error))) < 0.5


def test_large_maps_have_spanning_pixels_too(monkeypatch):
    """At half the resolution, where they are solved first, wide pixels blend them with what lies beside them."""
    monkeypatch.setattr("crevasse.methods.graduated.views.pyramid.LARGE", 1 << 12)
    assert improvement(computed("central differences")) < 0.5


def test_spanning_pixels_help_in_noise():
    assert improvement(add_noise(computed("central differences"), 0.05)) < 0.8
