"""What the tests share: surfaces compared up to the gauge, methods that take every solve to its end, the data."""

import os
from pathlib import Path

import numpy as np
import pytest

import crevasse
from crevasse.cameras import PinholePlanes, Slopes
from crevasse.lattice import label_regions
from crevasse.methods.graduated.engine import Engine
from crevasse.methods.graduated.judge import Judge
from crevasse.methods.graduated.noise import estimate_noise
from crevasse.methods.graduated.schedule import Schedule
from crevasse.methods.graduated.stages.stage import Context
from crevasse.methods.problem import pose
from crevasse.metrics import align
from crevasse.validate import check_input


def problem_of(scene, threads=1):
    """A scene as the methods are given it."""
    valid = check_input(scene.normals, scene.mask, scene.camera)
    inside = np.ascontiguousarray(valid.mask[valid.window])
    return pose(valid.slopes, inside, scene.camera.planes, threads)


def problem_with(right, down, mask, curvature=0.0, hints=None):
    """A problem with these slopes."""
    cosine = np.where(mask, 1 / np.sqrt(1 + right**2 + down**2), 0.0)
    return pose(Slopes(cosine, cosine * right, cosine * down), mask, PinholePlanes(curvature), hints=hints)


def make_engine(problem, heights=None):
    """The engine of a problem, with a surface or flat."""
    engine = Engine(problem, estimate_noise(problem))
    if heights is not None:
        engine.warm_start(heights)
    return engine


def make_context(engine, settings=None, noise=None, skip_below=0.0):
    """What a stage is given."""
    settings = settings or crevasse.Graduated()
    noise = np.zeros(engine.domain.regions + 1) if noise is None else noise
    return Context(engine, Judge(engine), Schedule(engine, settings, skip_below), settings, noise)


def inner_pairs(pairs):
    """Pairs inside the map, right (H, W-1) and down (H-1, W), of two (H, W) images that are 0 along the border."""
    right, down = pairs
    assert not right[:, -1].any() and not down[-1].any()
    return right[:, :-1], down[:-1]


def drain(run, look=lambda step: None):
    """Everything that a run yields, and what it returns; each step is looked at when it is made."""
    steps = []
    while True:
        try:
            steps.append(next(run))
        except StopIteration as end:
            return steps, end.value
        look(steps[-1])


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


def pixel_error(scene, result):
    """Mean absolute error in pixels, each region aligned by itself."""
    heights, truth = (scene.camera.to_heights(depth) for depth in (result.depth, scene.depth))
    aligned = align(heights, truth, crevasse.Orthographic(), label_regions(scene.mask)[0])
    return float(np.nanmean(np.abs(aligned - truth)))


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


def at_most(count, variable):
    """A number of cases, or fewer where an environment variable says so: under a sanitizer each takes long."""
    return min(count, int(os.environ.get(variable, count)))


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
