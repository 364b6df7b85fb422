"""Spanning trees, grown surfaces, cuts and robust weights, each against its own definition."""

from dataclasses import replace

import numpy as np
import pytest
from helpers import assert_same_surface, integrate_scene, problem_of, problem_with
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

import crevasse
from crevasse import scenes
from crevasse.lattice import divergence
from crevasse.methods import (
    AlphaSurface,
    CurlCuts,
    LogEstimator,
    MumfordShah,
    RatioEstimator,
    Regularised,
    ResidualCuts,
    SpanningTree,
    TotalVariation,
)
from crevasse.methods.anisotropic import AnisotropicDiffusion
from crevasse.methods.diffusion import Diffusion
from crevasse.methods.expectation import ExpectationMaximisation, deviation
from crevasse.methods.loops import curl, largest_curl, list_edges, spanning_tree, sum_along
from crevasse.methods.m_estimator import ESTIMATORS, MEstimator
from crevasse.methods.network import WEAK, Network, both, coupled
from crevasse.methods.quadrants import QUADRANTS, Tensor, flux, neighbours

RANDOM = np.random.default_rng(1)
STAIRS = scenes.stairs(32)


@pytest.fixture(scope="module", params=["holes", "regions", "demo"])
def network(request):
    return Network(problem_of(scenes.SCENES[request.param](32)))


def random_costs(network):
    return RANDOM.random(network.targets[0].shape), RANDOM.random(network.targets[1].shape)


def chosen(network, flags):
    """The pairs that are flagged, as a list."""
    inside = np.concatenate([f[pairs] for f, pairs in zip(flags, network.inside, strict=True)])
    edges = list_edges(network, network.targets)
    return edges.first[inside], edges.second[inside], edges.targets[inside]


def test_a_spanning_tree_joins_each_region_without_loops(network):
    first, second, _ = chosen(network, spanning_tree(network, random_costs(network)))
    size = network.domain.mask.size
    parts, _ = connected_components(csr_array((np.ones(len(first)), (first, second)), shape=(size, size)), False)
    outside = size - network.domain.pixels
    assert parts == network.domain.regions + outside
    assert len(first) == network.domain.pixels - network.domain.regions


def test_a_spanning_tree_is_the_cheapest(network):
    """As Kruskal builds it: the cheapest pair that joins two parts, again and again."""
    costs = random_costs(network)
    tree = spanning_tree(network, costs)
    edges = list_edges(network, costs)
    kept = np.concatenate([f[pairs] for f, pairs in zip(tree, network.inside, strict=True)])
    order, parent = np.argsort(edges.costs), np.arange(network.domain.mask.size)

    def root(node):
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    for edge in order:
        ends = root(edges.first[edge]), root(edges.second[edge])
        assert kept[edge] == (ends[0] != ends[1])
        parent[ends[0]] = ends[1]


def test_sums_along_a_tree_follow_its_steps(network):
    tree = spanning_tree(network, random_costs(network))
    heights = sum_along(network, tree).ravel()
    first, second, targets = chosen(network, tree)
    np.testing.assert_allclose(heights[second] - heights[first], targets, atol=1e-9)


@pytest.mark.parametrize("name", ["spanning-tree", "curl-cuts", "alpha-surface"])
def test_slopes_without_curl_are_summed_exactly(name):
    # The slope along a row is the same everywhere, that along a column the same in each row: all loops close.
    down = np.sin(np.mgrid[:20, :24][0] / 3.0)
    normals = np.stack([np.full_like(down, 0.3), -down, np.ones_like(down)], axis=-1)
    problem = problem_with(np.full_like(down, 0.3), down, np.ones(down.shape, bool))
    assert np.abs(curl(Network(problem))).max() < 1e-12
    heights = crevasse.integrate(normals, method=name).depth
    assert all(np.abs(residual).max() < 1e-8 for residual in Network(problem).residuals(heights))


def test_curl_is_the_sum_around_a_loop():
    right, down = RANDOM.normal(size=(2, 6, 7))
    network = Network(problem_with(right, down, np.ones((6, 7), bool)))
    t, s = network.targets
    loop = t[2, 3] + s[2, 4] - t[3, 3] - s[2, 3]
    assert curl(network)[2, 3] == pytest.approx(loop)
    assert largest_curl(network)[0][2, 3] == max(abs(curl(network)[2, 3]), abs(curl(network)[1, 3]))


def test_curl_cuts_leave_out_an_outlier():
    scene = scenes.quadratic(24)
    normals = scene.normals.copy()
    normals[11, 12] = [0.9, 0.0, 0.43]
    plain, cut = (crevasse.integrate(normals, None, scene.camera, method).depth for method in ("poisson", CurlCuts()))
    far = np.ones(scene.mask.shape, bool)
    far[9:14, 10:15] = False
    errors = [np.ptp((depth - scene.depth)[far]) for depth in (plain, cut)]
    assert errors[1] < 0.5 * errors[0]


def test_curl_everywhere_leaves_the_least_curl_tree():
    scene = scenes.add_noise(scenes.relief(32), 0.05)
    network = Network(problem_of(scene))
    tree = spanning_tree(network, largest_curl(network))
    found = integrate_scene(scene, CurlCuts(threshold=0.0)).depth
    assert_same_surface(found, sum_along(network, tree), scene.camera, 1e-5)


def test_a_pair_costs_the_angle_between_its_normals():
    scene = scenes.add_noise(scenes.relief(16), 0.05)
    right, down = SpanningTree().costs(problem_of(scene))
    normals = scene.normals / np.linalg.norm(scene.normals, axis=-1, keepdims=True)
    np.testing.assert_allclose(np.cos(right), (normals[:, :-1] * normals[:, 1:]).sum(axis=-1), atol=1e-6)
    np.testing.assert_allclose(np.cos(down), (normals[:-1] * normals[1:]).sum(axis=-1), atol=1e-6)


def test_alpha_0_gives_the_tree_and_an_infinite_alpha_least_squares():
    scene = scenes.add_noise(scenes.relief(32), 0.05)
    network = Network(problem_of(scene))
    tree = spanning_tree(network, (np.abs(network.targets[0]), np.abs(network.targets[1])))
    none, every = (integrate_scene(scene, AlphaSurface(alpha=alpha)) for alpha in (0.0, np.inf))
    assert_same_surface(none.depth, sum_along(network, tree), scene.camera, 1e-6)
    assert_same_surface(every.depth, integrate_scene(scene, crevasse.Poisson()).depth, scene.camera, 1e-5)


def test_residual_cuts_are_cuts_of_the_result():
    result = integrate_scene(scenes.demo(64), ResidualCuts(threshold=0.5, iterations=5))
    assert result.cuts.right.any() and result.cuts.down.any()
    assert not integrate_scene(scenes.quadratic(24), ResidualCuts()).cuts.right.any()


def test_probabilities_are_probabilities_and_fall_with_the_residual():
    method = ExpectationMaximisation()
    found = method.probability(np.array([0.0, 0.01, 0.1, 1.0, 1e3]), 0.05, 0.9)
    assert ((found >= 0) & (found <= 1)).all()
    assert (np.diff(found) <= 0).all()
    assert found[0] > 0.99 and found[-1] == 0


def test_the_deviation_is_that_of_the_continuous_pairs():
    network = Network(problem_of(scenes.relief(64)))
    right, down = (RANDOM.normal(0, 0.05, weights.shape) for weights in network.weights)
    broken = RANDOM.random(right.shape) < 0.2
    residuals = np.where(broken, 30.0, right), down
    probabilities = np.where(broken, 0.0, 1.0), np.ones(down.shape)
    assert deviation(network, residuals, probabilities) == pytest.approx(0.05, rel=0.05)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_factors_of_m_estimators_are_the_slopes_of_their_functions(estimator):
    losses = {
        "huber": lambda x: np.where(x < 1, x**2 / 2, x - 0.5),
        "fair": lambda x: x - np.log1p(x),
        "cauchy": lambda x: np.log1p(x**2) / 2,
    }
    x, h = np.array([0.01, 0.5, 2.0, 30.0]), 1e-6
    slope = (losses[estimator](x + h) - losses[estimator](x - h)) / (2 * h)
    np.testing.assert_allclose(MEstimator(estimator=estimator).factor(x) * x, slope, rtol=1e-5)


@pytest.mark.parametrize(
    ("name", "loss"),
    [
        ("log-estimator", lambda s, g: np.log(s + g**2)),
        ("ratio-estimator", lambda s, g: s / (s + g**2)),
    ],
)
def test_reweighting_lowers_the_minimised_sum(name, loss):
    scene = scenes.add_noise(scenes.relief(32), 0.02)
    method = crevasse.methods.METHODS[name](gamma=0.1, stillness=0.0, iterations=12)
    network, sums = Network(problem_of(scene)), []
    for state in crevasse.iterate(scene.normals, scene.mask, scene.camera, method):
        residuals, total = network.residuals(state.surface.heights), 0.0
        right, down = np.pad(residuals[0], ((0, 0), (1, 1))), np.pad(residuals[1], ((1, 1), (0, 0)))
        for columns in (np.s_[:, :-1], np.s_[:, 1:]):
            for rows in (np.s_[:-1], np.s_[1:]):
                total += loss(np.square(right[columns]) + np.square(down[rows]), method.gamma)[scene.mask].sum()
        sums.append(total)
    assert sums[-1] < 0.95 * sums[0]


@pytest.mark.parametrize(
    ("method", "loss"),
    [
        (TotalVariation(smoothing=0.1), np.sqrt),
        (LogEstimator(gamma=0.5), lambda s: np.log(s + 0.25)),
        (RatioEstimator(gamma=0.5), lambda s: s / (s + 0.25)),
    ],
    ids=["total-variation", "log-estimator", "ratio-estimator"],
)
def test_factors_of_quadrants_are_the_slopes_of_their_functions(method, loss):
    slopes, factors = [], []
    for size in (0.2, 0.7, 5.0):
        residuals = np.full((3, 2), 0.6 * size), np.full((2, 3), 0.8 * size)
        factors.append(method.weigh(np.zeros((3, 3)), residuals)[0][1, 0])
        square = size**2
        slopes.append((loss(1.001 * square) - loss(0.999 * square)) / (0.002 * square))
    np.testing.assert_allclose(np.divide(factors, factors[0]), np.divide(slopes, slopes[0]), rtol=1e-5)


def test_a_regularised_surface_has_the_least_energy():
    scene = scenes.relief(32)
    scene = replace(scene, normals=scene.normals * [1, 1, 0.3])
    method = Regularised(strength=1.0, stillness=1e-9, iterations=500, tolerance=1e-10)
    network = Network(problem_of(scene))

    def slope(heights, change):
        return method.energy(network, heights + 1e-3 * change) - method.energy(network, heights - 1e-3 * change)

    plain, found = (integrate_scene(scene, m).surface.heights for m in (crevasse.Poisson(), method))
    for change in (found, RANDOM.normal(size=found.shape)):
        assert abs(slope(found, change)) < 1e-3 * abs(slope(plain, change))


def test_total_variation_is_convex_in_effect_and_least_squares_when_smooth():
    scene = scenes.add_noise(scenes.relief(32), 0.05)
    network = Network(problem_of(scene))
    ends = [integrate_scene(scene, TotalVariation(smoothing=g, stillness=1e-6, iterations=300)) for g in (1e-2, 1e3)]
    sums = [float(np.abs(network.residuals(r.surface.heights)[0]).sum()) for r in ends]
    assert sums[0] < sums[1]
    assert_same_surface(ends[1].depth, integrate_scene(scene, crevasse.Poisson()).depth, scene.camera, 1e-4)


def test_coupled_factors_take_both_steps_into_account():
    residuals = np.zeros((5, 4)), np.zeros((4, 5))
    residuals[0][2, 1] = 3.0
    right, down = coupled(residuals, both(lambda square: 1.0 * (square == 0)))
    assert right[2, 1] == 0
    assert down[2, 1] == 0.75 and down[1, 2] == 0.75
    assert right[2, 0] == 1 and down[2, 3] == 1


def test_the_edge_map_solves_its_equation():
    network = Network(problem_of(STAIRS))
    method = MumfordShah(epsilon=2.0)
    square = RANDOM.random(STAIRS.mask.shape)
    edges = method.solve_edges(network, square, np.ones(STAIRS.mask.shape))
    padded = np.pad(edges, 1, mode="edge")
    laplace = padded[2:, 1:-1] + padded[:-2, 1:-1] + padded[1:-1, 2:] + padded[1:-1, :-2] - 4 * edges
    np.testing.assert_allclose((method.mu * square + 1 / 8) * edges - 2.0 * laplace, 1 / 8, atol=1e-6)
    assert (edges > 0).all() and (edges <= 1).all()


def test_a_tensor_of_ones_is_plain_least_squares():
    scene = scenes.add_noise(scenes.holes(24), 0.05)
    depth = integrate_scene(scene, Diffusion(floor=1.0)).depth
    assert_same_surface(depth, integrate_scene(scene, crevasse.Poisson()).depth, scene.camera, 1e-5)


def test_the_tensor_discounts_steps_across_edges_only():
    right, down = np.zeros((9, 9)), np.zeros((9, 9))
    right[:, 4] = 5.0
    problem = problem_with(right, down, np.ones((9, 9), bool))
    tensor = Diffusion(scale=0.0).tensor(problem)
    assert tensor.right[4, 4] < 0.03 and tensor.down[4, 4] == pytest.approx(1.0)
    assert tensor.right[4, 1] == pytest.approx(1.0)
    network = Network(problem)
    steps = RANDOM.normal(size=(9, 8)), RANDOM.normal(size=(8, 9))
    through = flux(network, (tensor,) * len(QUADRANTS), steps)
    assert sum(float((a * b).sum()) for a, b in zip(steps, through, strict=True)) > 0


@pytest.mark.parametrize("name", ["holes", "demo", "regions"])
def test_eight_neighbours_make_the_divergence_of_the_flux(name):
    network = Network(problem_of(scenes.SCENES[name](24)))
    tensors = tuple(Tensor(*RANDOM.normal(size=(3, *network.domain.mask.shape))) for _ in QUADRANTS)
    heights = RANDOM.normal(size=network.domain.mask.shape)
    steps = np.diff(heights, axis=1), np.diff(heights, axis=0)
    expected = divergence(*flux(network, tensors, steps))
    np.testing.assert_allclose(neighbours(network, tensors).apply(heights), expected, atol=1e-12)


@pytest.mark.parametrize("angle", [0.0, 0.4, np.pi / 4, 2.0])
def test_steps_along_a_slope_lose_weight_and_those_across_keep_it(angle):
    rise = 2.0 * np.array([np.cos(angle), np.sin(angle)])
    steps = np.full((3, 2), rise[0]), np.full((2, 3), rise[1])
    calm = [np.ones((3, 3))] * len(QUADRANTS)
    for tensor in AnisotropicDiffusion(mu=0.2).tensors(steps, calm):
        right, mixed, down = (part[1, 1] for part in tensor)
        matrix = np.array([[right, mixed], [mixed, down]])
        np.testing.assert_allclose(matrix @ rise, rise * (1 / (1 + (2.0 / 0.2) ** 2) + WEAK), atol=1e-12)
        level = np.array([-rise[1], rise[0]])
        np.testing.assert_allclose(matrix @ level, level * (1 + WEAK), atol=1e-12)


@pytest.mark.parametrize("angle", [0.0, 0.4, np.pi / 4, 2.0])
def test_no_step_loses_all_its_weight(angle):
    steps = np.full((3, 2), 1e5 * np.cos(angle)), np.full((2, 3), 1e5 * np.sin(angle))
    for tensor in AnisotropicDiffusion().tensors(steps, [np.ones((3, 3))] * len(QUADRANTS)):
        right, mixed, down = (part[1, 1] for part in tensor)
        assert np.linalg.eigvalsh([[right, mixed], [mixed, down]])[0] > 0.9e-6


def test_a_whole_number_beyond_floats_is_refused_and_infinity_is_not():
    assert AlphaSurface(alpha=float("inf")).alpha == float("inf")
    with pytest.raises(ValueError, match="alpha is 1000"):
        AlphaSurface(alpha=10**400)
