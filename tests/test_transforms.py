"""Fourier, cosine transform, quadrilaterals and multiple scales against systems that are assembled as matrices."""

import numpy as np
import pytest
from helpers import assert_same_surface, integrate_scene, problem_of

import crevasse
from crevasse import scenes
from crevasse.lattice import divergence
from crevasse.methods.cosine import Cosine, invert, mean_steps
from crevasse.methods.discrete_geometry import DiscreteGeometry
from crevasse.methods.fourier import Fourier, project
from crevasse.methods.multi_scale import MultiScale
from crevasse.twins.laplacian import solve_plain

RANDOM = np.random.default_rng(0)
SHAPES = [(5, 7), (6, 8), (1, 6), (7, 1)]


def wave_matrix(size):
    """The derivative of the trigonometric interpolation of so many samples, as a matrix."""
    cycles = np.fft.fftfreq(size)
    factor = np.where(np.abs(cycles) == 0.5, 0, 2j * np.pi * cycles)
    return np.fft.ifft(factor[:, None] * np.fft.fft(np.eye(size), axis=0), axis=0).real


def step_matrix(size):
    """Steps to the next sample, the last one's to the first."""
    return np.roll(np.eye(size), 1, axis=1) - np.eye(size)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("derivative", "matrix"), [("spectral", wave_matrix), ("difference", step_matrix)])
def test_fourier_is_the_periodic_least_squares_solve(shape, derivative, matrix):
    right, down = RANDOM.normal(size=(2, *shape))
    rows, columns = np.kron(matrix(shape[0]), np.eye(shape[1])), np.kron(np.eye(shape[0]), matrix(shape[1]))
    goals = right, down
    if derivative == "difference":
        goals = (right + np.roll(right, -1, axis=1)) / 2, (down + np.roll(down, -1, axis=0)) / 2
    goal = np.concatenate([part.ravel() for part in goals])
    found = np.linalg.lstsq(np.vstack([columns, rows]), goal, rcond=None)[0]
    np.testing.assert_allclose(project(right, down, derivative).ravel(), found, atol=1e-10)


def test_fourier_bends_a_plane_unless_tilt_is_set():
    normals = np.full((8, 9, 3), [0.6, 0.0, 0.8])
    flat, tilted = (crevasse.integrate(normals, method=Fourier(tilt=tilt)).depth for tilt in (False, True))
    assert np.abs(flat).max() < 1e-12
    np.testing.assert_allclose(np.diff(tilted, axis=1), 0.75, atol=1e-12)


@pytest.mark.parametrize("shape", [(5, 7), (16, 9), (1, 6), (7, 1), (1, 1)])
def test_the_cosine_transform_solves_the_system_with_free_borders(shape):
    flux = RANDOM.normal(size=(shape[0], shape[1] - 1)), RANDOM.normal(size=(shape[0] - 1, shape[1]))
    ones = np.ones(flux[0].shape), np.ones(flux[1].shape)
    side = divergence(*flux)
    np.testing.assert_allclose(invert(side), solve_plain(*ones, side), atol=1e-10)


def test_where_all_pixels_face_alike_the_cosine_transform_is_poisson():
    angles = RANDOM.uniform(0, 2 * np.pi, (14, 11))
    normals = np.stack([0.6 * np.cos(angles), 0.6 * np.sin(angles), np.full(angles.shape, 0.8)], axis=-1)
    fast, plain = (crevasse.integrate(normals, method=method).depth for method in (Cosine(), crevasse.Poisson()))
    assert_same_surface(fast, plain, crevasse.Orthographic(), 1e-6)


def test_steps_of_the_cosine_transform_are_the_mean_of_both_planes():
    scene = scenes.smooth(20)
    right, _ = mean_steps(problem_of(scene), 0.03)
    slopes = problem_of(scene).slopes.steepness()[0]
    np.testing.assert_allclose(right, (slopes[:, :-1] + slopes[:, 1:]) / 2)


def quad_matrix(mask):
    """(I - 1 1' / 4) of each pixel's vertices, stacked, and the corners' places."""
    height, width = mask.shape
    number = np.arange((height + 1) * (width + 1)).reshape(height + 1, width + 1)
    rows = []
    for row, column in np.argwhere(mask):
        vertices = number[row : row + 2, column : column + 2].ravel()
        block = np.zeros((4, number.size))
        block[:, vertices] = np.eye(4) - 0.25
        rows.append(block)
    return np.vstack(rows)


@pytest.mark.parametrize("weighted", [False, True])
def test_quadrilaterals_are_the_least_squares_of_their_planes(weighted):
    scene = scenes.add_noise(scenes.holes(20), 0.05)
    result = integrate_scene(scene, DiscreteGeometry(weighted=weighted, tolerance=1e-12))
    problem = problem_of(scene)
    right, down = (slope[problem.mask] for slope in problem.slopes.steepness())
    goal = np.stack([-right - down, right - down, down - right, right + down], axis=-1) / 2
    weight = np.repeat(np.maximum(problem.slopes.cosine[problem.mask], 0.03), 4) if weighted else np.ones(goal.size)
    matrix = quad_matrix(problem.mask)
    found = np.linalg.lstsq(matrix * weight[:, None], weight * goal.ravel(), rcond=None)[0]
    vertices = found.reshape(problem.mask.shape[0] + 1, -1)
    heights = (vertices[:-1, :-1] + vertices[1:, :-1] + vertices[:-1, 1:] + vertices[1:, 1:]) / 4
    heights = np.where(problem.mask, heights, np.nan)
    inside = np.argwhere(scene.mask)
    window = tuple(slice(low, high + 1) for low, high in zip(inside.min(axis=0), inside.max(axis=0), strict=True))
    assert_same_surface(result.depth[window], heights, scene.camera, 1e-6)


def test_quadrilaterals_share_their_corners():
    scene = scenes.stairs(24)
    result = integrate_scene(scene, "discrete-geometry")
    right, down = result.jumps
    assert np.nanmax(np.abs(right)) < 1e-9 and np.nanmax(np.abs(down)) < 1e-9
    assert not result.cuts.right.any() and not result.cuts.down.any()


def test_many_sweeps_come_closer_to_least_squares():
    scene = scenes.add_noise(scenes.holes(40), 0.05)
    plain = integrate_scene(scene, crevasse.Poisson()).depth
    errors = []
    for sweeps in (5, 50, 1000):
        method = MultiScale(sweeps=sweeps, most_sweeps=1000)
        errors.append(np.nanstd(integrate_scene(scene, method).depth - plain))
    assert errors[0] > 3 * errors[1] > 9 * errors[2]
    assert errors[2] < 1e-3
