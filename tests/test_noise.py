"""The estimate of a map's noise: equal to the noise that was put in."""

from dataclasses import replace

import numpy as np
import pytest
from helpers import problem_with

import crevasse
from crevasse import Orthographic, Perspective
from crevasse.lattice import label_regions
from crevasse.methods.graduated.noise import estimate_noise
from crevasse.methods.problem import pose
from crevasse.validate import check_input

SIDE = 160
SIGMAS = [0.003, 0.02, 0.06]


def noisy_problem(right, down, sigma, mask=None, seed=0):
    """Slopes with the noise that normals of standard deviation sigma give them: sigma over the squared cosine."""
    rng = np.random.default_rng(seed)
    spread = sigma * (1 + right**2 + down**2)
    exact = problem_with(right, down, np.ones(right.shape, bool) if mask is None else mask)
    cosine = exact.slopes.cosine
    noisy = exact.slopes._replace(
        across=cosine * (right + rng.normal(0, spread)), along=cosine * (down + rng.normal(0, spread))
    )
    return replace(exact, slopes=noisy)


def surface():
    """Slopes of a smooth wavy surface, up to 60 degrees steep."""
    rows, columns = np.mgrid[:SIDE, :SIDE] / SIDE
    return 1.7 * np.cos(4 * columns + 2 * rows), 0.85 * np.cos(4 * columns + 2 * rows)


@pytest.mark.parametrize("sigma", SIGMAS)
def test_the_noise_of_a_steep_smooth_surface(sigma):
    assert estimate_noise(noisy_problem(*surface(), sigma))[1] == pytest.approx(sigma, rel=0.05)


@pytest.mark.parametrize("camera", [Orthographic(), Perspective(300.0, 300.0, SIDE / 2, SIDE / 2)])
@pytest.mark.parametrize("sigma", SIGMAS)
def test_the_noise_of_frontal_normals(sigma, camera):
    rng = np.random.default_rng(1)
    flat = np.zeros((SIDE, SIDE))
    normals = camera.normals(flat, flat) + rng.normal(0, sigma, (SIDE, SIDE, 3))
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    valid = check_input(normals, None, camera)
    found = estimate_noise(pose(valid.slopes, valid.mask, camera.planes))
    assert found[1] == pytest.approx(sigma, rel=0.08)


def test_each_large_region_has_its_own_noise_and_small_ones_that_of_the_map():
    right, down = surface()
    mask = np.zeros((SIDE, SIDE), bool)
    mask[:, :70] = mask[:, 80:150] = mask[:10, 155:] = True
    sigma = np.where(np.arange(SIDE) < 75, 0.01, 0.05) * np.ones((SIDE, 1))
    problem = noisy_problem(right, down, sigma, mask)
    found = estimate_noise(problem)
    labels = label_regions(mask)[0]
    left, middle, small = (found[labels[0, column]] for column in (0, 100, 157))
    assert left == pytest.approx(0.01, rel=0.06)
    assert middle == pytest.approx(0.05, rel=0.06)
    assert left < small < middle


@pytest.mark.parametrize("sigma", SIGMAS)
def test_jumps_and_creases_do_not_count_as_noise(sigma):
    right, down = surface()
    right[:, SIDE // 2 :] -= 1.0
    down[SIDE // 3 :] += 0.8
    assert estimate_noise(noisy_problem(right, down, sigma))[1] == pytest.approx(sigma, rel=0.08)


def test_a_plane_has_no_noise():
    flat = np.ones((32, 32))
    assert estimate_noise(noisy_problem(0.3 * flat, -0.8 * flat, 0.0))[1] == pytest.approx(0.0, abs=1e-12)


def test_tall_maps_report_it_too():
    """Tall maps are solved transposed."""
    normals = np.tile([0.3, 0.2, 0.93], (600, 40, 1)) + 0.05 * np.random.default_rng(0).standard_normal((600, 40, 3))
    found = crevasse.integrate(normals).noise
    assert found is not None and 0.03 < found.white < 0.07
