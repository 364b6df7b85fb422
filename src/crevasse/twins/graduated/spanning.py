"""Spanning pixels: pixels whose normal belongs to no surface but spans a jump, and so encodes its height.

Each takes the plane of a pixel beside it, on one side of the jump; the height of the jump becomes a known step of the
pair that crosses it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from crevasse.cameras import Array
from crevasse.twins.graduated.evidence import Likelihood
from crevasse.twins.graduated.grid import neighbour
from crevasse.twins.graduated.pairs import Mask, Pairs
from crevasse.twins.graduated.parts import Indices
from crevasse.twins.graduated.planes import Planes

STEP_SHARE = 0.05
"""Share of a known step by which it may be wrong."""
STEP_ERROR = 0.5
"""Pixels by which it may be wrong in addition."""
STEP_LIKELIHOOD = 0.05
"""K of its pair: a known step is worth many contacts, however far apart its pixels are."""


class Spanning(NamedTuple):
    """Spanning pixels and the steps that they encode; pixels are numbered by rows."""

    pixels: Indices
    sources: Indices
    """The pixels whose planes they take."""
    pairs: Indices
    """Pairs across spanning pixels: twice their first pixel, plus 1 if they go down."""
    steps: Array
    """Pixels by which their second lies behind the first, beyond what the planes predict; 0 within one side."""


def replace_planes(planes: Planes, spanning: Spanning) -> Planes:
    """The planes, with each spanning pixel on that of its source; targets and variances follow (`make_pairs`)."""
    replaced = Planes(*(image.copy() for image in planes))
    for new, old in zip(replaced, planes, strict=True):
        new.flat[spanning.pixels] = old.flat[spanning.sources]
    return replaced


def add_steps(pairs: Pairs, spanning: Spanning) -> Pairs:
    """Add each known step s to its target, and (0.05 s)^2 + 0.5^2 to its variance where s is not 0."""
    target, variance = pairs.target.copy(), pairs.variance.copy()
    at = locate(spanning, pairs.exists.shape)
    doubt = (STEP_SHARE * spanning.steps) ** 2 + STEP_ERROR**2
    np.add.at(target, at, spanning.steps)
    np.add.at(variance, at, np.where(spanning.steps == 0, 0.0, doubt))
    return pairs._replace(target=target, variance=variance)


def trust_steps(likelihood: Likelihood, spanning: Spanning) -> Likelihood:
    """K = 1 at all pairs of spanning pixels, any of which may cross the jump; A = 1 and K = 0.05 at known steps."""
    crease, ahead, behind = (values.copy() for values in likelihood)
    spans = np.zeros(crease.shape[1:], bool)
    spans.flat[spanning.pixels] = True
    beside = spans | neighbour(spans)
    ahead[beside] = behind[beside] = 1.0
    at = locate(spanning, crease.shape)
    crease[at] = 1.0
    ahead[at] = behind[at] = STEP_LIKELIHOOD
    return Likelihood(crease, ahead, behind)


def cut_steps(cuts: Mask, exists: Mask, spanning: Spanning) -> Mask:
    """The cuts, and every known step that is not 0: it is a jump even where the surface follows it."""
    steps = np.zeros_like(cuts)
    steps[locate(spanning, cuts.shape)] |= spanning.steps != 0
    return np.asarray(cuts | (steps & exists))


def locate(spanning: Spanning, shape: tuple[int, ...]) -> tuple[Indices, ...]:
    """Where the pairs of known steps are in a (2, H, W) array."""
    return (spanning.pairs % 2, *np.unravel_index(spanning.pairs // 2, shape[1:]))
