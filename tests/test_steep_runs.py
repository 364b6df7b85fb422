"""Steep runs: which pixels may span a jump, and which of them lie along one contour."""

from dataclasses import replace

import numpy as np
import pytest
from helpers import problem_with
from spanning_maps import STEP, WIDTH, rows_of_steps, two_steep_columns, with_steep_column

from crevasse.methods.graduated.terms.contours import label_contours
from crevasse.methods.graduated.terms.steep_runs import find_steep_runs


@pytest.mark.parametrize("cells", [1, 2, 3, 4])
@pytest.mark.parametrize("jump", [25.0, -40.0])
def test_a_steep_pixel_between_gentle_ones_is_a_run(jump, cells):
    runs = find_steep_runs(rows_of_steps(jump, cells)[0])
    assert sorted(runs.before % WIDTH) == [STEP - 1] * 20
    assert (runs.after == runs.before + 2).all()
    assert (runs.stride == 1).all() and (runs.length == 1).all() and not runs.down.any()


def test_slopes_that_rise_towards_a_contour_are_not_runs():
    shape = (20, WIDTH)
    slopes = np.broadcast_to(np.array([0, 1, 2, 4, 8, 20, 0, 0, 0, 0, 0, 0.0]), shape).copy()
    assert find_steep_runs(problem_with(slopes, np.zeros(shape), np.ones(shape, bool))) is None


def test_fewer_than_sixteen_runs_are_ignored():
    assert find_steep_runs(rows_of_steps(40.0, 2, rows=15)[0]) is None
    assert len(find_steep_runs(rows_of_steps(40.0, 2, rows=16)[0]).before) == 16


def test_slopes_that_a_file_clips_are_marked():
    """Where many end at the same value, the true ones may be larger."""
    steep = np.linspace(12, 200, 60)
    problem = with_steep_column(rows_of_steps(40.0, 2, rows=60)[0], np.minimum(steep, 100.0))
    runs = find_steep_runs(problem)
    assert sorted(runs.before[~runs.clipped] // WIDTH) == [row for row in range(60) if steep[row] < 99]


@pytest.mark.parametrize("place", [-1, 0, 1])
def test_runs_with_a_hint_are_left_out(place):
    problem, _ = rows_of_steps(40.0, 2)
    assert find_steep_runs(problem) is not None
    assert find_steep_runs(with_hint(problem, STEP + place)) is None


@pytest.mark.parametrize("place", [-1, 0, 1, 2])
def test_runs_of_two_pixels_with_a_hint_are_left_out(place):
    problem = two_steep_columns(np.linspace(15, 40, 30), np.linspace(20, 30, 30))
    assert (find_steep_runs(problem).length == 2).all()
    assert find_steep_runs(with_hint(problem, STEP + place)) is None


def with_hint(problem, column):
    """The problem with jumps forbidden along a column."""
    hints = np.zeros(problem.mask.shape, np.int8)
    hints[:, column] = -1
    return replace(problem, domain=replace(problem.domain, hints=hints))


def test_no_jump_is_counted_twice():
    """Alone, the first pixel would be steep enough beside the second to be a run of its own."""
    runs = find_steep_runs(two_steep_columns(np.linspace(60, 90, 30), np.linspace(12, 17, 30)))
    assert len(runs.before) == 30 and (runs.length == 2).all()


def test_a_normal_perpendicular_to_the_ray_does_not_form_a_run():
    problem, _ = rows_of_steps(40.0, 2, rows=40)
    cosine = problem.slopes.cosine.copy()
    cosine[3, STEP] = 1e-7
    runs = find_steep_runs(replace(problem, slopes=problem.slopes._replace(cosine=cosine)))
    assert len(runs.before) == 39 and 3 not in runs.before // WIDTH


def test_contours_are_runs_that_follow_each_other_in_one_direction():
    shape = (60, 40)
    right, down = np.zeros(shape), np.zeros(shape)
    steep = np.linspace(20, 90, 60)
    right[:20, 10], right[22:30, 11] = steep[:20], steep[22:30]  # one contour, with a gap of two rows
    right[40:, 10] = steep[40:]  # far from it
    right[:20, 20] = -steep[:20]
    right[:20, 23] = steep[:20]  # near it, in the other direction
    down[35, 25:35] = steep[:10]
    runs = find_steep_runs(problem_with(right, down, np.ones(shape, bool)))
    contour = label_contours(runs, shape[1])
    rows, columns = np.divmod(runs.pixel(1), shape[1])
    groups = {frozenset(np.flatnonzero(contour == number)) for number in np.unique(contour)}
    expected = [
        (columns < 12) & (rows < 35) & ~runs.down,
        (columns < 12) & (rows >= 40),
        columns == 20,
        columns == 23,
        runs.down,
    ]
    assert groups == {frozenset(np.flatnonzero(here)) for here in expected}
