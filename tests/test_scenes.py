"""Scenes are what they say: their normals are those of their depth."""

import numpy as np
import pytest

from crevasse.lattice import label_islands, pairs
from crevasse.scenes import SCENES, add_noise, demo, islands, quantise, smooth

JUMPS = {"stairs", "disc", "islands", "comb", "comb-4", "comb-16", "spiral", "shingles", "relief", "demo"}


def residuals(scene):
    """How far each height difference is from what the normals say, right and down; 0 outside."""
    slopes = scene.camera.slopes(scene.normals, scene.mask).steepness()
    heights = scene.camera.to_heights(np.where(scene.mask, scene.depth, 1.0))
    inside = pairs(scene.mask)
    right = np.diff(heights, axis=1) - (slopes[0][:, 1:] + slopes[0][:, :-1]) / 2
    down = np.diff(heights, axis=0) - (slopes[1][1:] + slopes[1][:-1]) / 2
    return np.where(inside[0], right, 0.0), np.where(inside[1], down, 0.0)


@pytest.mark.parametrize("name", SCENES)
def test_normals_are_those_of_the_depth(name):
    scene = SCENES[name](128)
    right, down = residuals(scene)
    errors = np.abs(np.concatenate([right.ravel(), down.ravel()]))
    assert np.median(errors) < 2e-3
    assert (errors.max() > 0.5) == (name in JUMPS)
    assert (errors > 0.5).mean() < 0.15


@pytest.mark.parametrize("name", SCENES)
def test_scenes_of_odd_sides_have_a_pixel_in_the_middle(name):
    scene = SCENES[name](97)
    lengths = np.linalg.norm(scene.normals[scene.mask], axis=-1)
    assert np.allclose(lengths, 1)


@pytest.mark.parametrize("name", SCENES)
def test_depth_is_known_inside_the_mask_only(name):
    scene = SCENES[name](64)
    assert np.array_equal(np.isfinite(scene.depth), scene.mask)
    np.testing.assert_allclose(np.linalg.norm(scene.normals, axis=-1), scene.mask, atol=1e-12)
    assert (scene.camera.slopes(scene.normals, scene.mask).cosine[scene.mask] > 0).all()


@pytest.mark.parametrize("name", sorted(JUMPS - {"islands"}))
def test_every_part_can_be_reached_along_a_continuous_path(name):
    scene = SCENES[name](192)
    parts = label_islands(scene.mask, tuple(np.abs(r) > 0.5 for r in residuals(scene)))
    assert np.count_nonzero(parts == 1) > 0.98 * np.count_nonzero(scene.mask)
    assert np.bincount(parts.ravel())[2:].max(initial=0) < 30


def test_islands_are_cut_off():
    scene = islands(96)
    parts = label_islands(scene.mask, tuple(np.abs(r) > 0.5 for r in residuals(scene)))
    assert parts.max() == 2


def test_demo_has_jumps_of_many_sizes():
    jumps = np.abs(np.concatenate([r.ravel() for r in residuals(demo())]))
    assert all(np.count_nonzero((jumps > low) & (jumps < 2 * low)) > 100 for low in (1, 2, 4, 8, 16, 32))


def test_noise_has_the_stated_size_and_seed():
    scene = smooth(64)
    before = np.stack(scene.camera.slopes(scene.normals, scene.mask).steepness())
    noisy = add_noise(scene, 0.05, seed=1)
    after = np.stack(noisy.camera.slopes(noisy.normals, noisy.mask).steepness())
    assert 0.047 < np.std(after - before) < 0.053
    assert np.array_equal(noisy.normals, add_noise(scene, 0.05, seed=1).normals)
    assert not np.array_equal(noisy.normals, add_noise(scene, 0.05, seed=2).normals)


@pytest.mark.parametrize("bits", [8, 16])
def test_quantised_normals_are_within_half_a_step(bits):
    scene = smooth(64)
    angle = np.linalg.norm(quantise(scene, bits).normals - scene.normals, axis=-1)
    step = 2 / (2**bits - 1)
    assert 0.1 * step < angle.max() < step
