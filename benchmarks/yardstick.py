"""Seconds that this machine needs, right now, for a fixed amount of plain sparse work.

One yardstick is 200 Jacobi-preconditioned conjugate-gradient steps on the 5-point Laplacian of a 512 x 512 grid
(SciPy CSR, float64, one thread). Times stated in yardsticks carry over between machines.
"""

from __future__ import annotations

import time

import numpy as np
from scipy import sparse

SIDE = 512
STEPS = 200


def laplacian(side: int) -> sparse.csr_matrix:
    line = sparse.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(side, side))
    eye = sparse.identity(side)
    return sparse.csr_matrix(sparse.kron(line, eye) + sparse.kron(eye, line))


def take_steps(matrix: sparse.csr_matrix, count: int) -> None:
    residual = np.random.default_rng(0).standard_normal(matrix.shape[0])
    values = np.zeros_like(residual)
    inverse = 1.0 / matrix.diagonal()
    direction = scaled = inverse * residual
    product = residual @ scaled
    for _ in range(count):
        image = matrix @ direction
        step = product / (direction @ image)
        values += step * direction
        residual -= step * image
        scaled = inverse * residual
        product, before = residual @ scaled, product
        direction = scaled + (product / before) * direction


def yardstick(repeats: int = 3) -> float:
    """Seconds of one yardstick: the best of several."""
    matrix = laplacian(SIDE)
    take_steps(matrix, 10)
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        take_steps(matrix, STEPS)
        times.append(time.perf_counter() - began)
    return min(times)


if __name__ == "__main__":
    print(f"{yardstick():.3f}")
