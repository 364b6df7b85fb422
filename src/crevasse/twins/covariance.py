"""The covariance of heights, from the dense pseudo-inverse of a weighted Laplacian."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array
from crevasse.twins.laplacian import laplacian


def standard_deviations(weight_right: Array, weight_down: Array, owners: NDArray[np.int32]) -> Array:
    """Standard deviation of each height whose pairs have variances 1 / weight, levelled to mean 0 over each owner.

    Levelling is the projection P = 1 - M, where M takes the mean over the pixels of the same owner; the covariance is
    P L^+ P^T. Pixels without an owner get 0.
    """
    inverse = np.linalg.pinv(laplacian(weight_right, weight_down).toarray(), hermitian=True)
    flat = owners.ravel()
    same = (flat[:, None] == flat) & (flat > 0)
    projection = np.eye(len(flat)) - same / np.maximum(same.sum(axis=1, keepdims=True), 1)
    variances = np.einsum("ij,jk,ik->i", projection, inverse, projection)
    return np.where(owners > 0, np.sqrt(np.maximum(variances, 0.0)).reshape(owners.shape), 0.0)
