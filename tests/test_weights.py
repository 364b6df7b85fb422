"""Confidence of normals: what has none does not count, and the caller hears where it cannot be used."""

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from helpers import assert_same_surface, integrate_scene, pixel_error

import crevasse
from crevasse import scenes
from crevasse.cli.main import cli
from crevasse.methods import METHODS
from crevasse.methods.one_sided import UNKNOWN

WEIGHED = [name for name, cls in METHODS.items() if "weights" in cls.accepts]
OTHERS = [name for name in METHODS if name not in WEIGHED]
SCENE = scenes.smooth(40)
SPOILT = np.s_[12:20, 15:27]


def spoil(scene):
    """The scene with a patch of wrong normals, and weights that are 0 there."""
    normals, weights = scene.normals.copy(), np.ones(scene.mask.shape)
    normals[SPOILT], weights[SPOILT] = [0.6, 0.0, 0.8], 0.0
    return normals, weights


@pytest.mark.parametrize("name", WEIGHED)
def test_normals_of_weight_0_do_not_count(name):
    normals, weights = spoil(SCENE)
    results = [
        crevasse.integrate(n, SCENE.mask, SCENE.camera, name, weights=weights) for n in (normals, SCENE.normals)
    ]
    assert_same_surface(results[0].depth, results[1].depth, SCENE.camera, 1e-3)


def test_a_spoilt_patch_does_less_harm_with_weights():
    normals, weights = spoil(SCENE)
    plain = crevasse.integrate(normals, SCENE.mask, SCENE.camera, "poisson")
    weighed = crevasse.integrate(normals, SCENE.mask, SCENE.camera, "poisson", weights=weights)
    assert pixel_error(SCENE, weighed) < 0.2 * pixel_error(SCENE, plain)


def test_a_plane_continues_through_pixels_with_unknown_normals():
    normals = np.full((20, 24, 3), [0.3, 0.2, 0.9])
    rows, columns = np.mgrid[:20, :24]
    weights = np.ones((20, 24))
    weights[5:12, 6:15] = 0.0
    normals[5:12, 6:15] = [0.0, 0.0, 1.0]
    depth = crevasse.integrate(normals, method="poisson", weights=weights).depth
    assert_same_surface(depth, (0.3 * columns - 0.2 * rows) / 0.9, crevasse.Orthographic(), 1e4 * UNKNOWN)


@pytest.mark.parametrize("name", WEIGHED)
def test_only_the_ratio_of_weights_counts(name):
    weights = np.random.default_rng(0).uniform(0.2, 1.0, SCENE.mask.shape)
    noisy = scenes.add_noise(SCENE, 0.02)
    one, many, none = (
        integrate_scene(noisy, name, weights=w).depth for w in (weights, 1000 * weights, np.ones_like(weights))
    )
    assert_same_surface(one, many, noisy.camera, 0.02)
    assert np.abs(one - none).max() > 1e-3
    assert_same_surface(none, integrate_scene(noisy, name).depth, noisy.camera, 1e-9)


def test_a_tall_map_turns_its_weights_along():
    scene = scenes.smooth(96)
    narrow = np.s_[:, 30:50]
    normals, mask = scene.normals[narrow], scene.mask[narrow]
    weights = np.random.default_rng(0).uniform(0.0, 1.0, mask.shape)
    tall = crevasse.integrate(normals, mask, method="poisson", weights=weights).depth
    wide = crevasse.integrate(
        normals.swapaxes(0, 1)[..., [1, 0, 2]] * [-1, -1, 1], mask.T, method="poisson", weights=weights.T
    ).depth
    assert_same_surface(tall, wide.T, crevasse.Orthographic(), 1e-6)


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        (np.ones((3, 3)), "shape"),
        (-np.ones((40, 40)), "negative"),
        (np.full((40, 40), np.nan), "not finite"),
        (np.zeros((40, 40)), "0 everywhere"),
        (np.full((40, 40), "x"), "type"),
    ],
)
def test_weights_that_do_not_fit_are_refused(weights, words):
    with pytest.raises(ValueError, match=f"weights.*{words}"):
        integrate_scene(SCENE, "poisson", weights=weights)


@pytest.mark.parametrize("name", OTHERS)
def test_a_method_that_cannot_use_weights_refuses_them(name):
    with pytest.raises(ValueError, match="weights is given"):
        crevasse.integrate(np.full((4, 4, 3), [0.0, 0.0, 1.0]), method=name, weights=np.ones((4, 4)))


def run(*arguments):
    return CliRunner().invoke(cli, [str(a) for a in arguments])


def test_the_command_reads_weights_from_an_option_and_from_the_folder(tmp_path):
    normals, weights = spoil(SCENE)
    folder = tmp_path / "map"
    folder.mkdir()
    np.save(folder / "normal_map.npy", normals)
    np.save(tmp_path / "trust.npy", weights)
    for name in ("none", "given", "own"):
        extra = ["--weights", tmp_path / "trust.npy"] if name == "given" else []
        if name == "own":
            np.save(folder / "weights.npy", weights)
        done = run("integrate", folder, "-o", tmp_path / name, "--method", "poisson", *extra)
        assert done.exit_code == 0, done.output
    none, given, own = (np.load(tmp_path / name / "depth.npy") for name in ("none", "given", "own"))
    assert np.array_equal(given, own, equal_nan=True)
    assert np.nanmax(np.abs(given - none)) > 0.5
    identity = json.loads(Path(tmp_path, "own", "result.json").read_text())["identity"]
    assert "weights" in identity["inputs"]
    refused = run(
        "integrate", folder, "-o", tmp_path / "x", "--method", OTHERS[0], "--weights", tmp_path / "trust.npy"
    )
    assert refused.exit_code == 2
    assert "--weights has no effect" in refused.output


@pytest.mark.parametrize("name", WEIGHED)
@pytest.mark.parametrize("factor", [2.0**1000, 2.0**-1000])
def test_only_ratios_of_weights_count_however_large_they_are(name, factor):
    scene = scenes.smooth(16)
    weights = 1.0 + np.random.default_rng(4).random(scene.mask.shape)
    plain, scaled = (
        crevasse.integrate(scene.normals, scene.mask, scene.camera, name, weights=each)
        for each in (weights, weights * factor)
    )
    np.testing.assert_array_equal(scaled.depth, plain.depth)
