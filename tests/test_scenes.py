"""Scenes are what they say: their normals are those of their depth."""

from dataclasses import replace

import numpy as np
import pytest

from crevasse.lattice import label_islands, pairs
from crevasse.scenes import (
    SCENES,
    add_noise,
    compress_normals,
    demo,
    disc,
    double_size,
    halve_size,
    islands,
    median_normals,
    planes,
    quantise,
    smooth,
    tilted,
)
from crevasse.scenes.scene import masked

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


def angles(scene, other):
    """Degrees between the normals of two scenes, inside both masks."""
    cosine = np.sum(scene.normals * other.normals, axis=-1)[scene.mask & other.mask]
    return np.degrees(np.arccos(np.clip(cosine, -1, 1)))


@pytest.mark.parametrize("half_chroma", [False, True])
def test_jpeg_errs_more_the_lower_its_quality(half_chroma):
    scene = demo(96)
    means = [angles(compress_normals(scene, quality, half_chroma), scene).mean() for quality in (95, 75, 40)]
    assert 0.1 < means[0] < means[1] < means[2] < 20


def test_jpeg_with_half_the_chroma_errs_more_than_with_all_of_it():
    scene = demo(96)
    full, half = (angles(compress_normals(scene, 90, half_chroma), scene).mean() for half_chroma in (False, True))
    assert half > 1.5 * full


def test_a_median_removes_a_single_wrong_normal():
    scene = planes(32)
    wrong = scene.normals.copy()
    wrong[10, 20] = [0.8, 0.0, 0.6]
    repaired = median_normals(replace(scene, normals=wrong))
    assert angles(repaired, scene)[10 * 32 + 20] < angles(replace(scene, normals=wrong), scene)[10 * 32 + 20] / 10


@pytest.mark.parametrize("resize", [halve_size, double_size])
@pytest.mark.parametrize("scene", [tilted(33), tilted(32)], ids=["odd", "even"])
def test_resized_planes_have_the_slopes_of_their_depth(scene, resize):
    resized = resize(scene)
    camera, mask = resized.camera, resized.mask
    right, _ = camera.slopes(resized.normals, mask).steepness()
    heights = camera.to_heights(resized.depth)
    far = slice(2, -2)
    steps = np.diff(heights, axis=1)[far, far]
    assert np.allclose(steps.mean(), right[far, far].mean(), rtol=0.05)
    assert np.allclose(np.linalg.norm(resized.normals[mask], axis=-1), 1)


def test_halving_leaves_out_pixels_on_the_border_of_the_mask():
    scene = disc(33)
    mask = scene.mask.copy()
    mask[4, 5] = False
    halved = halve_size(masked(scene, mask))
    assert not halved.mask[2, 2]
    assert np.array_equal(halved.mask, np.isfinite(halved.depth))
    assert halved.mask.shape == (16, 16)


@pytest.mark.parametrize(
    ("degrade", "named"),
    [
        (lambda scene: compress_normals(scene, 0), "quality is 0"),
        (lambda scene: compress_normals(scene, float("nan")), "quality is nan"),
        (lambda scene: compress_normals(scene, 90.5), "quality is 90.5; give a whole number"),
        (lambda scene: median_normals(scene, 2.5), "side is 2.5"),
        (lambda scene: median_normals(scene, 0), "side is 0"),
        (lambda scene: halve_size(halve_size(scene)), "halving needs"),
    ],
)
def test_degradations_refuse_numbers_without_meaning(degrade, named):
    with pytest.raises(ValueError, match=named):
        degrade(tilted(3))
