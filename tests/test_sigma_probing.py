"""Probing: equal to the covariance of the dense pseudo-inverse, and the same whatever the gauge."""

import numpy as np
import pytest

from crevasse.solve import LinearSystem
from crevasse.twins.covariance import standard_deviations
from crevasse.uncertainty.gauge import offset_free
from crevasse.uncertainty.probing import probe, white_fluxes


def system_of(seed, height=9, width=11, holes=0.0, decades=2.0):
    random = np.random.default_rng(seed)
    mask = random.random((height, width)) >= holes
    right = 10 ** random.uniform(-decades / 2, decades / 2, (height, width - 1)) * (mask[:, 1:] & mask[:, :-1])
    down = 10 ** random.uniform(-decades / 2, decades / 2, (height - 1, width)) * (mask[1:] & mask[:-1])
    return right, down


def probed(right, down, owners, samples, seed=0):
    return probe(LinearSystem(right, down), white_fluxes(right, down, samples, seed), lambda x: level(x, owners))


def level(heights, owners):
    """Heights with mean 0 over each owner, and 0 where there is none."""
    sizes = np.bincount(owners.ravel())
    sums = np.bincount(owners.ravel(), np.where(owners > 0, heights, 0.0).ravel())
    return np.where(owners > 0, heights - (sums / np.maximum(sizes, 1))[owners], 0.0)


@pytest.mark.parametrize("decades", [0.0, 2.0, 4.0])
def test_equal_to_the_dense_covariance(decades):
    right, down = system_of(3, decades=decades)
    owners = np.ones((9, 11), np.int32)
    exact = standard_deviations(right, down, owners)
    found = probed(right, down, owners, 4000)
    # 4000 samples estimate a standard deviation to 1.1 %; five of these.
    assert np.abs(found / exact - 1).max() < 0.056


def test_a_chain_has_the_variance_of_a_random_walk():
    """Heights along a row are sums of independent steps; levelled, their variance is known in closed form."""
    count, owners = 12, np.ones((1, 12), np.int32)
    exact = standard_deviations(np.full((1, count - 1), 4.0), np.zeros((0, count)), owners)
    walk = np.tril(np.ones((count, count - 1)), -1) * 0.5
    walk -= walk.mean(axis=0)
    np.testing.assert_allclose(exact[0], np.sqrt(np.square(walk).sum(axis=1)), rtol=1e-9)


def test_each_owner_is_levelled_by_itself():
    right, down = system_of(5)
    right[:, 5] = 1e-7
    owners = np.ones((9, 11), np.int32)
    owners[:, 6:] = 2
    exact = standard_deviations(right, down, owners)
    assert exact.max() < 10 < standard_deviations(right, down, np.ones_like(owners)).min()
    found = probed(right, down, owners, 2000)
    assert np.abs(found / exact - 1).max() < 0.08


def test_pixels_without_an_owner_have_none():
    right, down = system_of(7, holes=0.3)
    owners = np.zeros((9, 11), np.int32)
    owners[2:5, 3:8] = 1
    found = probed(right, down, owners, 50)
    assert (found[owners == 0] == 0).all()


def test_quadrupled_weights_halve_it():
    right, down = system_of(11)
    owners = np.ones((9, 11), np.int32)
    once, more = probed(right, down, owners, 20), probed(4 * right, 4 * down, owners, 20)
    np.testing.assert_allclose(more, once / 2, rtol=1e-2)


def test_a_loose_part_does_not_raise_the_others():
    """The gauge is that of the median pixel: a part that hardly anything holds leaves the rest as sure as it is."""
    right, down = np.ones((12, 11)), np.ones((11, 12))
    right[:, 8] = 1e-6
    owners = np.ones((12, 12), np.int32)
    found = probe(LinearSystem(right, down), white_fluxes(right, down, 100, 0), lambda x: offset_free(x, owners))
    assert found[:, :9].max() < 3 and found[:, 9:].min() > 100


def test_median_of_each_owner():
    heights, owners = np.array([[3.0, 1.0, 5.0], [2.0, 9.0, 7.0]]), np.array([[1, 1, 2], [1, 0, 2]], np.int32)
    np.testing.assert_allclose(offset_free(heights, owners), [[1.0, -1.0, -1.0], [0.0, 0.0, 1.0]])
