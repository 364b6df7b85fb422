"""Denoising of slopes: most of the noise goes, and creases and jumps stay where they are."""

import numpy as np
import pytest
from helpers import integrate_scene, problem_of

from crevasse.methods.graduated.noise import NOISY, estimate_noise
from crevasse.methods.graduated.views.denoise import denoise
from crevasse.methods.problem import Problem
from crevasse.metrics import made
from crevasse.scenes import SCENES, Scene, add_noise


def slope_errors(name: str, noise: float) -> tuple[np.ndarray, np.ndarray]:
    """How far the slopes to the right are from the truth, before and after."""
    scene = SCENES[name](96)
    noisy = problem_of(add_noise(scene, noise))
    truth = problem_of(scene).slopes.steepness()[0]
    before, after = (np.abs(one.slopes.steepness()[0] - truth)[noisy.mask] for one in (noisy, denoised(noisy)))
    return before, after


def denoised(problem: Problem) -> Problem:
    return denoise(problem, estimate_noise(problem))


@pytest.mark.parametrize("name", ["smooth", "planes", "stairs", "disc"])
def test_maps_without_noise_are_not_denoised(name: str) -> None:
    problem = problem_of(SCENES[name](64))
    assert denoised(problem) is problem


@pytest.mark.parametrize("name", ["tilted", "smooth", "stairs", "disc", "holes"])
def test_denoising_removes_more_than_half_of_the_noise(name: str) -> None:
    before, after = slope_errors(name, 0.05)
    assert np.sqrt(np.mean(after**2)) < 0.5 * np.sqrt(np.mean(before**2))


def test_creases_stay_sharp() -> None:
    scene = add_noise(SCENES["disc"](128), 0.05)
    problem = problem_of(scene)
    right, _ = denoised(problem).slopes.steepness()
    truth, _ = problem_of(SCENES["disc"](128)).slopes.steepness()
    turns, found = np.diff(truth, axis=1), np.diff(right, axis=1)
    sharp = np.abs(turns) > 0.3
    assert np.count_nonzero(sharp) > 10
    assert np.median(found[sharp] / turns[sharp]) > 0.8


def test_only_noisy_regions_are_smoothed() -> None:
    plain, noisy = SCENES["tilted"](64), add_noise(SCENES["tilted"](64), 0.05)
    normals = np.concatenate([plain.normals, np.zeros((64, 3, 3)), noisy.normals], 1)
    mask = np.concatenate([plain.mask, np.zeros((64, 3), bool), noisy.mask], 1)
    problem = problem_of(Scene("both", normals, mask, plain.camera, np.zeros(mask.shape), ""))
    before, after = problem.slopes.steepness()[0], denoised(problem).slopes.steepness()[0]
    changed = np.abs(after - before) > 1e-5
    assert not changed[:, :64].any()
    assert changed[:, 67:].mean() > 0.9


def test_the_result_does_not_depend_on_the_size_of_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = problem_of(add_noise(SCENES["disc"](64), 0.05))
    whole = denoised(problem).slopes
    monkeypatch.setattr("crevasse.methods.graduated.views.denoise.CHUNK", 700)
    for image, other in zip(whole, denoised(problem).slopes, strict=True):
        assert np.array_equal(image, other)


@pytest.mark.parametrize(("name", "noise"), [("stairs", 0.02), ("stairs", 0.05), ("disc", 0.02), ("disc", 0.05)])
def test_jumps_are_found_in_noise(name: str, noise: float) -> None:
    scene = add_noise(SCENES[name](192), noise)
    assert estimate_noise(problem_of(scene))[1] > NOISY
    assert made(integrate_scene(scene).depth, scene.depth, scene.camera) < 0.5
