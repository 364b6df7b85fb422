"""Comparisons of kernels with their plain twins that several tests share."""

import kernels
import numpy as np

EXACT = {"rtol": 1e-6, "atol": 2e-6}
"""Rounding of single precision: relative, and of slopes of at most 30 in absolute terms."""
ANGLES = {"rtol": 2e-5}
"""RunQueue are small differences of angles in single precision."""


def assert_same_pairs(engine, pairs):
    shape = pairs.exists.shape[1:]
    np.testing.assert_array_equal(kernels.exists(engine, shape), pairs.exists)
    for which, twin in (
        (kernels.TARGET, pairs.target),
        (kernels.TWIST, pairs.twist),
        (kernels.VARIANCE, pairs.variance),
    ):
        kernel = kernels.pair_constants(engine, shape, which)
        np.testing.assert_allclose(kernel[pairs.exists], twin[pairs.exists], **EXACT)


def assert_same_evidence(engine, likelihood, exists):
    shape = exists.shape[1:]
    crease = np.abs(kernels.pair_constants(engine, shape, kernels.CREASE))
    np.testing.assert_allclose(crease[exists], likelihood.crease[exists], **ANGLES)
    ahead, behind = (kernels.pair_constants(engine, shape, which) for which in (kernels.AHEAD, kernels.BEHIND))
    np.testing.assert_allclose(ahead[exists], likelihood.ahead[exists], **ANGLES)
    np.testing.assert_allclose(behind[exists], likelihood.behind[exists], **ANGLES)
