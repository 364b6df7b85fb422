"""What the tests share: surfaces compared up to the gauge, methods that take every solve to its end, the data."""

import os
from pathlib import Path

import numpy as np
import pytest

import crevasse
from crevasse.cameras import Slopes
from crevasse.lattice import label_regions
from crevasse.methods.problem import Problem
from crevasse.validate import check_input


def problem_of(scene, threads=1):
    """A scene as the methods are given it."""
    valid = check_input(scene.normals, scene.mask, scene.camera)
    inside = np.ascontiguousarray(valid.mask[valid.window])
    return Problem(valid.slopes, inside, scene.camera.curvature, threads)


def problem_with(right, down, mask, curvature=0.0):
    """A problem with these slopes."""
    cosine = np.where(mask, 1 / np.sqrt(1 + right**2 + down**2), 0.0)
    return Problem(Slopes(cosine, cosine * right, cosine * down), mask, curvature, 1)


def read_pairs(read, shape):
    """What the engine's `read` (one of its getters) says of pairs: right (H, W-1) and down (H-1, W)."""
    right, down = np.empty(shape, np.float32), np.empty(shape, np.float32)
    read(right, down)
    assert not right[:, -1].any() and not down[-1].any()
    return right[:, :-1], down[:-1]


def run_to_the_end(run, look=lambda step: None):
    """The last step of a method's run, and its outcome; each step is looked at."""
    while True:
        try:
            step = next(run)
        except StopIteration as end:
            return step, end.value
        look(step)


def surface_error(depth, truth, camera, parts=None):
    """Largest difference between two surfaces, in pixels, when each region (or part) is free to move."""
    depth, truth = np.asarray(depth, float), np.asarray(truth, float)
    mask = np.isfinite(truth)
    assert np.array_equal(np.isfinite(depth), mask), "the surfaces cover different pixels"
    labels = label_regions(mask)[0] if parts is None else parts
    difference = np.zeros(mask.shape)
    difference[mask] = camera.to_heights(depth[mask]) - camera.to_heights(truth[mask])
    worst = 0.0
    for label in np.unique(labels[mask]):
        here = difference[mask & (labels == label)]
        worst = max(worst, float(np.abs(here - np.median(here)).max()))
    return worst


def assert_same_surface(depth, truth, camera, tolerance, parts=None):
    """Both maps show one surface, up to an offset (orthographic) or a scale (perspective) per region.

    Parameters
    ----------
    depth, truth : (H, W) arrays, NaN outside
    tolerance : largest difference allowed, in pixels
    parts : (H, W) array of int, where something else than the regions may move freely
    """
    error = surface_error(depth, truth, camera, parts)
    assert error <= tolerance, f"the surfaces differ by {error:g} pixels, more than {tolerance:g}"


def integrate_scene(scene, method=None, **changes):
    """The result of integrating a scene."""
    return crevasse.integrate(scene.normals, scene.mask, scene.camera, method, **changes)


def data_folder(name):
    """A folder of the evaluation data; skips the test where there is none."""
    root = os.environ.get("CREVASSE_DATA")
    if not root:
        pytest.skip("CREVASSE_DATA does not name the evaluation data")
    folder = Path(root) / name
    if not folder.is_dir():
        pytest.skip(f"{folder.name} is not among the evaluation data")
    return folder
