"""Regions, islands and components: equal to what SciPy labels."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import ndimage
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from crevasse.lattice import join, label_islands, label_regions, pairs


@settings(max_examples=80, deadline=None, derandomize=True)
@given(st.integers(0, 2**32 - 1), st.integers(1, 30), st.integers(1, 30), st.sampled_from([0.0, 0.3, 0.45, 0.7]))
def test_regions_are_numbered_as_they_are_met(seed, height, width, holes):
    mask = np.random.default_rng(seed).random((height, width)) >= holes
    labels, count = label_regions(mask)
    expected, total = ndimage.label(mask)
    assert count == total
    np.testing.assert_array_equal(labels, expected)


@settings(max_examples=80, deadline=None, derandomize=True)
@given(st.integers(0, 2**32 - 1), st.integers(1, 30), st.integers(1, 30), st.sampled_from([0.2, 0.5, 0.7]))
def test_islands_are_what_cuts_leave_connected(seed, height, width, share):
    rng = np.random.default_rng(seed)
    mask = rng.random((height, width)) >= 0.1
    cuts = tuple(rng.random(inside.shape) < share for inside in pairs(mask))
    right, down = (inside & ~cut for inside, cut in zip(pairs(mask), cuts, strict=True))
    grid = np.zeros((2 * height - 1, 2 * width - 1), bool)
    grid[0::2, 0::2], grid[0::2, 1::2], grid[1::2, 0::2] = mask, right, down
    expected = ndimage.label(grid)[0][0::2, 0::2]
    found = label_islands(mask, cuts)
    assert len(np.unique(np.stack([found, expected]).reshape(2, -1), axis=1).T) == len(np.unique(expected))
    sizes = np.bincount(found.ravel())[1:]
    assert (np.diff(sizes) <= 0).all(), "largest first"


@pytest.mark.parametrize("seed", range(5))
def test_joined_numbers_are_those_that_a_graph_connects(seed):
    random = np.random.default_rng(seed)
    first, second = random.integers(0, 300, (2, 250))
    links = coo_matrix((np.ones(250), (first, second)), (300, 300))
    expected = connected_components(links, directed=False)[1]
    found = join(300, first, second)
    assert len(np.unique(np.stack([found, expected]), axis=1).T) == found.max() + 1 == expected.max() + 1
