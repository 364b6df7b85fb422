"""Known heights: rough depth, points and fixed depths, each of which pulls the pixels that it covers.

E = c sum over pixels of share rho((z - v) / sigma), rho(r) = r^2 / (1 + r^2 / 9): share is the number of independent
samples per pixel, and a depth that is off by many standard deviations counts as wrong.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array
from crevasse.lattice import row_blocks
from crevasse.methods.graduated.prior_error import PriorError, thinning
from crevasse.methods.graduated.prior_scale import Scale
from crevasse.methods.graduated.terms.distances import Contacts, Distances
from crevasse.methods.graduated.terms.samples import COUPLING, HARD, OUTLIER, Samples, footprint_means
from crevasse.methods.graduated.terms.term import PairIndices
from crevasse.methods.problem import CHUNK, Domain, Problem
from crevasse.methods.regions import Flags

if TYPE_CHECKING:
    from crevasse.methods.graduated.engine import Engine

ENOUGH = 3.0
"""Independent samples that locate an island: one may be wrong."""
COARSE = 5.0
"""Pixels between samples from which a depth stands for the mean of its footprint."""
FIXED_SIGMA = 1e-3
"""Standard deviation of fixed depths, in pixels."""


@dataclass(frozen=True, eq=False)
class KnownHeights:
    """The term of known heights.

    Attributes
    ----------
    heights : (H, W) rough heights, NaN where they are not known; or None
    sigma : of these, (H, W) or a number
    error : how they err besides
    share : of independent samples among them
    near_cuts : pixels whose footprint a jump crosses, where coarse depth says nothing
    single : points and fixed depths; their gaps are heights
    distances : between pairs of pixels
    absolute : whether depths themselves are given, not only up to a scale and shift
    scale : of the rough heights, where it was estimated
    follow : whether smooth differences between rough heights and the surface are errors of the normals
    held : regions that anything is known of, (regions + 1,)
    """

    mask: NDArray[np.bool_]
    heights: Array | None
    sigma: Array | float
    error: PriorError
    share: float
    near_cuts: NDArray[np.bool_] | None
    single: Samples
    distances: Distances | None = None
    absolute: bool = True
    scale: Scale | None = None
    follow: bool = False
    held: Flags = field(default_factory=lambda: np.zeros(1, bool))

    def samples(self, surface: Array, stride: int = 1) -> Samples:
        """All known heights relative to a surface; of rough heights those of every `stride`-th row and column."""
        points = self.points(surface)
        if self.heights is None:
            return points
        stride = max(stride, thinning(self.mask.shape))
        gaps, known = self.gaps(surface, stride)
        rows, columns = np.nonzero(known)
        pixels = (rows * stride * self.mask.shape[1] + columns * stride).astype(np.int64)
        sigma = self.sigma.ravel()[pixels] if isinstance(self.sigma, np.ndarray) else np.full(len(pixels), self.sigma)
        ones = np.ones(len(pixels))
        share = ones * min(1.0, self.share * stride**2)
        dense = Samples(pixels, gaps[known].astype(float), sigma, share, OUTLIER * ones)
        return Samples._make(np.concatenate(both) for both in zip(dense, points, strict=True))

    def points(self, surface: Array) -> Samples:
        """Points and fixed depths relative to a surface."""
        return self.single._replace(gap=self.single.gap - surface.ravel()[self.single.pixels])

    @property
    def is_fixed(self) -> bool:
        """Whether there are depths that must come out."""
        return bool((self.single.outlier == HARD).any())

    def gaps(self, surface: Array, stride: int = 1) -> tuple[NDArray[np.floating[Any]], NDArray[np.bool_]]:
        """How far rough heights are behind a surface, over their footprints, and where that is known.

        Both at every `stride`-th row and column.
        """
        assert self.heights is not None
        thin = slice(None, None, stride), slice(None, None, stride)
        coarse = self.error.spacing >= COARSE and self.near_cuts is not None
        at = (slice(None), slice(None)) if coarse else thin
        known = self.mask[at] & np.isfinite(self.heights[at])
        gaps = self.heights[at] - surface[at]
        gaps[~known] = 0.0
        if self.near_cuts is None or not coarse:
            return gaps, known
        means, inside = footprint_means(gaps, known, self.near_cuts, self.error.spacing)
        return means[thin], inside[thin]

    @property
    def stride(self) -> int:
        """Rows and columns between rough heights that suffice for moves of parts."""
        return max(1, round(self.error.spacing / 2))

    def contacts(self, surface: Array) -> Contacts:
        """The known heights as contacts of pixels with the ground, for moves of parts."""
        found = self.samples(surface, self.stride)
        scaled = COUPLING * found.share
        ground = np.full(len(found.pixels), -1, np.int64)
        known: Contacts = (
            found.pixels.astype(np.int64),
            ground,
            found.gap.astype(np.float32),
            (np.square(found.sigma) / scaled).astype(np.float32),
            (1 / (found.outlier * scaled)).astype(np.float32),
        )
        if self.distances is None:
            return known
        far = self.distances.contacts(surface)
        first, second, *values = (np.concatenate([one, other]) for one, other in zip(known, far, strict=True))
        return cast(Contacts, (first, second, *values))

    def pins(self, surface: Array) -> tuple[Array, Array]:
        """What pulls each pixel, and how far; both (H, W)."""
        pins, pulls = np.zeros((2, *surface.shape))
        if self.heights is not None:
            pulls, known = (image.astype(kind) for image, kind in zip(self.gaps(surface), (float, bool), strict=True))
            for rows in row_blocks(surface.shape, CHUNK):
                sigma = self.sigma[rows] if isinstance(self.sigma, np.ndarray) else self.sigma
                squares = np.square(pulls[rows] / sigma)
                pins[rows] = known[rows] * self.share / np.square(sigma) / np.square(1 + squares / OUTLIER)
        found = self.points(surface)
        weights, (flat, pulled) = found.weights, (pins.ravel(), pulls.ravel())
        pulled[found.pixels] *= flat[found.pixels]
        np.add.at(pulled, found.pixels, weights * found.gap)
        np.add.at(flat, found.pixels, weights)
        pulled[found.pixels] /= flat[found.pixels]
        return pins, pulls

    def cost(self, surface: Array, domain: Domain) -> Array:
        """What known heights add to the energy, per region."""
        found = self.samples(surface)
        labels = domain.several_labels
        owners = np.ones(len(found.pixels), int) if labels is None else labels.ravel()[found.pixels]
        energy: Array = np.bincount(owners, found.cost, minlength=domain.regions + 1).astype(float)
        return energy if self.distances is None else energy + self.distances.cost(surface, domain)

    def apply(self, engine: Engine) -> None:
        """Nothing to tell the engine: known heights act in moves, in the judge and in a solve of their own."""

    def restore(self, engine: Engine) -> None:
        """Nothing to tell the engine."""

    def without(self, problem: Problem) -> Problem:
        """The problem itself."""
        return problem

    def regions(self, domain: Domain) -> Flags:
        """No region: known heights come after the starts."""
        return np.zeros(domain.regions + 1, bool)

    def known_pairs(self, domain: Domain) -> PairIndices:
        """No pairs."""
        none = np.empty(0, np.int64)
        return (none, none), (none, none)

    def describe(self) -> str | None:
        """Nothing: the stages report."""
        return None

    def located(self, surface: Array, islands: NDArray[np.int32], count: int) -> Flags:
        """Islands whose place is known, (count + 1,)."""
        found = self.samples(surface)
        # Also where a smooth error reduces how many samples count as independent.
        share = found.share * (self.error.share / self.share) if self.heights is not None else found.share
        return np.asarray(np.bincount(islands.ravel()[found.pixels], share, minlength=count + 1) >= ENOUGH)

    def refreshed(self, near_cuts: NDArray[np.bool_] | None) -> KnownHeights:
        """The same with the jumps of another surface."""
        return replace(self, near_cuts=near_cuts)
