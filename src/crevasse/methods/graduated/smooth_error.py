"""Errors of normals that hardly differ from a pixel to the next, as photometric stereo and networks leave them.

Noise that is independent between pixels cancels around large loops; a smooth error adds up. How large it is follows
from the curl in cells of 2 x 2 pixels, summed over squares of cells. Jumps put much curl into few cells, so cells
whose curl is far beyond the noise count only as far as noise would explain.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import GRAZING, Array
from crevasse.lattice import row_blocks
from crevasse.methods.graduated.image_blocks import has_blocks
from crevasse.methods.graduated.noise import ENOUGH, GAUSSIAN, estimate_noise, is_noisy
from crevasse.methods.problem import CHUNK, Domain, Problem
from crevasse.methods.regions import Flags, count_pixels
from crevasse.status import Noise

SIDE = 8
"""Cells to a side of the squares over which curl is summed."""
GRAIN = 2
"""The same for squares that tell whether the noise is independent between pixels."""
CLIP = 3.0
"""Standard deviations of noise beyond which the curl of a cell counts as that of a jump."""
WHITE_SHARE = 1.2
"""Times the variance that independent noise leaves around a large square, which is subtracted."""
EVERYWHERE = 0.1
"""Quantile of the circulations that tells whether there is an error everywhere: blurred contours are not."""
DOUBTED, CERTAIN = 0.004, 0.006
"""Error everywhere, up to which it counts as none and from which it counts in full; exact, blurred and 8-bit normals
stay below the first."""
NEAR, FAR, FARTHEST = 4, 16, 32
"""Cells to a side of the squares that tell how far the error reaches."""
LEAST_GROWTH = 1.95
"""Least growth of the scaled curl from near to far squares: noise has none."""
LEAST_LATE_GROWTH = 1.41
"""The same from squares of `SIDE` cells to far ones: half of what an error that is constant over both has."""
LEAST_LAST_GROWTH = 0.8
"""The same from far squares to the farthest, where there are any: blurred contours cancel there."""
LEAST_SHARE = 0.65
"""Least size relative to the noise."""
WHITE_GROWTH = 1.25
"""Growth of the scaled curl to squares of `GRAIN` cells up to which noise counts as independent."""
FACTOR = 2.0
"""Times the estimate that the error of a pair is taken for: curl shows only a part of a smooth error. Chosen on
simulated photometric stereo (`benchmarks/simulated.py`)."""
NORMAL_QUANTILES = {0.5: GAUSSIAN, EVERYWHERE: 0.12566}
"""Quantiles of the absolute value of a standard normal variable."""


class ErrorModel(NamedTuple):
    """How normals err, per region, (regions + 1,); entry 0 is unused."""

    white: Array
    """Standard deviation of what is independent between pixels."""
    smooth: Array
    """Standard deviation, per pixel, of what is common to neighbouring pixels; 0 where there is nothing."""
    independent: Flags
    """Noisy regions whose noise is independent between pixels, so that averages reduce it."""
    factor: Array
    """Times the smooth part that the errors of pairs are taken for: curl shows only a part of it."""

    @property
    def is_smooth(self) -> bool:
        """Whether any region errs smoothly."""
        return bool(self.smooth.any())

    def of_pairs(self, left: Array) -> Array:
        """Standard deviation that the variances of pairs follow from, per region.

        Parameters
        ----------
        left : noise that is left after denoising
        """
        return np.asarray(np.hypot(left, self.factor * self.smooth))

    def mean(self, domain: Domain) -> Noise:
        """What was measured, as the root mean square over all pixels."""
        return Noise(_over_pixels(self.white, domain), _over_pixels(self.smooth, domain))

    def assumed(self, domain: Domain) -> float:
        """The smooth error that the run assumes, as the root mean square over all pixels."""
        return _over_pixels(self.factor * self.smooth, domain)

    def widened(self, where: Flags) -> ErrorModel:
        """The same measurement, taken for an error of twice the size in some regions."""
        return self._replace(factor=np.where(where, 2 * self.factor, self.factor))


def _over_pixels(part: Array, domain: Domain) -> float:
    """Root mean square over all pixels of a value per region."""
    pixels = count_pixels(domain.mask, domain)
    pixels[0] = 0
    return float(np.sqrt(np.average(np.square(part), weights=pixels)))


def measure(problem: Problem) -> Noise:
    """How the normals of a map err."""
    return model_errors(problem, estimate_noise(problem)).mean(problem.domain)


def model_errors(problem: Problem, noise: Array) -> ErrorModel:
    """The two parts of the error of a map, given its noise per region."""
    if min(problem.mask.shape) <= FAR:
        return no_smooth_error(noise)
    curl, scale, inside = _cells(problem)
    labels = None if problem.domain.several_labels is None else problem.domain.several_labels[:-1, :-1]
    limit = CLIP * scale * (noise[1] if labels is None else noise[labels])
    clipped = np.clip(curl, -limit, limit)

    def circulation(values: Array, side: int, quantile: float) -> Array:
        return _estimate(_Cells(values, scale, inside), labels, side, quantile, len(noise))

    everywhere = circulation(clipped, SIDE, EVERYWHERE) / np.sqrt(SIDE)
    known = np.clip((everywhere - DOUBTED) / (CERTAIN - DOUBTED), 0.0, 1.0)
    known[0] = 0.0
    if not known.any():
        return no_smooth_error(noise)
    square = circulation(clipped, SIDE, 0.5) ** 2 - WHITE_SHARE * noise**2
    smooth = known * np.sqrt(np.maximum(square, 0.0) / SIDE)
    independent = is_noisy(noise) & (circulation(curl, GRAIN, 0.5) < WHITE_GROWTH * noise)
    near, middle, far, farthest = (circulation(clipped, side, EVERYWHERE) for side in (NEAR, SIDE, FAR, FARTHEST))
    grows = (far > LEAST_GROWTH * near) & (far > LEAST_LATE_GROWTH * middle)
    grows &= (farthest > LEAST_LAST_GROWTH * far) | (farthest == 0)
    smooth = np.where(grows & (smooth > LEAST_SHARE * noise), smooth, 0.0)
    if not smooth.any() or has_blocks(problem):
        return no_smooth_error(noise)
    return ErrorModel(noise, smooth, independent, np.full_like(noise, FACTOR))


def no_smooth_error(noise: Array) -> ErrorModel:
    """The model of normals without a smooth error."""
    return ErrorModel(noise, np.zeros_like(noise), is_noisy(noise), np.full_like(noise, FACTOR))


class _Cells(NamedTuple):
    """Cells of 2 x 2 pixels, (H-1, W-1) each."""

    curl: Array
    scale: Array
    """What unit noise would leave of it."""
    inside: Flags
    """Whether all of the cell is inside the mask."""


def _cells(problem: Problem) -> _Cells:
    mask = problem.mask
    inside = mask[:-1, :-1] & mask[:-1, 1:] & mask[1:, :-1] & mask[1:, 1:]
    curl, scale = np.empty((2, *inside.shape))
    for block in row_blocks(inside.shape, CHUNK):
        rows = slice(block.start, block.stop + 1)
        slopes = problem.slopes.rows(rows)
        right, down = slopes.steepness()
        steep = np.where(mask[rows], np.maximum(slopes.cosine, GRAZING) ** -4, 0.0)
        beside, below = right[:, 1:] + right[:, :-1], down[1:] + down[:-1]
        curl[block] = ((beside[:-1] - beside[1:]) + (below[:, 1:] - below[:, :-1])) / 2
        steep = steep[:, :-1] + steep[:, 1:]
        scale[block] = np.where(inside[block], np.sqrt((steep[:-1] + steep[1:]) / 2), 0.0)
    return _Cells(curl, scale, inside)


def _estimate(cells: _Cells, labels: NDArray[np.int32] | None, side: int, quantile: float, entries: int) -> Array:
    """Scaled circulation around squares of cells, per region: the same for any side if noise is independent."""
    whole = _sum_squares(cells.inside.astype(float), side) > side * side - 0.5
    total = np.abs(_sum_squares(np.where(cells.inside, cells.curl, 0.0), side)[whole])
    # Noise of the pairs along the border adds up; inside the square it cancels.
    border = _sum_squares(cells.scale**2, side)[whole] * (2.0 / side)
    values = total / np.sqrt(np.maximum(border, np.finfo(float).tiny))
    overall = float(np.quantile(values, quantile)) if len(values) >= ENOUGH else 0.0
    found = np.full(entries, overall)
    if labels is not None:
        owners = labels[: whole.shape[0], : whole.shape[1]][whole]
        for region in np.flatnonzero(np.bincount(owners, minlength=entries) >= ENOUGH):
            found[region] = np.quantile(values[owners == region], quantile)
    return found / NORMAL_QUANTILES[quantile]


def _sum_squares(values: Array, side: int) -> Array:
    """Sums over all squares of this side."""
    for axis in (0, 1):
        ends = np.zeros([size + (along == axis) for along, size in enumerate(values.shape)])
        rest, first, last = (
            (slice(None),) * axis + (part,) for part in (slice(1, None), slice(None, -side), slice(side, None))
        )
        for block in row_blocks((values.shape[1 - axis], values.shape[axis]), CHUNK):
            lines = (slice(None),) * (1 - axis) + (block,)
            np.cumsum(values[lines], axis=axis, out=ends[rest][lines])
        values = ends[last] - ends[first]
    return values
