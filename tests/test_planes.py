"""Planes come out exact."""

import numpy as np
import pytest

import crevasse


@pytest.mark.parametrize("slope", [(0.0, 0.0), (0.5, -0.25), (-2.0, 1.0)])
def test_orthographic_plane(slope):
    p, q = slope
    normals = np.broadcast_to([p, -q, 1.0], (20, 30, 3))
    rows, columns = np.mgrid[:20, :30]
    truth = p * columns + q * rows
    depth = crevasse.integrate(normals, method=crevasse.Poisson()).depth
    np.testing.assert_allclose(depth - depth.mean(), truth - truth.mean(), atol=1e-8)
