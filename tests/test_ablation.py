"""What reweighting, filter and two-pass schedule give to the published method, as the paper's ablation reports.

It holds where a jump begins to lose weight at a whole pixel; from a tenth of a pixel on, reweighting alone does it.
"""

from dataclasses import replace

import pytest
from helpers import data_folder, integrate_scene, pixel_error

import crevasse
from crevasse import scenes

WHOLE_PIXELS = crevasse.AuxiliaryEdges(threshold=1.0, solver_iterations=200)


def error(scene, iterations, **switches):
    return pixel_error(scene, integrate_scene(scene, replace(WHOLE_PIXELS, iterations=iterations, **switches)))


def test_without_reweighting_it_takes_longer():
    scene = scenes.shingles(96)
    assert error(scene, 20, reweighting=False) > 2 * error(scene, 20)
    assert error(scene, 200, reweighting=False) < 0.2


def test_without_filtering_there_are_no_sparse_jumps():
    scene = scenes.shingles(96)
    assert error(scene, 200) < 0.2
    assert error(scene, 200, filtering=False) > 2.0


def test_without_two_passes_complex_shapes_fail():
    scene = scenes.demo(128)
    assert error(scene, 200, two_pass=False) > 1.1 * error(scene, 200)


def test_finer_threshold_needs_no_filter():
    scene = scenes.shingles(96)
    assert error(scene, 200, threshold=0.1, filtering=False) < 0.2


# Mean absolute depth error in mm after 200 iterations, as an independent prototype of the paper's text had it.
@pytest.mark.data
@pytest.mark.parametrize(("name", "expected"), [("cow", 0.30), ("reading", 0.89)])
def test_errors_are_those_that_the_paper_prints(name, expected):
    found = crevasse.read_folder(data_folder(f"diligent/{name}"))
    method = replace(WHOLE_PIXELS, iterations=200)
    depth = crevasse.integrate(found.normals, found.mask, found.camera, method).depth
    assert crevasse.metrics.made(depth, found.depth, found.camera) == pytest.approx(expected, rel=0.1)
