"""Random shapes, masks and values: a refusal or a finite surface, never a crash."""

import numpy as np
import pytest
from helpers import at_most

import crevasse
from crevasse.cameras import Orthographic, Perspective

CASES = at_most(1000, "CREVASSE_MAPS")
"""Per method; the compiled kernels meet them all."""

METHODS = {
    "graduated": crevasse.Graduated(iterations=12, final_iterations=3, polish_iterations=2),
    "auxiliary": crevasse.AuxiliaryEdges(iterations=4),
    "poisson": crevasse.Poisson(),
    "bilateral": crevasse.Bilateral(iterations=4),
}


def random_case(random):
    """A small map with an arbitrary mask; its normals range from tame to absurd."""
    height, width = random.integers(1, 14, 2)
    normals = random.normal(0, 1, (height, width, 3))
    normals[..., 2] = np.abs(normals[..., 2]) * 10 ** random.uniform(-3, 3)
    wild = random.random((height, width)) < random.choice([0.0, 0.0, 0.1, 0.5])
    normals[wild] *= random.choice([0.0, -1.0, 1e-300, 1e300, np.nan, np.inf, 1e-320])
    mask = random.random((height, width)) < random.choice([0.0, 0.2, 0.6, 0.95, 1.0], p=[0.02, 0.2, 0.3, 0.3, 0.18])
    focal, centre = 10 ** random.uniform(-1, 6), random.normal(0, 20, 2)
    camera = (
        Orthographic(10 ** random.uniform(-6, 6)) if random.random() < 0.5 else Perspective(focal, focal, *centre)
    )
    return normals, mask, camera


@pytest.mark.parametrize("name", METHODS)
def test_random_maps_give_a_surface_or_a_refusal(name):
    random = np.random.default_rng(20260)
    refused = 0
    for _ in range(CASES):
        normals, mask, camera = random_case(random)
        try:
            result = crevasse.integrate(normals, mask, camera, METHODS[name])
        except ValueError as error:
            assert str(error).startswith(("normals", "mask"))
            refused += 1
            continue
        heights = result.surface.heights
        assert np.isfinite(heights[result.mask]).all()
        assert not result.mask[~mask].any()
        assert result.islands.min() == 0 or result.mask.all()
        assert np.array_equal(result.islands > 0, result.mask)
        assert len(result.history) == result.iterations > 0
    assert 0 < refused < 0.6 * CASES
