"""The methods: frozen settings objects, each with its loop."""

from crevasse.methods.auxiliary import AuxiliaryEdges
from crevasse.methods.bilateral import Bilateral
from crevasse.methods.graduated import Graduated
from crevasse.methods.poisson import Poisson
from crevasse.methods.problem import Method, Outcome, Problem, Step
from crevasse.methods.registry import METHODS

__all__ = [
    "METHODS",
    "AuxiliaryEdges",
    "Bilateral",
    "Graduated",
    "Method",
    "Outcome",
    "Poisson",
    "Problem",
    "Step",
]
