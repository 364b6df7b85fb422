"""What is known besides the normals: it places islands, fixes the gauge, and never spoils what the normals say."""

from dataclasses import replace

import numpy as np
import pytest
from helpers import pixel_error

import crevasse
from crevasse import Prior, scenes
from crevasse.methods.graduated.prior_error import measure_error

ALONE = crevasse.Graduated(spanning=False)


def run(scene, method=ALONE, **known):
    return crevasse.integrate(scene.normals, scene.mask, scene.camera, method, **known)


def off(scene, result):
    """Mean absolute error of heights, absolute: no gauge is fixed."""
    heights = scene.camera.to_heights(result.depth) - scene.camera.to_heights(scene.depth)
    return float(np.abs(heights[scene.mask]).mean())


def perspective(size=96):
    """A sphere in front of a wall, seen by a pinhole: an island at another distance."""
    camera = crevasse.Perspective(2.0 * size, 2.0 * size, (size - 1) / 2, (size - 1) / 2)
    rows, columns = np.mgrid[:size, :size]
    rays = camera.points(rows, columns, np.ones((size, size)))
    centre, radius, length = np.array([0.0, 0.0, 8.0]), 1.0, np.square(rays).sum(-1)
    half = rays @ centre
    inside = half**2 - length * (centre @ centre - radius**2)
    ball = inside > 0
    depth = np.where(ball, (half - np.sqrt(np.maximum(inside, 0))) / length, 12.0)
    outward = (rays * depth[..., None] - centre) / radius
    facing = np.where(ball[..., None], outward, [0.0, 0.0, -1.0])
    normals = facing * [1.0, -1.0, -1.0]
    return scenes.Scene("ball", normals, np.ones((size, size), bool), camera, depth, "")


@pytest.fixture(scope="module")
def islands():
    return scenes.islands(96)


@pytest.fixture(scope="module")
def ball():
    return perspective()


def test_a_prior_places_islands_and_the_gauge(islands):
    alone, known = run(islands), run(islands, prior=scenes.stereo_depth(islands))
    assert off(islands, known) < 0.2 * pixel_error(islands, alone)
    assert known.metric
    assert not alone.metric
    assert not any("guess" in warning for warning in known.warnings)


@pytest.mark.parametrize("unknown", ["nothing", "scale", "scale and shift", "disparity"])
def test_a_prior_of_a_pinhole_places_islands(ball, unknown):
    """Whatever is unknown of it; the distance itself only where nothing is."""
    given = {
        "nothing": ball.depth,
        "scale": 3 * ball.depth,
        "scale and shift": 3 * ball.depth - 11,
        "disparity": 7 / ball.depth + 0.4,
    }[unknown]
    noise = np.random.default_rng(1).standard_normal(ball.mask.shape) * 0.01 * np.ptp(given)
    result = run(ball, prior=Prior(given + noise, unknown=unknown))
    assert pixel_error(ball, result) < 0.1 * pixel_error(ball, run(ball))
    assert result.metric == (unknown == "nothing")
    if result.metric:
        assert abs(np.median(result.depth / ball.depth) - 1) < 0.01


def test_scale_and_shift_of_a_prior_do_not_matter(ball):
    prior = scenes.network_depth(ball)
    one, other = (run(ball, prior=Prior(a * prior.depth + b, unknown=prior.unknown)) for a, b in ((1, 0), (40, -3)))
    np.testing.assert_allclose(one.depth, other.depth, rtol=1e-4)


def test_wrong_depths_and_holes_are_survived(islands):
    rng = np.random.default_rng(2)
    depth = islands.depth + rng.normal(0, 0.3, islands.depth.shape)
    depth[rng.random(depth.shape) < 0.1] += 500
    depth[rng.random(depth.shape) < 0.5] = np.nan
    assert off(islands, run(islands, prior=Prior(depth))) < 0.15


def test_a_smooth_error_of_a_prior_is_not_inherited():
    scene = scenes.smooth(96)
    prior = scenes.network_depth(scene, error=0.2)
    exact, known = run(scene), run(scene, prior=prior)
    assert pixel_error(scene, known) < 1.02 * pixel_error(scene, exact) + 1e-9


def test_a_prior_mends_normals_that_err_smoothly():
    scene = scenes.turn_normals(scenes.smooth(128), 3.0, 60.0)
    alone, known = run(scene), run(scene, prior=scenes.stereo_depth(scene))
    assert pixel_error(scene, known) < 0.5 * pixel_error(scene, alone)


def test_coarse_cells_place_islands(islands):
    assert off(islands, run(islands, prior=scenes.rgbd_depth(islands))) < 1.5


def test_points_of_which_one_is_wrong(islands):
    points = scenes.measured_points(islands, 60, wrong=0.05, seed=3)
    result = run(islands, points=points)
    assert result.metric
    assert off(islands, result) < 0.5 * pixel_error(islands, run(islands))


def test_one_point_fixes_the_gauge_alone():
    scene = scenes.smooth(64)
    alone, known = run(scene), run(scene, points=[[10, 20, 77.0]])
    np.testing.assert_allclose(known.depth - known.depth[10, 20], alone.depth - alone.depth[10, 20], atol=1e-9)
    assert known.depth[10, 20] == pytest.approx(77.0, abs=0.01)
    assert known.metric


def test_fixed_depths_come_out():
    """Along a border, where they bend the surface away from what the normals say."""
    scene = scenes.smooth(64)
    fixed = np.full(scene.mask.shape, np.nan)
    fixed[:, 0], fixed[:, -1] = scene.depth[:, 0] + 5, scene.depth[:, -1] + 7
    result = run(scene, fixed=fixed)
    given = np.isfinite(fixed)
    assert np.abs(result.depth - fixed)[given].max() < 0.01
    rise = (result.depth - scene.depth)[32]
    assert np.all(np.diff(rise) > -0.05)


def test_a_distance_gives_the_scale_of_a_pinhole(ball):
    first, second = (30, 48), (60, 50)
    ends = ball.camera.points(*np.array([first, second]).T, ball.depth[[30, 60], [48, 50]])
    length = float(np.linalg.norm(ends[1] - ends[0]))
    result = run(ball, distances=[[*first, *second, length]])
    assert result.metric
    assert result.depth[30, 48] == pytest.approx(ball.depth[30, 48], rel=0.02)


def test_distances_put_an_island_where_it_belongs(islands):
    """Several distances between two parts, of which each alone could be explained otherwise."""
    alone = run(islands)
    wrong = np.abs((alone.depth - islands.depth) - np.median(alone.depth - islands.depth)) > 1
    label = np.bincount(alone.islands[wrong & (alone.islands > 1)]).argmax()
    there, here = np.argwhere(alone.islands == label), np.argwhere(alone.islands == 1)
    rng = np.random.default_rng(0)
    ends = np.concatenate([here[rng.integers(0, len(here), 12)], there[rng.integers(0, len(there), 12)]], axis=1)
    depth = islands.depth[ends[:, 0], ends[:, 1]], islands.depth[ends[:, 2], ends[:, 3]]
    points = [islands.camera.points(ends[:, k], ends[:, k + 1], depth[k // 2]) for k in (0, 2)]
    lengths = np.linalg.norm(points[1] - points[0], axis=1)
    known = run(islands, distances=np.concatenate([ends, lengths[:, None]], axis=1))
    mean = [np.abs(r.depth - islands.depth - np.median(r.depth - islands.depth))[alone.islands == label].mean()
            for r in (alone, known)]  # fmt: skip
    assert mean[1] < 0.3 * mean[0]


def test_regions_without_knowledge_are_named():
    scene = scenes.regions(64)
    labels = crevasse.integrate(scene.normals, scene.mask).islands
    depth = np.where(labels == 1, scene.depth, np.nan)
    result = run(scene, prior=Prior(depth, sigma=0.1))
    assert not result.metric
    assert any("2 of the separate regions" in warning for warning in result.warnings)


def test_a_prior_without_relation_to_the_relief_says_so():
    scene = scenes.relief(96)
    result = run(scene, prior=Prior(-scene.depth, unknown="scale and shift"))
    assert any("does not follow the relief" in warning for warning in result.warnings)


def test_an_error_as_wide_as_the_object_is_told():
    scene = scenes.quadratic(128)
    result = run(scene, prior=scenes.network_depth(scene, error=0.5, width=1.0))
    assert any("scale of the prior cannot be told" in warning for warning in result.warnings)


@pytest.mark.parametrize("side", ["tall", "scattered"])
def test_other_layouts_of_the_same_map(islands, side):
    """Tall maps are transposed, scattered regions packed: what is known goes with its pixels."""
    normals, mask, depth = islands.normals, islands.mask, islands.depth
    if side == "tall":
        normals, mask, depth = (a[:, :20] for a in (normals, mask, depth))
        camera = islands.camera
    else:
        shape = 8 * mask.shape[0], 8 * mask.shape[1]
        wide = [np.zeros((*shape, 3)), np.zeros(shape, bool), np.full(shape, np.nan)]
        for image, part in zip(wide, (normals, mask, depth), strict=True):
            image[: len(mask), : len(mask)] = part
            image[-12:, -12:] = part[:12, :12]
        (normals, mask, depth), camera = wide, islands.camera
    scene = scenes.Scene("", normals, mask, camera, depth, "")
    points = scenes.measured_points(scene, 80, wrong=0, seed=1)
    result = run(scene, prior=Prior(depth, sigma=0.2), points=points)
    assert off(scene, result) < 0.2
    assert result.metric


def test_results_do_not_depend_on_the_number_of_threads(islands):
    prior = scenes.rgbd_depth(islands)
    one, two = (
        crevasse.integrate(islands.normals, islands.mask, method=ALONE, prior=prior, threads=n) for n in (1, 2)
    )
    assert np.array_equal(one.depth, two.depth)


@pytest.mark.parametrize("spacing", [1, 8])
def test_noise_and_spacing_of_a_prior_are_measured(spacing):
    rng = np.random.default_rng(0)
    noise = rng.normal(0, 2.0, (256 // spacing, 256 // spacing)).repeat(spacing, 0).repeat(spacing, 1)
    noise[rng.random(noise.shape) < 0.1] = 300
    found = measure_error(noise, np.ones(noise.shape, bool), np.ones(noise.shape, np.int32))
    assert found.sigma == pytest.approx(2.0, rel=0.15)
    assert found.spacing == pytest.approx(spacing, rel=0.3)
    assert found.smooth < 0.4


FLAT = np.broadcast_to([0.0, 0.0, 1.0], (8, 9, 3))
ONES = np.ones((8, 9))
REFUSED = [
    ({"prior": ONES}, "give crevasse.Prior"),
    ({"prior": Prior(ONES[1:])}, "has shape"),
    ({"prior": Prior(ONES * np.nan)}, "not finite anywhere"),
    ({"prior": Prior(ONES * 1e40)}, "below"),
    ({"prior": Prior(ONES.astype(complex))}, "real numbers"),
    ({"prior": Prior(ONES, unknown="all")}, "'scale and shift'"),
    ({"prior": Prior(ONES, unknown="disparity")}, "the same everywhere"),
    ({"prior": Prior(ONES, sigma=-1)}, "positive"),
    ({"prior": Prior(ONES, sigma=ONES[1:])}, "sigma of the prior has shape"),
    ({"prior": Prior(ONES, sigma=np.nan * ONES)}, "positive and finite"),
    ({"points": [1, 2, 3]}, "row, column, depth"),
    ({"points": np.empty((0, 3))}, "at least one row"),
    ({"points": [[8, 0, 1]]}, "no surface"),
    ({"points": [[0, -3, 1]]}, "no surface"),
    ({"points": [[0, 0, np.nan]]}, "not finite"),
    ({"points": [[0, np.inf, 1]]}, "not finite"),
    ({"points": [[0, 0, 1, 0]]}, "sigma"),
    ({"points": [[0, 0, 1], [0, 0, 2]]}, "contradict each other at row 0, column 0"),
    ({"fixed": ONES[1:]}, "has shape"),
    ({"fixed": ONES * np.nan}, "no depth inside"),
    ({"fixed": ONES * np.inf}, "infinite"),
    ({"distances": [[0, 0, 1, 1]]}, "row, column, row, column, distance"),
    ({"distances": [[0, 0, 1, 1, 0]]}, "not positive"),
    ({"distances": [[0, 0, 0, 0, 1]]}, "same pixel"),
    ({"distances": [[0, 0, 0, 99, 1]]}, "no surface"),
]


@pytest.mark.parametrize(("known", "reason"), REFUSED)
def test_refusals_name_the_cure(known, reason):
    with pytest.raises(ValueError, match=reason):
        crevasse.integrate(FLAT, **known)


@pytest.mark.parametrize("known", [{"prior": Prior(-ONES)}, {"points": [[0, 0, -1]]}, {"fixed": -ONES}])
def test_nothing_lies_behind_a_pinhole(known):
    with pytest.raises(ValueError, match="positive"):
        crevasse.integrate(FLAT, camera=crevasse.Perspective(9, 9, 4, 4), **known)


def test_methods_that_cannot_use_it_name_one_that_can():
    with pytest.raises(ValueError, match="such as Graduated"):
        crevasse.integrate(FLAT, method="poisson", prior=Prior(ONES))


@pytest.mark.parametrize("known", [{"prior": Prior(ONES * 4)}, {"points": [[0, 0, 4]]}, {"fixed": ONES * 4}])
def test_tiny_maps(known):
    assert np.allclose(crevasse.integrate(FLAT, **known).depth, 4, atol=1e-3)
    one = {name: value if name != "prior" else Prior(ONES[:1, :1] * 4) for name, value in known.items()}
    if "fixed" in one:
        one["fixed"] = ONES[:1, :1] * 4
    assert np.allclose(crevasse.integrate(FLAT[:1, :1], **one).depth, 4)


def test_settings_of_a_prior_matter(islands):
    depth = replace(scenes.stereo_depth(islands), sigma=None).depth
    trusted, doubted = (run(islands, prior=Prior(depth, sigma=sigma)).depth for sigma in (0.1, 1e4))
    assert not np.array_equal(trusted, doubted)
