"""Distances in space between pairs of pixels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array, Camera
from crevasse.knowledge import Ruler
from crevasse.methods.problem import Domain

Single = NDArray[np.float32]
Contacts = tuple[NDArray[np.int64], NDArray[np.int64], Single, Single, Single]
"""First and second pixels (-1: the ground), gaps, tolerances and evidence, as moves of parts take them."""

SIGMA = 0.5
"""Standard deviation of a distance in pixels: its ends are known to a pixel."""
COUPLING, OUTLIER = 4.0, 9.0
"""As of known heights (`terms.prior`)."""


class Distances(NamedTuple):
    """The term of distances."""

    ruler: Ruler
    camera: Camera

    def ratios(self, surface: Array) -> Array:
        """Given distances over those of a surface, (N,)."""
        return np.asarray(self.ruler.length / np.maximum(self._lengths(surface), 1e-300))

    def errors(self, surface: Array) -> Array:
        """Given distances minus those of a surface, in pixels of the surface."""
        flat = surface.ravel()
        middle = self.camera.to_depth((flat[self.ruler.first] + flat[self.ruler.second]) / 2)
        footprints = np.array([self.camera.footprint(float(depth)) for depth in middle])
        return np.asarray((self.ruler.length - self._lengths(surface)) / np.abs(footprints))

    def cost(self, surface: Array, domain: Domain) -> Array:
        """What distances add to the energy, per region of their first pixels."""
        squares = np.square(self.errors(surface) / SIGMA)
        labels = domain.several_labels
        first = self.ruler.first
        owners = np.ones(len(first), int) if labels is None else labels.ravel()[first]
        costs = COUPLING * squares / (1 + squares / OUTLIER)
        return np.bincount(owners, costs, minlength=domain.regions + 1).astype(float)

    def contacts(self, surface: Array) -> Contacts:
        """Distances as contacts of their two pixels."""
        gaps = self.gaps(surface)
        ones = np.ones(len(gaps), np.float32)
        tolerance, evidence = SIGMA**2 / COUPLING, 1 / (OUTLIER * COUPLING)
        first, second = self.ruler.first, self.ruler.second
        return first, second, gaps.astype(np.float32), np.float32(tolerance) * ones, np.float32(evidence) * ones

    def gaps(self, surface: Array) -> Array:
        """How far the second pixels are behind where the distances want them, in pixels, (N,).

        Two places on a ray have the right distance from the first pixel: the nearer one counts. If the ray passes
        farther away, its nearest place does.
        """
        flat = surface.ravel()
        (a_rows, a_columns), (b_rows, b_columns) = self.ruler.ends.transpose(0, 2, 1)
        depth = self.camera.to_depth(flat[self.ruler.second])
        start = self.camera.points(a_rows, a_columns, self.camera.to_depth(flat[self.ruler.first]))
        origin = self.camera.points(b_rows, b_columns, np.zeros_like(depth))
        ray = self.camera.points(b_rows, b_columns, np.ones_like(depth)) - origin
        apart = origin - start
        a, half = np.square(ray).sum(-1), (ray * apart).sum(-1)
        square = np.maximum(half**2 - a * (np.square(apart).sum(-1) - self.ruler.length**2), 0.0)
        ways = (-half + np.sqrt(square)) / a, (-half - np.sqrt(square)) / a
        near = np.where(np.abs(ways[0] - depth) <= np.abs(ways[1] - depth), *ways)
        wanted = self.camera.to_heights(np.where(near > 0, near, depth) if self.camera.curvature else near)
        return np.asarray(flat[self.ruler.second] - wanted)

    def _lengths(self, surface: Array) -> Array:
        flat = surface.ravel()
        ends = [
            self.camera.points(ends[:, 0], ends[:, 1], self.camera.to_depth(flat[pixels]))
            for ends, pixels in zip(self.ruler.ends, (self.ruler.first, self.ruler.second), strict=True)
        ]
        return np.asarray(np.sqrt(np.square(ends[1] - ends[0]).sum(axis=-1)))
