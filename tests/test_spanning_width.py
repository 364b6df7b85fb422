"""The width of spanning pixels: what steep runs agree on, and when they agree on nothing."""

import numpy as np
import pytest
from helpers import problem_of, problem_with
from spanning_maps import COMPUTED, STEP, WIDTH, computed, rows_of_steps, truth_of, with_steep_column

from crevasse.methods.graduated.terms.spanning_width import measure_width, read_width
from crevasse.methods.graduated.terms.steep_runs import find_steep_runs

CELLS = (1, 2, 3, 4)


@pytest.mark.parametrize("cells", CELLS)
@pytest.mark.parametrize("jump", [25.0, -40.0])
def test_the_width_is_one_cell(jump, cells):
    problem, heights = rows_of_steps(jump, cells)
    assert measure_width(find_steep_runs(problem), heights) == pytest.approx(1 / cells, rel=0.03)


@pytest.mark.parametrize("cells", CELLS)
@pytest.mark.parametrize("wrong", [-30.0, 7.0, 100.0])
def test_a_surface_with_misplaced_parts_still_shows_the_width(cells, wrong):
    problem, heights = rows_of_steps(40.0, cells)
    heights[:, STEP + 1 :] += wrong
    runs = find_steep_runs(problem)
    assert measure_width(runs, heights) == pytest.approx(1 / cells, rel=0.03)
    bent = heights + np.where(np.arange(WIDTH) > STEP, np.linspace(0, 30, 20)[:, None], 0.0)
    assert measure_width(runs, bent) != pytest.approx(1 / cells, rel=0.03)


def test_jumps_of_nearly_one_height_show_the_width_only_once_parts_are_placed():
    """They agree on several widths; the jumps of the surface decide."""
    problem, heights = rows_of_steps(40.0, 4, rows=60, spread=0.2)
    runs = find_steep_runs(problem)
    assert measure_width(runs, heights) == pytest.approx(0.25, rel=0.03)
    heights[:, STEP + 1 :] += 30.0
    assert measure_width(runs, heights) is None


def test_jumps_of_one_height_show_the_width_only_in_their_place():
    """Letters and terraces: all slopes are equal, so contours agree whatever the width."""
    problem, heights = rows_of_steps(40.0, 2, rows=60, spread=0.02)
    runs = find_steep_runs(problem)
    assert measure_width(runs, heights) is None
    assert read_width(runs, heights) == pytest.approx(0.5, rel=0.03)
    heights[:, STEP + 1 :] += 8.0
    assert read_width(runs, heights) is None


def test_a_front_that_bends_away_keeps_bending():
    """Half a pixel spans the jump behind a parabola, whose slope there is not that of the pixel before."""
    columns = np.arange(WIDTH)
    jumps = np.linspace(20, 40, 40)[:, None]
    front = 0.3 * np.square(columns)
    back = 0.3 * (STEP - 0.25) ** 2 + jumps - 0.1 * (columns - STEP - 0.25)
    heights = np.where(columns <= STEP, front, back)
    slopes = np.where(columns < STEP, 0.6 * columns, -0.1) + np.where(columns == STEP, 2 * jumps, 0.0)
    runs = find_steep_runs(problem_with(slopes, np.zeros(slopes.shape), np.ones(slopes.shape, bool)))
    assert np.allclose(runs.bend, 0.6)
    assert measure_width(runs, heights) == pytest.approx(0.5, abs=0.001)
    assert measure_width(runs._replace(bend=0 * runs.bend), heights) > 0.502


@pytest.mark.parametrize("name", COMPUTED)
def test_the_true_surface_shows_how_many_cells_a_pixel_has(name):
    scene = computed(name)
    problem = problem_of(scene)
    cells = {"two cells": 2, "three cells": 3}.get(name, 1)
    assert measure_width(find_steep_runs(problem), truth_of(scene, problem)) == pytest.approx(1 / cells, rel=0.06)


def test_a_straight_contour_counts_once_however_long_it_is():
    """Five of them, all in the right place by chance."""
    jumps = np.repeat([20.0, 24.0, 30.0, 33.0, 60.0], 30)
    problem, heights = rows_of_steps(40.0, 2, rows=len(jumps))
    heights[:, STEP + 1 :] += (jumps - (heights[:, STEP + 1] - heights[:, STEP]))[:, None]
    runs = find_steep_runs(with_steep_column(problem, 2 * jumps))
    assert len(runs.before) == 150 and measure_width(runs, heights) is None
    varied = runs._replace(steep=runs.steep * np.tile(np.linspace(0.94, 1.06, 30), 5))
    assert measure_width(varied, heights) == pytest.approx(0.5, rel=0.05)
