"""The term of spanning pixels: which side they belong to, the steps they leave, and what the engine makes of them."""

import numpy as np
import pytest
from helpers import make_engine, problem_of, problem_with
from maps import ring
from spanning_maps import STEP, WIDTH, computed, rows_of_steps, truth_of, with_steep_column

from crevasse.methods.graduated.evidence import JUDGE
from crevasse.methods.graduated.terms.spanning import find_spanning
from crevasse.methods.graduated.terms.steep_runs import find_steep_runs
from crevasse.scenes import SCENES, add_noise


def spanning_of(problem, heights):
    return find_spanning(find_steep_runs(problem), heights)


@pytest.mark.parametrize("name", SCENES)
def test_normals_of_surfaces_have_no_spanning_pixels(name):
    problem = problem_of(SCENES[name](128))
    assert spanning_of(problem, truth_of(SCENES[name](128), problem)) is None


@pytest.mark.parametrize("seed", range(20))
def test_steep_pixels_that_disagree_do_not_count_as_spanning(seed):
    random = np.random.default_rng(seed)
    problem, heights = rows_of_steps(40.0, 2, rows=int(random.integers(16, 300)))
    steep = 80 * np.exp(random.uniform(-0.35, 0.35, len(heights)))
    assert spanning_of(with_steep_column(problem, steep), heights) is None


def test_jumps_of_one_height_are_read_behind_flat_fronts_only():
    """No smooth contour has a flat front, so there the surface itself is evidence enough."""
    problem, heights = rows_of_steps(40.0, 2, rows=60, spread=0.02)
    runs = find_steep_runs(problem)
    assert find_spanning(runs, heights).width == pytest.approx(0.5, rel=0.03)
    assert find_spanning(runs._replace(bend=np.full(len(runs.bend), 0.4)), heights) is None


@pytest.mark.parametrize("side", ["before", "after"])
@pytest.mark.parametrize("jump", [25.0, -40.0])
def test_a_spanning_pixel_joins_its_side_and_leaves_a_step(jump, side):
    problem, heights = rows_of_steps(jump, 2)
    if side == "after":
        heights[:, STEP] = heights[:, STEP + 1] + 0.1
    spanning = spanning_of(problem, heights)
    assert (spanning.sources % WIDTH == (STEP - 1 if side == "before" else STEP + 1)).all()
    step, held = spanning.steps != 0, spanning.steps == 0
    assert (spanning.pairs[step] // 2 % WIDTH == (STEP if side == "before" else STEP - 1)).all()
    assert (spanning.pairs[held] // 2 % WIDTH == (STEP - 1 if side == "before" else STEP)).all()
    assert (spanning.pairs % 2 == 0).all() and held.sum() == 20
    assert np.allclose(spanning.steps[step], jump * np.linspace(0.5, 1.5, 20), rtol=0.02, atol=0.3)


@pytest.mark.parametrize("turn", [np.fliplr, np.flipud, np.transpose])
def test_spanning_pixels_turn_with_the_map(turn):
    whole = problem_of(computed("two cells"))
    heights = truth_of(computed("two cells"), whole)
    right, down = (slope.astype(float) for slope in whole.domain.steepness)
    signs = {np.fliplr: (-1, 1), np.flipud: (1, -1), np.transpose: (1, 1)}[turn]
    slopes = (right, down) if turn is not np.transpose else (down, right)
    turned = (sign * np.ascontiguousarray(turn(slope)) for sign, slope in zip(signs, slopes, strict=True))
    other = problem_with(*turned, turn(whole.mask).copy())
    one = spanning_of(problem_with(right, down, whole.mask), heights)
    two = spanning_of(other, np.ascontiguousarray(turn(heights)))
    assert np.array_equal(turn(image_of(one, whole.mask)), image_of(two, other.mask))
    assert np.allclose(np.sort(np.abs(one.steps)), np.sort(np.abs(two.steps)))


def image_of(spanning, mask):
    """Where the spanning pixels are."""
    image = np.zeros(mask.shape, bool)
    image.ravel()[spanning.pixels] = True
    return image


@pytest.fixture(params=[np.ones((200, 200), bool), ring(200, 9)], ids=["full", "thin"])
def random_steps(request, monkeypatch):
    """A rough problem with steep pixels in random places, and the spanning pixels that they are declared to be."""
    monkeypatch.setattr("crevasse.methods.graduated.terms.spanning.measure_width", lambda runs, heights: 0.5)
    random, mask = np.random.default_rng(3), request.param
    right, down = (np.where(mask, random.normal(0, 0.3, mask.shape), 0.0) for _ in range(2))
    heights = random.normal(0, 30, mask.shape)
    along_row = np.lib.stride_tricks.sliding_window_view(mask[2:-2], 5, axis=1).all(axis=-1)
    inside = np.argwhere(along_row) + 2
    for y, x in inside[random.permutation(len(inside))[:120]]:
        if np.abs(right[y, x - 2 : x + 3]).max() < 5:
            right[y, x] = 2 * (heights[y, x + 1] - heights[y, x - 1])
    problem = problem_with(right, down, mask)
    spanning = spanning_of(problem, heights)
    assert len(spanning.pixels) > 30
    return problem, spanning


def expected_targets(problem, spanning):
    """Means of the slopes after spanning pixels have taken those of their sources, and the steps; right and down."""
    width = problem.mask.shape[1]
    right, down = (slope.astype(float) for slope in problem.domain.steepness)
    for slopes in (right, down):
        slopes.ravel()[spanning.pixels] = slopes.ravel()[spanning.sources]
    targets = [(right[:, 1:] + right[:, :-1]) / 2, (down[1:] + down[:-1]) / 2]
    for pair, step in zip(spanning.pairs, spanning.steps, strict=True):
        targets[pair % 2][divmod(int(pair) // 2, width)] += step
    return targets


def inside_of(images):
    right, down = images
    return right[:, :-1], down[:-1]


def test_targets_are_the_slopes_of_the_sources_and_the_steps(random_steps):
    problem, spanning = random_steps
    engine = make_engine(problem)
    before = engine.targets()[0]
    engine.add(spanning)
    expected, found = expected_targets(problem, spanning), inside_of(engine.targets())
    for plain, target, pairs in zip(expected, found, problem.domain.pairs, strict=True):
        assert np.allclose(plain[pairs], target[pairs], atol=1e-4)
    assert not np.allclose(before, engine.targets()[0])
    assert engine.terms == (spanning,)
    assert not engine.heights.any()


def test_steps_are_trusted_and_pairs_beside_them_open_easily(random_steps):
    """Whatever the evidence: the step was read from the normals, but the side of a pixel is a guess."""
    problem, spanning = random_steps
    engine = make_engine(problem)
    engine.add(spanning)
    ahead, _ = engine.doubts(JUDGE)
    found, pairs = inside_of(ahead), problem.domain.pairs
    across = [np.zeros(image.shape, bool) for image in found]
    for pair in spanning.pairs:
        across[pair % 2][divmod(int(pair) // 2, problem.mask.shape[1])] = True
    image = image_of(spanning, problem.mask)
    touched = (image[:, 1:] | image[:, :-1]) & pairs[0], (image[1:] | image[:-1]) & pairs[1]
    for doubt, crossing, touching in zip(found, across, touched, strict=True):
        assert np.allclose(doubt[crossing], 0.05)
        assert np.allclose(doubt[touching & ~crossing], 1.0)


def test_new_slopes_keep_the_steps_and_lose_those_of_spanning_pixels():
    """Noisy maps return from denoised slopes to their own."""
    scene = computed("central differences")
    problem, other = problem_of(scene), problem_of(add_noise(scene, 0.1))
    spanning = spanning_of(other, truth_of(scene, problem))
    engine = make_engine(problem)
    engine.add(spanning)
    engine.set_slopes(other)
    fresh = make_engine(spanning.without(other))
    spanning.restore(fresh)
    for image, expected in zip(engine.targets(), fresh.targets(), strict=True):
        assert np.array_equal(image, expected)


def test_the_problem_without_spanning_pixels_shares_nothing_that_changes():
    problem, heights = rows_of_steps(40.0, 2)
    before = [image.copy() for image in problem.slopes]
    spanning = spanning_of(problem, heights)
    other = spanning.without(problem)
    assert np.abs(other.slopes.steepness()[0]).max() < 1
    for image, kept in zip(problem.slopes, before, strict=True):
        assert np.array_equal(image, kept)
