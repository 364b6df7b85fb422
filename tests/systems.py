"""Linear systems as the graduated method really produces them."""

from helpers import problem_of, read_pairs

from crevasse.lattice import divergence
from crevasse.methods.evidence import STARTS, consider
from crevasse.methods.graduated import make_engine
from crevasse.native import Weighting

STAGES = (1, 20, 45, 60)
"""Iterations of a start at which its system is taken: weights from nearly even to many orders of magnitude apart."""


def systems_of(scene, stages=STAGES):
    """Weights right and down and the right side, at some stages of the first start."""
    problem = problem_of(scene)
    engine = make_engine(problem)
    consider(engine, STARTS[0], keep=False)
    for k in range(max(stages)):
        scale = 10 * 0.001 ** min(1, k / 49) if k < 54 else 0.0
        weighting = Weighting.FLAT if k == 0 else Weighting.ANNEALED if scale > 0 else Weighting.REDESCENDING
        engine.iterate(weighting, scale, 3, 1e-6, k % 4 == 0)
        if k + 1 in stages:
            targets = read_pairs(engine.targets, problem.mask.shape)
            right, down = (w.astype(float) for w in read_pairs(engine.weights, problem.mask.shape))
            yield right, down, divergence(right * targets[0], down * targets[1])
