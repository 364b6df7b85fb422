"""Smooth surfaces stay whole: no jump beyond what their curvature and their noise explain.

The jump across an auxiliary edge is R +- twist: R errs by the mean of the two pixels' slopes along the pair, the
twist by half the difference of those across it. With independent noise of standard deviation sigma on each slope
both have the variance sigma^2 / 2, so the standard deviation of a jump is sigma, the square root of the pair's
variance.
"""

import numpy as np
import pytest

from crevasse import integrate
from crevasse.scenes import SCENES, Scene, add_noise, quantise

SMOOTH = ("planes", "tilted", "quadratic", "smooth", "holes", "regions")


def largest_jump(scene: Scene) -> float:
    """In pixels."""
    result = integrate(scene.normals, scene.mask, scene.camera)
    corners = scene.camera.to_heights(result.corners)
    across = np.abs(corners[:, 2::2] - corners[:, 1:-1:2])
    along = np.abs(corners[2::2] - corners[1:-1:2])
    return max(float(np.nanmax(across)), float(np.nanmax(along)))


@pytest.mark.parametrize("name", SMOOTH)
@pytest.mark.parametrize("size", [64, 128])
def test_no_jump_on_exact_smooth_surfaces(name: str, size: int) -> None:
    assert largest_jump(SCENES[name](size)) < 0.1


@pytest.mark.parametrize("name", SMOOTH)
@pytest.mark.parametrize("sigma", [0.02, 0.05, 0.1])
def test_no_jump_above_five_standard_deviations_of_the_noise(name: str, sigma: float) -> None:
    assert largest_jump(add_noise(SCENES[name](128), sigma, seed=5)) < 5 * sigma


@pytest.mark.parametrize("name", SMOOTH)
def test_nothing_is_cut_on_smooth_surfaces_of_eight_bits(name: str) -> None:
    scene = quantise(SCENES[name](96), 8)
    result = integrate(scene.normals, scene.mask, scene.camera)
    assert not result.cuts.right.any() and not result.cuts.down.any()


def test_a_true_step_is_a_jump() -> None:
    """The measure above sees what it is meant to see."""
    assert largest_jump(add_noise(SCENES["stairs"](96), 0.02)) > 5 * 0.02
