"""Sigma: what it covers, what it scales with, where it is infinite, and that runs without it pay nothing."""

from dataclasses import replace

import numpy as np
import pytest

import crevasse
from crevasse import scenes
from crevasse.knowledge import Given
from crevasse.scenes import add_noise, turn_normals
from crevasse.uncertainty import ASSUMED_ERROR, estimate
from crevasse.uncertainty.gauge import depth_per_height, gauge_owners, offset_free
from crevasse.uncertainty.mirrors import Mirror


def run(scene, **arguments):
    return crevasse.integrate(scene.normals, scene.mask, scene.camera, **arguments)


def share_held(scene, result, found):
    """Share of the pixels with a sigma whose 90 % interval holds the truth."""
    owners = np.where(np.isfinite(scene.depth), gauge_owners(result), 0).astype(np.int32)
    truth = result.camera.to_heights(np.where(owners > 0, scene.depth, 1.0))
    errors = np.abs(offset_free(result.surface.heights - truth, owners))[owners > 0]
    return float((errors <= 1.6449 * (found.sigma / depth_per_height(result))[owners > 0]).mean())


def test_finite_where_placed_infinite_on_islands():
    scene = scenes.islands(96)
    result = run(scene)
    assert result.island_count > 0
    placed = gauge_owners(result) > 0
    assert np.isnan(result.sigma[~result.mask]).all()
    assert (result.sigma[placed] > 0).all() and np.isfinite(result.sigma[placed]).all()
    assert np.isinf(result.sigma[result.mask & ~placed]).all()
    assert np.array_equal(placed, result.mask & (result.islands == 1))


@pytest.mark.parametrize("name", ["smooth", "stairs", "disc", "relief"])
@pytest.mark.parametrize("noise", [0.01, 0.05])
def test_intervals_hold_the_truth_under_noise(name, noise):
    scene = add_noise(scenes.SCENES[name](128), noise)
    result = run(scene)
    assert share_held(scene, result, result.uncertainty) > 0.7


def test_grows_with_noise():
    medians = []
    for noise in (0.002, 0.01, 0.05):
        medians.append(np.nanmedian(run(add_noise(scenes.smooth(96), noise)).sigma))
    assert medians[0] < medians[1] / 2 < medians[2] / 4


def test_a_given_error_of_the_normals_counts_in_proportion():
    result = run(scenes.smooth(96))
    without, two, four = (np.nanmedian(estimate(result, degrees).sigma) for degrees in (0.0, 2.0, 4.0))
    assert two > 10 * without
    assert 1.9 < four / two < 2.1


def test_a_visible_smooth_error_is_assumed_to_be_larger_than_it_shows():
    scene = scenes.smooth(192)
    turned = turn_normals(scene, 8.0, 48.0)
    result = run(turned)
    if result.noise.smooth == 0:
        pytest.skip("this error has no curl")
    assert result.uncertainty.normal_error == ASSUMED_ERROR and result.uncertainty.assumed


def test_in_depth_units():
    scene = scenes.stairs(64)
    plain = run(scene)
    coarse = crevasse.integrate(scene.normals, scene.mask, crevasse.Orthographic(pixel_size=0.5))
    np.testing.assert_allclose(coarse.sigma, plain.sigma / 2, rtol=1e-9)
    np.testing.assert_allclose(plain.scaled(3.0).sigma, 3 * plain.sigma, rtol=1e-9)


def test_in_depth_units_of_a_perspective_camera():
    slope = np.tile([0.2, 0.1, 0.97], (48, 64, 1))
    noisy = slope + 0.02 * np.random.default_rng(0).standard_normal(slope.shape)
    result = crevasse.integrate(noisy, camera=crevasse.Perspective(300.0, 300.0, 31.5, 23.5))
    far = result.at_distance(500.0)
    factor = 500.0 / np.median(result.depth)
    np.testing.assert_allclose(far.sigma, factor * result.sigma, rtol=1e-6)


def test_the_same_whenever_it_is_asked_for():
    result = run(add_noise(scenes.disc(64), 0.02))
    assert np.array_equal(result.sigma, result.assess().sigma, equal_nan=True)


def test_nothing_is_computed_unasked(monkeypatch, tmp_path):
    def refuse(*arguments):
        raise AssertionError("sigma was computed although nobody asked")

    monkeypatch.setattr("crevasse.uncertainty.estimation.final_system", refuse)
    result = run(scenes.disc(48))
    result.mesh()
    result.save(tmp_path / "out")
    assert "sigma" not in repr(result)
    with pytest.raises(AssertionError, match="nobody asked"):
        _ = result.sigma


@pytest.mark.parametrize("error", [-1.0, float("nan"), float("inf"), 61.0, "much"])
def test_refuses_nonsense(error):
    result = run(scenes.smooth(32))
    with pytest.raises(ValueError, match="normal_error"):
        result.assess(error)


@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (9, 1), (2, 2), (300, 3)])
def test_tiny_and_thin_maps(shape):
    normals = np.tile([0.3, 0.2, 0.93], (*shape, 1))
    result = crevasse.integrate(normals)
    assert result.sigma.shape == shape
    assert np.isfinite(result.sigma).all() and (result.sigma >= 0).all()
    assert result.reliability.startswith("No doubts found")


def test_many_regions_have_gauges_of_their_own():
    mask = np.zeros((40, 40), bool)
    mask[::2, ::2] = True
    mask[10:20, 10:20] = True
    normals = np.tile([0.3, 0.2, 0.93], (40, 40, 1))
    result = crevasse.integrate(normals, mask)
    assert result.regions > 100
    single = mask.copy()
    single[9:21, 9:21] = False
    assert (result.sigma[single] == 0).all()


@pytest.mark.parametrize("method", ["poisson", "bilateral"])
def test_any_method(method):
    result = run(scenes.disc(48), method=method)
    assert np.isfinite(result.sigma[gauge_owners(result) > 0]).all()


def test_hints_reach_the_mirror():
    """A cut that only hints ask for would close in a mirror without them, and the surfaces would differ."""
    normals = np.tile([0.0, 0.0, 1.0], (40, 40, 1))
    normals[:, 20:] = [0.5, 0.0, 0.866]
    hints = np.zeros((40, 40), int)
    hints[3:20, 20] = 1
    result = crevasse.integrate(normals, hints=hints)
    assert result.hints is not None and (result.hints == hints).all()
    assert result.uncertainty.parts.places.max() < 0.5


def test_what_was_told_reaches_the_mirror():
    """Rough depth, points and fixed depths lie where they belong when the second run sees the map mirrored."""
    scene = add_noise(scenes.quadratic(48), 0.01)
    rows, columns = np.array([4, 30, 40]), np.array([7, 41, 12])
    fixed = np.full(scene.depth.shape, np.nan)
    fixed[5:9, 3:6] = scene.depth[5:9, 3:6]
    told = {
        "prior": crevasse.Prior(scene.depth, sigma=np.full(scene.depth.shape, 0.2)),
        "points": np.stack([rows, columns, scene.depth[rows, columns]], axis=1),
        "fixed": fixed,
    }
    for name, value in told.items():
        result = run(scene, **{name: value})
        assert result.uncertainty.parts.places.max() < 0.05, name


@pytest.mark.parametrize("rows", [False, True])
@pytest.mark.parametrize("columns", [False, True])
def test_tables_of_places_turn_with_their_map(rows, columns):
    mirror = Mirror("", rows, columns)
    marked = np.zeros((6, 9))
    marked[1, 2], marked[4, 7] = 5.0, 8.0
    given = Given(points=[[1, 2, 5.0]], distances=[[1, 2, 4, 7, 3.0]])
    seen = given.mirrored((6, 9), rows, columns)
    row, column, depth = seen.points[0]
    assert mirror.turn(marked)[int(row), int(column)] == depth
    ends = seen.distances[0].astype(int)
    assert mirror.turn(marked)[ends[2], ends[3]] == 8.0 and seen.distances[0, 4] == 3.0


def test_a_surface_that_failed_has_none():
    result = run(scenes.smooth(32))
    broken = replace(result, status=crevasse.Status.NOT_FINITE)
    with pytest.raises(ValueError, match="no sigma"):
        _ = broken.sigma


def test_words_say_what_is_doubtful():
    sure = run(scenes.smooth(64))
    assert sure.reliability.startswith("No doubts found: 100 % of the pixels")
    unsure = sure.assess(normal_error=30.0)
    assert unsure.words.startswith("Doubtful:") and "30 degrees (as given)" in unsure.words
    assert unsure.rating.doubtful > 0.1
    parts = run(scenes.islands(96))
    assert "islands, whose distance nothing determines" in parts.reliability
    assert "mm" in run(scenes.smooth(32)).scaled(0.1, "mm").reliability
