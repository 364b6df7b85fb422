"""Weighted Laplacian systems assembled as sparse matrices and solved directly by SciPy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crevasse.cameras import Array

if TYPE_CHECKING:
    from scipy import sparse


def laplacian(weight_right: Array, weight_down: Array) -> sparse.csr_matrix:
    """The weighted 5-point Laplacian of an (H, W) grid, (HW, HW)."""
    from scipy import sparse

    height, width = weight_right.shape[0], weight_down.shape[1]
    number = np.arange(height * width).reshape(height, width)
    a = np.concatenate([number[:, :-1].ravel(), number[:-1].ravel()])
    b = np.concatenate([number[:, 1:].ravel(), number[1:].ravel()])
    w = np.concatenate([weight_right.ravel(), weight_down.ravel()])
    a, b, w = a[w > 0], b[w > 0], w[w > 0]
    size = height * width
    edges = sparse.coo_matrix(
        (np.concatenate([w, w]), (np.concatenate([a, b]), np.concatenate([b, a]))), (size, size)
    )
    edges = edges.tocsr()
    return sparse.csr_matrix(sparse.diags(np.asarray(edges.sum(axis=1)).ravel()) - edges)


def solve_plain(weight_right: Array, weight_down: Array, right_hand_side: Array, pins: Array | None = None) -> Array:
    """Solve the Laplacian system directly; components that no pin holds have mean 0.

    The first point of each of these is fixed at 0, which makes the rest positive definite; then the component is
    shifted to mean 0.

    Parameters
    ----------
    pins : (H, W), what is added to the diagonal: how much single points are pulled
    """
    from scipy import sparse
    from scipy.sparse.csgraph import connected_components
    from scipy.sparse.linalg import spsolve

    matrix = laplacian(weight_right, weight_down)
    count, labels = connected_components(matrix, directed=False)
    diagonal = np.zeros(matrix.shape[0]) if pins is None else pins.ravel()
    held = np.bincount(labels, diagonal, minlength=count) > 0
    matrix = matrix + sparse.diags(diagonal)
    first = np.unique(labels, return_index=True)[1][~held]
    free = np.ones(matrix.shape[0], bool)
    free[first] = False
    heights = np.zeros(matrix.shape[0])
    if free.any():
        inner = sparse.csc_matrix(matrix[free][:, free])
        heights[free] = spsolve(inner, right_hand_side.ravel()[free])
    sizes = np.bincount(labels, minlength=count)
    means = np.bincount(labels, heights, minlength=count) / sizes
    heights -= np.where(held, 0.0, means)[labels]
    return heights.reshape(right_hand_side.shape)
