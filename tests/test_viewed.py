"""Surfaces as the viewer draws them, by themselves."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import crevasse
from crevasse import Orthographic, Perspective, scenes
from crevasse.mesh.welded import Welded, join_pairs
from crevasse.pictures.colours import SEQUENTIAL, SIGNED
from crevasse.pictures.sampling import Sampling
from crevasse.pictures.viewed import (
    INSIDE,
    JOINED_DOWN,
    JOINED_RIGHT,
    OUTSIDE,
    level_of,
    octahedral,
    surface_array,
    view,
)
from crevasse.surface import Surface

SOURCES = Path(__file__).parent.parent / "web" / "src"


def test_a_sampling_without_extent_is_one_pixel() -> None:
    assert Sampling.within((5, 9), 0) == Sampling.within((5, 9), 1)


@pytest.mark.parametrize("shape", [(5, 9), (64, 64), (100, 37)])
@pytest.mark.parametrize("side", [4, 32, 64])
def test_sampling_fits_and_takes_true_pixels(shape: tuple[int, int], side: int) -> None:
    image = np.arange(shape[0] * shape[1]).reshape(shape)
    small = Sampling.within(shape, side).of(image)
    assert max(small.shape) <= side
    assert np.isin(small, image).all()
    if max(shape) <= side:
        np.testing.assert_array_equal(small, image)


@pytest.mark.parametrize("most", [1, 50, 700, 10_000])
def test_a_window_holds_the_mask_at_the_finest_step_that_fits(most: int) -> None:
    mask = np.zeros((90, 120), bool)
    mask[20:50, 31:90] = np.random.default_rng(0).random((30, 59)) < 0.8
    mask[20, 31] = mask[49, 89] = True
    sampling = Sampling.around(mask, most)
    rows, columns = sampling.places
    assert sampling.origin == (20, 31) and sampling.shape == (30, 59)
    assert mask.sum() / sampling.step**2 <= most
    assert sampling.step == 1 or mask.sum() / (sampling.step - 1) ** 2 > most
    assert rows[-1] < 50 and columns[-1] < 90
    if mask.sum() <= most:
        assert sampling.of(mask).sum() == mask.sum(), "every pixel is drawn"


def test_an_empty_mask_has_a_window_of_one_pixel() -> None:
    assert Sampling.around(np.zeros((4, 7), bool), 100).of(np.ones((4, 7))).shape == (1, 1)


def test_a_cut_between_sampled_pixels_counts() -> None:
    right, down = np.zeros((12, 11), bool), np.zeros((11, 12), bool)
    sampling = Sampling((12, 12), 4)
    rows, columns = sampling.places
    assert rows.tolist() == columns.tolist() == [2, 6, 10]
    right[6, 5] = down[8, 2] = True
    right[5, 3] = True  # in a row that is not sampled
    found = sampling.cuts_of((right, down))
    np.testing.assert_array_equal(found[0], [[0, 0], [1, 0], [0, 0]])
    np.testing.assert_array_equal(found[1], [[0, 0, 0], [1, 0, 0]])


def test_every_pixel_is_drawn_with_the_corners_of_the_mesh() -> None:
    scene = scenes.demo(96)
    result = crevasse.integrate(scene.normals, scene.mask, scene.camera)
    arrays = view(result.surface, Sampling((96, 96), 1), result.cuts).arrays(0.0)
    mesh = Welded(result.surface, result.mask, join_pairs(result.mask, result.cuts))
    depth = np.concatenate([block.vertices[:, 2] for block in mesh.vertex_blocks()])
    drawn = scene.camera.to_depth(arrays["points"].astype(float))
    assert drawn.shape == depth.shape
    # All but the spikes of contours, which are cut off.
    assert np.quantile(np.abs(drawn - depth), 0.9) < 1e-5 * np.median(depth)
    links = arrays["links"]
    np.testing.assert_array_equal(links & INSIDE > 0, result.mask)
    np.testing.assert_array_equal((links & JOINED_RIGHT > 0)[:, :-1], mesh.links[0])
    np.testing.assert_array_equal((links & JOINED_DOWN > 0)[:-1], mesh.links[1])
    assert result.cuts.right.any() and result.cuts.down.any()


@pytest.mark.parametrize("camera", [Orthographic(0.5), Perspective(300.0, 300.0, 12.0, 8.0)])
@pytest.mark.parametrize("step", [1, 2, 3])
def test_a_sampled_plane_is_drawn_as_one_piece(camera: Orthographic | Perspective, step: int) -> None:
    rows, columns = np.mgrid[:18, :24]
    mask = np.ones((18, 24), bool)
    flat = np.zeros((18, 24), np.float32)
    surface = Surface(0.4 * columns - 0.3 * rows, mask, (flat + np.float32(0.4), flat - np.float32(0.3)), camera)
    viewed = view(surface, Sampling((18, 24), step))
    assert all(links.all() for links in viewed.links)
    height, width = viewed.mask.shape
    assert len(viewed.arrays(0.0)["points"]) == (height + 1) * (width + 1)


def test_an_unfinished_surface_is_torn_where_corners_do_not_meet() -> None:
    mask, flat = np.ones((6, 8), bool), np.zeros((6, 8), np.float32)
    heights = np.where(np.arange(8) < 4, 0.0, 1.5) + np.zeros((6, 1))
    right, down = view(Surface(heights, mask, (flat, flat), Orthographic()), Sampling((6, 8), 1)).links
    assert not right[:, 3].any() and right.sum() == 36 and down.all()


@pytest.mark.parametrize("camera", [Orthographic(), Perspective(200.0, 200.0, 12.0, 8.0)])
def test_free_corners_are_drawn_where_they_are(camera: Orthographic | Perspective) -> None:
    rng = np.random.default_rng(3)
    right, down = rng.uniform(-1, 1, (2, 16, 24)).astype(np.float32)
    heights, mask = rng.normal(size=(16, 24)), np.ones((16, 24), bool)
    flat = np.zeros((16, 24), np.float32)
    on_planes = Surface(heights, mask, (right, down), camera)
    free = Surface(heights, mask, (flat, flat), camera, camera.to_heights(on_planes.corner_depth))
    first, second = (view(one, Sampling((16, 24), 1)) for one in (on_planes, free))
    np.testing.assert_allclose(first.corners, second.corners, atol=1e-6)
    assert np.abs(first.corners - heights.repeat(2, 0).repeat(2, 1)).max() > 0.5


def test_level_puts_surfaces_on_each_other() -> None:
    truth = np.random.default_rng(1).normal(size=(20, 20))
    shifted = truth + 7.0
    shifted[0, 0] = 1e6
    shifted[1, 1] = np.nan
    drawn = surface_array(shifted, level_of(shifted, truth))
    assert drawn[1, 1] == OUTSIDE
    assert abs(drawn[5, 5] - truth[5, 5]) < 1e-5


def test_heights_beyond_single_precision_are_still_drawn() -> None:
    assert (surface_array(np.array([1e300, -1e300]), 0.0) > -1e29).all()


@given(st.lists(st.floats(-1, 1), min_size=3, max_size=3))
def test_folded_normals_unfold(vector: list[float]) -> None:
    n = np.array(vector)
    if np.linalg.norm(n) < 1e-3:
        return
    n /= np.linalg.norm(n)
    x, y = octahedral(n[None, None])[0, 0] / 32767
    z = 1 - abs(x) - abs(y)
    if z < 0:
        x, y = (1 - abs(y)) * (-1 if x < 0 else 1), (1 - abs(x)) * (-1 if y < 0 else 1)
    back = np.array([x, y, z]) / np.linalg.norm([x, y, z])
    assert np.abs(back - n).max() < 2e-4


def test_the_viewer_has_the_colours_of_the_pictures() -> None:
    text = (SOURCES / "ramps.ts").read_text()
    for name, table in (("depthRamp", SEQUENTIAL[::-1]), ("signedRamp", SIGNED)):
        listed = re.search(rf"{name} = join\(\[(.*?)\]\)", text, re.DOTALL)
        assert listed is not None
        stops = [[int(stop[k : k + 2], 16) for k in (0, 2, 4)] for stop in re.findall(r"\b[0-9a-f]{6}\b", listed[1])]
        places = np.linspace(0, len(stops) - 1, len(table))
        drawn = np.stack([np.interp(places, np.arange(len(stops)), channel) for channel in np.transpose(stops)], -1)
        # Near its middle the signed table changes faster than between two stops.
        assert np.abs(drawn - table).max() < 20 and np.abs(drawn - table).mean() < 2, name
