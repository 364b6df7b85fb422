"""Pixels that stand across a jump tell how high it is, where normals were made from depth, and nowhere else."""

from dataclasses import replace

import numpy as np
import pytest
from helpers import integrate_scene, problem_of, problem_with, read_pairs
from maps import ball
from scipy import ndimage
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from test_thin import ring

import crevasse
from crevasse.methods.contours import join, label_contours
from crevasse.methods.evidence import JUDGE, consider
from crevasse.methods.graduated import make_engine, retarget
from crevasse.methods.steep import STEEP, are_likely_walls, find_runs
from crevasse.methods.walls import find_walls, measure_share
from crevasse.scenes import SCENES, Scene, add_noise, from_depth

CELLS = (1, 2, 3, 4)
MADE_FROM_DEPTH = {
    "central": from_depth(SCENES["demo"](128), central=True),
    "forward": from_depth(SCENES["demo"](128)),
    "two cells": from_depth(SCENES["demo"](256), cells=2),
    "three cells": from_depth(SCENES["demo"](384), cells=3),
}


def truth_of(scene, problem):
    """The true heights on the mask's bounding box."""
    rows, columns = (np.flatnonzero(scene.mask.any(axis=axis)) for axis in (1, 0))
    window = (slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1))
    return np.where(problem.mask, scene.camera.to_heights(scene.depth[window]), 0.0)


def pixel_error(scene, method=None):
    error = scene.camera.to_heights(integrate_scene(scene, method).depth) - scene.camera.to_heights(scene.depth)
    return np.nanmean(np.abs(error - np.nanmedian(error)))


def steps_in_a_row(jump, cells, before=0.2, behind=-0.1, rows=20, spread=0.5):
    """Jumps of many heights between two planes, each with a pixel across it; heights, and the column of the walls."""
    columns, wall = np.arange(12), 5
    jumps = (jump * np.linspace(1 - spread, 1 + spread, rows))[:, None]
    heights = np.where(columns <= wall, before * columns, before * wall + jumps + behind * (columns - wall))
    slopes = np.where(columns <= wall, before, behind) + np.where(columns == wall, jumps * cells, 0.0)
    return problem_with(slopes, np.zeros(slopes.shape), np.ones(slopes.shape, bool)), heights, wall


# ---- what is a wall --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cells", CELLS)
@pytest.mark.parametrize("jump", [25.0, -40.0])
def test_a_steep_pixel_between_calm_ones_tells_the_share_that_it_covers(jump, cells):
    problem, heights, wall = steps_in_a_row(jump, cells)
    runs = find_runs(problem)
    assert sorted(runs.before % 12) == [wall - 1] * 20 and (runs.stride == 1).all() and (runs.length == 1).all()
    assert measure_share(runs, heights) == pytest.approx(1 / cells, rel=0.03)


@pytest.mark.parametrize("cells", CELLS)
@pytest.mark.parametrize("wrong", [-30.0, 7.0, 100.0])
def test_walls_are_told_by_a_surface_whose_parts_lie_in_wrong_places(cells, wrong):
    problem, heights, wall = steps_in_a_row(40.0, cells)
    heights[:, wall + 1 :] += wrong
    runs = find_runs(problem)
    assert measure_share(runs, heights) == pytest.approx(1 / cells, rel=0.03)
    bent = heights + np.where(np.arange(12) > wall, np.linspace(0, 30, 20)[:, None], 0.0)
    assert measure_share(runs, bent) != pytest.approx(1 / cells, rel=0.03)


def test_jumps_of_nearly_one_height_must_lie_in_their_place():
    """They agree on several numbers of cells; the jumps themselves decide, where the surface has them."""
    problem, heights, wall = steps_in_a_row(40.0, 4, rows=60, spread=0.2)
    runs = find_runs(problem)
    assert measure_share(runs, heights) == pytest.approx(0.25, rel=0.03)
    heights[:, wall + 1 :] += 30.0
    assert measure_share(runs, heights) is None


def test_contours_are_runs_that_follow_each_other_and_go_the_same_way():
    shape = (60, 40)
    right, down = np.zeros(shape), np.zeros(shape)
    steep = np.linspace(20, 90, 60)
    right[:20, 10], right[22:30, 11] = steep[:20], steep[22:30]  # one contour, with a gap of two rows
    right[40:, 10] = steep[40:]  # far from it
    right[:20, 20] = -steep[:20]
    right[:20, 23] = steep[:20]  # near it, the other way
    down[35, 25:35] = steep[:10]
    runs = find_runs(problem_with(right, down, np.ones(shape, bool)))
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


@pytest.mark.parametrize("seed", range(5))
def test_joined_things_are_those_that_a_graph_connects(seed):
    random = np.random.default_rng(seed)
    first, second = random.integers(0, 300, (2, 250))
    links = coo_matrix((np.ones(250), (first, second)), (300, 300))
    other = connected_components(links, directed=False)[1]
    found = join(300, first, second)
    assert len(np.unique(np.stack([found, other]), axis=1).T) == found.max() + 1 == other.max() + 1


def test_a_front_that_bends_away_goes_on_bending():
    """Half a pixel of wall behind a parabola, whose slope at the wall is not that of the pixel before."""
    columns, wall = np.arange(12), 5
    jumps = np.linspace(20, 40, 40)[:, None]
    bent = 0.3 * np.square(columns)
    behind = 0.3 * (wall - 0.25) ** 2 + jumps - 0.1 * (columns - wall - 0.25)
    heights = np.where(columns <= wall, bent, behind)
    slopes = np.where(columns < wall, 0.6 * columns, -0.1) + np.where(columns == wall, 2 * jumps, 0.0)
    runs = find_runs(problem_with(slopes, np.zeros(slopes.shape), np.ones(slopes.shape, bool)))
    assert np.allclose(runs.bend, 0.6) and measure_share(runs, heights) == pytest.approx(0.5, abs=0.001)
    assert measure_share(runs._replace(bend=0 * runs.bend), heights) > 0.502


def test_slopes_that_rise_towards_a_contour_are_no_walls():
    shape = (20, 12)
    slopes = np.broadcast_to(np.array([0, 1, 2, 4, 8, 20, 0, 0, 0, 0, 0, 0.0]), shape).copy()
    assert find_runs(problem_with(slopes, np.zeros(shape), np.ones(shape, bool))) is None


def test_too_few_steep_pixels_tell_nothing():
    problem, _, _ = steps_in_a_row(40.0, 2, rows=15)
    assert find_runs(problem) is None


def test_jumps_of_one_height_behind_flat_fronts_are_read_where_the_surface_has_them():
    """Letters and terraces: all slopes are alike, and no smooth contour has a flat front."""
    problem, heights, wall = steps_in_a_row(40.0, 2, rows=60, spread=0.02)
    runs = find_runs(problem)
    assert measure_share(runs, heights) is None and find_walls(runs, heights).share == pytest.approx(0.5, rel=0.03)
    rounder = runs._replace(bend=np.full(len(runs.bend), 0.4))
    assert find_walls(rounder, heights) is None
    heights[:, wall + 1 :] += 8.0
    assert find_walls(runs, heights) is None


def test_terraces_are_found():
    """Flat steps of one height, as a depth map shows them: without walls nothing is cut, and parts lie wrong."""
    rows, columns = np.mgrid[:120, :120]
    heights = 25.0 * ((np.hypot(rows - 20, columns - 60) // 30) % 3)
    mask = np.ones(heights.shape, bool)
    scene = from_depth(Scene("terraces", np.zeros((120, 120, 3)), mask, crevasse.Orthographic(), heights, ""))
    assert pixel_error(scene) < 0.5 * pixel_error(scene, crevasse.Graduated(walls=False))


def test_slopes_that_are_cut_off_tell_nothing():
    """Where many end at the same value, the true ones may be any larger."""
    problem, _, wall = steps_in_a_row(40.0, 2, rows=60)
    right = problem.steepness[0].astype(float)
    steep = np.linspace(12, 200, 60)
    right[:, wall] = np.minimum(steep, 100.0)
    runs = find_runs(problem_with(right, np.zeros(right.shape), problem.mask))
    assert sorted(runs.before[~runs.cut_off] // 12) == [row for row in range(60) if steep[row] < 99]


@pytest.mark.parametrize("name", MADE_FROM_DEPTH)
def test_the_truth_tells_how_many_cells_a_pixel_has(name):
    scene = MADE_FROM_DEPTH[name]
    problem = problem_of(scene)
    cells = {"two cells": 2, "three cells": 3}.get(name, 1)
    assert measure_share(find_runs(problem), truth_of(scene, problem)) == pytest.approx(1 / cells, rel=0.06)


@pytest.mark.parametrize("name", SCENES)
def test_normals_of_surfaces_have_no_walls(name):
    scene = SCENES[name](128)
    problem = problem_of(scene)
    assert find_walls(find_runs(problem), truth_of(scene, problem)) is None


@pytest.mark.parametrize("seed", range(20))
def test_steep_pixels_that_do_not_agree_are_no_walls(seed):
    random = np.random.default_rng(seed)
    problem, heights, wall = steps_in_a_row(40.0, 2, rows=int(random.integers(16, 300)))
    right = problem.steepness[0].astype(float)
    right[:, wall] = 80 * np.exp(random.uniform(-0.35, 0.35, len(right)))
    assert find_walls(find_runs(problem_with(right, np.zeros(right.shape), problem.mask)), heights) is None


def test_straight_contours_agree_only_with_themselves():
    """Five of them, all in the right place by chance: each is one witness, however long it is."""
    jumps = np.repeat([20.0, 24.0, 30.0, 33.0, 60.0], 30)
    problem, heights, wall = steps_in_a_row(40.0, 2, rows=len(jumps))
    right = problem.steepness[0].astype(float)
    right[:, wall] = 2 * jumps
    heights[:, wall + 1 :] += (jumps - (heights[:, wall + 1] - heights[:, wall]))[:, None]
    runs = find_runs(problem_with(right, np.zeros(right.shape), problem.mask))
    assert len(runs.before) == 150 and measure_share(runs, heights) is None
    varied = runs._replace(steep=runs.steep * np.tile(np.linspace(0.94, 1.06, 30), 5))
    assert measure_share(varied, heights) == pytest.approx(0.5, rel=0.05)


@pytest.mark.parametrize("place", [-1, 0, 1])
def test_hints_go_before_walls(place):
    problem, heights, wall = steps_in_a_row(40.0, 2)
    hints = np.zeros(problem.mask.shape, np.int8)
    hints[:, wall + place] = -1
    assert find_walls(find_runs(problem), heights) is not None
    assert find_runs(replace(problem, hints=hints)) is None


@pytest.mark.parametrize("place", [-1, 0, 1, 2])
def test_hints_go_before_walls_of_two_pixels(place):
    problem = two_pixels(np.linspace(15, 40, 30), np.linspace(20, 30, 30))
    hints = np.zeros(problem.mask.shape, np.int8)
    hints[:, 5 + place] = -1
    assert (find_runs(problem).length == 2).all()
    assert find_runs(replace(problem, hints=hints)) is None


def two_pixels(first, second):
    """Rows with two steep pixels, in columns 5 and 6."""
    slopes = np.zeros((len(first), 12))
    slopes[:, 5], slopes[:, 6] = first, second
    return problem_with(slopes, np.zeros(slopes.shape), np.ones(slopes.shape, bool))


def test_no_jump_is_counted_twice():
    """The first pixel is as steep beside the second as a wall beside a calm one, and both are a wall together."""
    runs = find_runs(two_pixels(np.linspace(60, 90, 30), np.linspace(12, 17, 30)))
    assert len(runs.before) == 30 and (runs.length == 2).all()


def test_normals_that_tell_no_slope_tell_no_jump():
    problem, _, wall = steps_in_a_row(40.0, 2, rows=40)
    slopes = problem.slopes
    slopes.cosine[3, wall] = 1e-7
    runs = find_runs(problem)
    assert len(runs.before) == 39 and 3 not in runs.before // 12


# ---- what becomes of it ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", ["before", "behind"])
@pytest.mark.parametrize("jump", [25.0, -40.0])
def test_a_wall_goes_to_its_side_and_leaves_a_step(jump, side):
    problem, heights, wall = steps_in_a_row(jump, 2)
    if side == "behind":
        heights[:, wall] = heights[:, wall + 1] + 0.1
    walls = find_walls(find_runs(problem), heights)
    assert (walls.sources % 12 == (wall - 1 if side == "before" else wall + 1)).all()
    step, held = walls.steps != 0, walls.steps == 0
    assert (walls.pairs[step] // 2 % 12 == (wall if side == "before" else wall - 1)).all()
    assert (walls.pairs[held] // 2 % 12 == (wall - 1 if side == "before" else wall)).all()
    assert (walls.pairs % 2 == 0).all() and held.sum() == 20
    assert np.allclose(walls.steps[step], jump * np.linspace(0.5, 1.5, 20), rtol=0.02, atol=0.3)


@pytest.mark.parametrize("turn", [np.fliplr, np.flipud, np.transpose])
def test_walls_turn_with_the_map(turn):
    scene = MADE_FROM_DEPTH["two cells"]
    whole = problem_of(scene)
    heights = truth_of(scene, whole)
    right, down = (slope.astype(float) for slope in whole.steepness)
    plain = problem_with(right, down, whole.mask)
    signs = {np.fliplr: (-1, 1), np.flipud: (1, -1), np.transpose: (1, 1)}[turn]
    slopes = (right, down) if turn is not np.transpose else (down, right)
    other = problem_with(
        *(sign * np.ascontiguousarray(turn(s)) for sign, s in zip(signs, slopes, strict=True)),
        turn(whole.mask).copy(),
    )
    one = find_walls(find_runs(plain), heights)
    two = find_walls(find_runs(other), np.ascontiguousarray(turn(heights)))
    where = np.zeros(whole.mask.shape, bool)
    where.ravel()[one.pixels] = True
    there = np.zeros(other.mask.shape, bool)
    there.ravel()[two.pixels] = True
    assert np.array_equal(turn(where), there)
    assert np.allclose(np.sort(np.abs(one.steps)), np.sort(np.abs(two.steps)))


def expected_targets(right, down, walls):
    """Plain twin: means of the slopes that walls took over, and the steps."""
    width = right.shape[1]
    right, down = right.copy(), down.copy()
    for slopes in (right, down):
        slopes.ravel()[walls.pixels] = slopes.ravel()[walls.sources]
    targets = [(right[:, 1:] + right[:, :-1]) / 2, (down[1:] + down[:-1]) / 2]
    for pair, step in zip(walls.pairs, walls.steps, strict=True):
        y, x = divmod(int(pair) // 2, width)
        targets[pair % 2][y, x] += step
    return targets


@pytest.mark.parametrize("mask", [np.ones((200, 200), bool), ring(200, 9)], ids=["full", "thin"])
def test_the_engine_has_the_targets_of_its_plain_twin(mask, monkeypatch):
    monkeypatch.setattr("crevasse.methods.walls.measure_share", lambda runs, heights: 0.5)
    random = np.random.default_rng(3)
    right, down = (np.where(mask, random.normal(0, 0.3, mask.shape), 0.0) for _ in range(2))
    heights = random.normal(0, 30, mask.shape)
    inside = (
        np.argwhere(mask[2:-2, 2:-2] & mask[2:-2, :-4] & mask[2:-2, 1:-3] & mask[2:-2, 3:-1] & mask[2:-2, 4:]) + 2
    )
    for y, x in inside[random.permutation(len(inside))[:120]]:
        if np.abs(right[y, x - 2 : x + 3]).max() < 5:
            right[y, x] = 2 * (heights[y, x + 1] - heights[y, x - 1])
    problem = problem_with(right, down, mask)
    walls = find_walls(find_runs(problem), heights)
    assert len(walls.pixels) > 30
    engine = make_engine(problem)
    width = mask.shape[1]
    before = read_pairs(engine.targets, mask.shape)
    walls.build(engine)
    found = read_pairs(engine.targets, mask.shape)
    for plain, target, pairs in zip(expected_targets(*problem.steepness, walls), found, problem.pairs, strict=True):
        assert np.allclose(plain[pairs], target[pairs], atol=1e-4)
    assert not np.allclose(before[0], found[0])
    engine.read(kept := np.empty(mask.shape))
    assert (kept == 0).all()
    # A step is trusted whatever the evidence says of its pair.
    consider(engine, JUDGE)
    found = read_pairs(engine.doubts_ahead, mask.shape)
    across = [np.zeros(image.shape, bool) for image in found]
    for pair in walls.pairs:
        across[pair % 2][divmod(int(pair) // 2, width)] = True
    # Those along the contour may open for little: the side is a guess.
    wall = np.zeros(mask.shape, bool)
    wall.ravel()[walls.pixels] = True
    touched = (wall[:, 1:] | wall[:, :-1]) & problem.pairs[0], (wall[1:] | wall[:-1]) & problem.pairs[1]
    for image, crossing, touching in zip(found, across, touched, strict=True):
        assert np.allclose(image[crossing], 0.05) and np.allclose(image[touching & ~crossing], 1.0)


def test_slopes_that_are_given_anew_have_the_same_walls():
    """Noisy maps go from steadier slopes back to their own."""
    scene = MADE_FROM_DEPTH["central"]
    problem, other = problem_of(scene), problem_of(add_noise(scene, 0.1))
    walls = find_walls(find_runs(other), truth_of(scene, problem))
    engine = make_engine(problem)
    walls.build(engine)
    retarget(engine, walls.remove(other))
    walls.rebuild(engine)
    found = read_pairs(engine.targets, problem.mask.shape)
    fresh = make_engine(walls.remove(other))
    walls.rebuild(fresh)
    for image, twin in zip(found, read_pairs(fresh.targets, problem.mask.shape), strict=True):
        assert np.array_equal(image, twin)


# ---- what users get --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MADE_FROM_DEPTH)
def test_surfaces_of_normals_made_from_depth_are_better_with_walls(name):
    scene = MADE_FROM_DEPTH[name]
    assert pixel_error(scene) < 0.8 * pixel_error(scene, crevasse.Graduated(walls=False))


def overlapping_discs(seed, side=100):
    """Flat discs of many heights, as a Sobel filter shows a depth map of twice the resolution."""
    random = np.random.default_rng(seed)
    rows, columns = np.mgrid[0 : 2 * side, 0 : 2 * side] / 2
    heights = np.zeros(rows.shape)
    for _ in range(25):
        x, y = random.uniform(0, side, 2)
        inside = np.hypot(columns - x, rows - y) < random.uniform(0.06, 0.2) * side
        heights = np.where(inside, np.maximum(heights, random.uniform(0.02, 0.4) * side), heights)
    right, down = (ndimage.sobel(-heights, axis) / 4 for axis in (1, 0))
    camera, mask = crevasse.Orthographic(), np.ones((side, side), bool)
    return Scene("discs", camera.normals(right, down)[::2, ::2], mask, camera, -heights[::2, ::2], "")


@pytest.mark.parametrize("seed", [12, 13])
def test_moves_of_parts_do_not_flatten_what_walls_place(seed):
    """All normals are alike: no jump has a turn, and those beside walls are not told by any."""
    scene = overlapping_discs(seed)
    result = integrate_scene(scene)
    assert any(warning.startswith("walls") for warning in result.warnings)
    assert pixel_error(scene) < 0.8 * pixel_error(scene, crevasse.Graduated(walls=False))


@pytest.mark.parametrize(("name", "cells"), [("islands", 1), ("disc", 2)])
def test_walls_place_what_nothing_else_in_the_normals_places(name, cells):
    scene = from_depth(SCENES[name](160 * cells), cells, central=cells == 1)
    assert pixel_error(scene) < 0.1 * pixel_error(scene, crevasse.Graduated(walls=False))


def test_what_walls_place_is_no_island():
    scene = from_depth(SCENES["disc"](320), cells=2)
    with_walls, without = (integrate_scene(scene, crevasse.Graduated(walls=walls)) for walls in (True, False))
    assert without.islands.max() > 1 == with_walls.islands.max()
    assert ((with_walls.islands > 0) == scene.mask).all()
    assert not [warning for warning in with_walls.warnings if warning.startswith("islands")]


def test_a_known_step_is_a_jump_and_is_told():
    scene = from_depth(SCENES["comb"](160))
    result = integrate_scene(scene)
    steps = np.abs(np.diff(scene.depth, axis=1)) > 1.2 * STEEP
    cuts = result.cuts.right.copy()
    cuts[:, 1:] |= result.cuts.right[:, :-1]
    cuts[:, :-1] |= result.cuts.right[:, 1:]
    assert steps.sum() > 100 and cuts[steps].mean() > 0.9
    assert [warning for warning in result.warnings if warning.startswith("walls")]
    assert not integrate_scene(scene, crevasse.Graduated(walls=False)).cuts.right[steps].any()


def test_maps_without_walls_are_left_alone():
    scene = SCENES["demo"](128)
    one, two = (integrate_scene(scene, crevasse.Graduated(walls=walls)) for walls in (True, False))
    assert np.array_equal(one.depth, two.depth, equal_nan=True)
    assert not [warning for warning in one.warnings if warning.startswith("walls")]


@pytest.mark.parametrize("name", ["two cells", "forward"])
def test_threads_do_not_change_a_bit_of_a_surface_with_walls(name):
    """Whether walls are likely, so that one start is made first, or not, so that two run beside each other."""
    scene = MADE_FROM_DEPTH[name]
    assert are_likely_walls(find_runs(problem_of(scene))) == (name == "two cells")
    states = [crevasse.iterate(scene.normals, scene.mask, scene.camera, threads=threads) for threads in (1, 2)]
    for one, two in zip(*states, strict=True):
        assert np.array_equal(one.depth, two.depth, equal_nan=True)
    assert one.start == 3  # refined


def beside(one, other, gap=6):
    """Two scenes in one map, each a region of its own."""
    shape = (max(one.mask.shape[0], other.mask.shape[0]), one.mask.shape[1] + gap + other.mask.shape[1])
    normals, mask, depth = np.zeros((*shape, 3)), np.zeros(shape, bool), np.full(shape, np.nan)
    for scene, column in ((one, 0), (other, one.mask.shape[1] + gap)):
        rows, columns = scene.mask.shape
        place = slice(0, rows), slice(column, column + columns)
        normals[place], mask[place], depth[place] = scene.normals, scene.mask, scene.depth
    return replace(one, normals=normals, mask=mask, depth=depth)


def test_regions_without_walls_are_left_to_themselves():
    plain = SCENES["disc"](128)
    walled = from_depth(SCENES["islands"](320), cells=2)
    scene = beside(replace(walled, camera=plain.camera, depth=walled.depth / 2), plain)
    alone = integrate_scene(plain, crevasse.Graduated(walls=False))
    result = integrate_scene(scene)
    assert any(warning.startswith("walls") for warning in result.warnings)
    part = result.depth[: plain.mask.shape[0], -plain.mask.shape[1] :]
    difference = (part - alone.depth)[plain.mask]
    assert np.abs(difference - np.median(difference)).mean() < 0.1


def test_scattered_regions_have_walls_as_whole_ones_have():
    """They are moved together before they are solved."""
    small = from_depth(SCENES["demo"](128), central=True)
    camera = crevasse.Orthographic()
    heights = small.camera.to_heights(small.depth)
    right, down = small.camera.slopes(small.normals, small.mask).steepness(1e-3)
    normals, mask = np.zeros((1200, 1200, 3)), np.zeros((1200, 1200), bool)
    places = [(row, column) for row in (0, 1000) for column in (0, 1000)]
    for row, column in places:
        normals[row : row + 128, column : column + 128] = camera.normals(right, down) * small.mask[..., None]
        mask[row : row + 128, column : column + 128] = small.mask
    result = crevasse.integrate(normals, mask, camera)
    assert any(warning.startswith("walls") for warning in result.warnings)
    for row, column in places:
        error = result.depth[row : row + 128, column : column + 128] - heights
        assert np.nanmean(np.abs(error - np.nanmedian(error))) < 0.5


def test_large_maps_have_walls_too(monkeypatch):
    """They are solved at half the resolution first, where walls are blended with what lies beside them."""
    monkeypatch.setattr("crevasse.methods.coarse.LARGE", 1 << 12)
    scene = MADE_FROM_DEPTH["central"]
    assert pixel_error(scene) < 0.5 * pixel_error(scene, crevasse.Graduated(walls=False))


def test_walls_help_in_noise():
    scene = add_noise(MADE_FROM_DEPTH["central"], 0.05)
    assert pixel_error(scene) < 0.8 * pixel_error(scene, crevasse.Graduated(walls=False))


def test_the_limb_of_a_ball_has_no_walls():
    normals, mask = ball(96)
    result = crevasse.integrate(normals, mask)
    assert not [warning for warning in result.warnings if warning.startswith("walls")]
