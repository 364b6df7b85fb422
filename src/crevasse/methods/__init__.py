"""The methods: frozen settings objects, each with its loop."""

from crevasse.methods.alpha_surface import AlphaSurface
from crevasse.methods.anisotropic import AnisotropicDiffusion
from crevasse.methods.auxiliary import AuxiliaryEdges
from crevasse.methods.bilateral import Bilateral
from crevasse.methods.cosine import Cosine
from crevasse.methods.curl_cuts import CurlCuts
from crevasse.methods.diffusion import Diffusion
from crevasse.methods.discrete_geometry import DiscreteGeometry
from crevasse.methods.expectation import ExpectationMaximisation
from crevasse.methods.fourier import Fourier
from crevasse.methods.graduated import Graduated
from crevasse.methods.log_estimator import LogEstimator
from crevasse.methods.m_estimator import MEstimator
from crevasse.methods.multi_scale import MultiScale
from crevasse.methods.mumford_shah import MumfordShah
from crevasse.methods.poisson import Poisson
from crevasse.methods.problem import Method, Outcome, Problem, Step
from crevasse.methods.ratio_estimator import RatioEstimator
from crevasse.methods.registry import METHODS
from crevasse.methods.regularised import Regularised
from crevasse.methods.residual_cuts import ResidualCuts
from crevasse.methods.spanning_tree import SpanningTree
from crevasse.methods.total_variation import TotalVariation

__all__ = [
    "METHODS",
    "AlphaSurface",
    "AnisotropicDiffusion",
    "AuxiliaryEdges",
    "Bilateral",
    "Cosine",
    "CurlCuts",
    "Diffusion",
    "DiscreteGeometry",
    "ExpectationMaximisation",
    "Fourier",
    "Graduated",
    "LogEstimator",
    "MEstimator",
    "Method",
    "MultiScale",
    "MumfordShah",
    "Outcome",
    "Poisson",
    "Problem",
    "RatioEstimator",
    "Regularised",
    "ResidualCuts",
    "SpanningTree",
    "Step",
    "TotalVariation",
]
