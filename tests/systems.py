"""Linear systems as the graduated method really produces them."""

import numpy as np
from helpers import problem_of

from crevasse.lattice import divergence
from crevasse.methods.evidence import STARTS, consider
from crevasse.methods.graduated import make_engine

STAGES = (1, 20, 45, 60)
"""Iterations of a start at which its system is taken: weights from nearly even to many orders of magnitude apart."""


def systems_of(scene, stages=STAGES):
    """Weights right and down and the right side, at some stages of the first start."""
    problem = problem_of(scene)
    engine = make_engine(problem)
    consider(engine, STARTS[0], keep=False)
    height, width = problem.mask.shape
    for k in range(max(stages)):
        scale = 10 * 0.001 ** min(1, k / 49) if k < 54 else 0.0
        engine.step(scale, k == 0, 3, 1e-6, k % 4 == 0)
        if k + 1 in stages:
            weights, targets = (
                (np.zeros((height, width - 1), np.float32), np.zeros((height - 1, width), np.float32)) for _ in "wt"
            )
            engine.weights(*weights)
            engine.constants(0, *targets)
            right, down = (w.astype(float) for w in weights)
            yield right, down, divergence(right * targets[0], down * targets[1])
