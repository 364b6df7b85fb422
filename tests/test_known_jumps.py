"""Scenes with known jumps are recovered to the error recorded for each."""

import numpy as np
import pytest
from helpers import integrate_scene, pixel_error

import crevasse
from crevasse import scenes
from crevasse.metrics import made
from crevasse.scenes import SCENES

# Mean absolute error in pixels: of Graduated, at most; of Poisson, at least (a scene that is no trial is no test).
RECORDED = {
    ("smooth", 96): (0.004, 0.0),
    ("holes", 96): (0.005, 0.0),
    ("stairs", 128): (0.1, 8.0),
    ("disc", 256): (0.06, 6.0),
    ("comb-4", 128): (0.06, 2.0),
    ("comb", 128): (0.08, 2.0),
    ("comb-16", 128): (0.3, 2.0),
    ("spiral", 128): (0.02, 3.0),
    ("shingles", 128): (0.08, 3.0),
    ("relief", 128): (0.02, 0.4),
    ("demo", 192): (0.9, 8.0),
}


@pytest.mark.parametrize(("name", "size"), RECORDED, ids=lambda value: str(value))
def test_errors_do_not_exceed_the_record(name, size):
    scene = SCENES[name](size)
    ours, plain = RECORDED[name, size]
    assert pixel_error(scene, integrate_scene(scene)) < ours
    assert pixel_error(scene, integrate_scene(scene, crevasse.Poisson())) > plain


def test_jumps_have_the_sign_and_size_of_the_depth():
    scene = scenes.comb(128)
    jumps = integrate_scene(scene).jumps
    true = np.diff(scene.depth, axis=1)
    large = np.abs(true) > 2
    found = (jumps.right[0::2] + jumps.right[1::2]) / 2
    assert np.array_equal(np.sign(found[large]), np.sign(true[large]))
    # Across an edge between pixels the depth also changes by the slopes on both sides, at most 1 pixel here.
    assert np.abs(found - true)[large].max() < 1.0
    assert np.abs(found[np.abs(true) < 0.3]).max() < 0.5
    assert np.isnan(jumps.right).sum() == 0


def test_cuts_lie_where_the_truth_jumps():
    scene = scenes.spiral(128)
    result = integrate_scene(scene)
    true = np.abs(np.diff(np.where(scene.mask, scene.depth, np.nan), axis=1)) > 3
    assert (result.cuts.right & true).sum() > 0.95 * true.sum()
    assert (result.cuts.right & ~true).sum() < 0.05 * true.sum()


@pytest.mark.parametrize("seed", [1, 2])
def test_noise_does_not_tear_a_smooth_surface(seed):
    scene = scenes.add_noise(scenes.smooth(96), 0.05, seed)
    result = integrate_scene(scene)
    assert made(result.depth, scene.depth, scene.camera) < 0.15
    assert np.count_nonzero(result.islands == 1) > 0.99 * scene.mask.sum()


def test_eight_bits_are_enough_for_a_comb():
    scene = scenes.quantise(scenes.comb(128))
    assert made(integrate_scene(scene).depth, scene.depth, scene.camera) < 0.2
