"""Linear systems as the graduated method really produces them."""

from helpers import inner_pairs, make_engine, problem_of

import crevasse
from crevasse.lattice import divergence
from crevasse.methods.graduated.evidence import STARTS
from crevasse.methods.graduated.schedule import Schedule

STAGES = (1, 20, 45, 60)
"""Iterations of a start at which its system is taken: weights from nearly even to many orders of magnitude apart."""


def systems_of(scene, stages=STAGES):
    """Weights right and down and the right-hand side, at some stages of the first start."""
    engine = make_engine(problem_of(scene))
    schedule = Schedule(engine, crevasse.Graduated(), skip_below=0.0)
    for made, _ in enumerate(schedule.anneal(STARTS[0], start=0), start=1):
        if made in stages:
            targets = inner_pairs(engine.targets())
            right, down = (weights.astype(float) for weights in inner_pairs(engine.weights()))
            yield right, down, divergence(right * targets[0], down * targets[1])
