"""How wide spanning pixels are: the share of a pixel over which a jump is spread.

Any surface with the right shapes answers this, even if its parts lie in wrong places: a misplaced part adds the same
error to all jumps along a contour, and the heights read from steep runs are off by just that. At contours of surfaces
whose normals were measured or rendered, slopes are steep by chance and agree on nothing.
"""

from __future__ import annotations

import numpy as np

from crevasse.cameras import Array
from crevasse.methods.graduated.terms.contours import label_contours
from crevasse.methods.graduated.terms.steep_runs import FEWEST, Indices, SteepRuns

WIDTHS = (1.0, 2 / 3, 1 / 2, 1 / 3, 1 / 4)
"""Widths in pixels to choose from: one cell of a height field with one to four cells per pixel, or two of three."""
AGREE = 0.08
"""Relative error of a jump that a run may predict."""
CHANCE = 0.25
"""Share of steep runs that may agree along a contour by chance..."""
SURE = 3.0
"""...and standard deviations by which more must agree."""
CLOSE = 2.0
"""Standard deviations by which fewer runs may agree on another width without ruling it out."""
LEAST_VARIANCE = 0.15
"""Variance of one run's agreement at least: that all agree does not mean that all had to."""
PLAIN = 0.3
"""Share of all runs whose jumps the surface must show to choose among several possible widths."""
FLAT = 0.1
"""Change of slope per pixel below which the front of a run is flat; at a smooth contour it changes faster."""
MANIFEST = 0.4
"""Share of the runs behind flat fronts whose jumps the surface must show where contours cannot decide."""
ALIKE = 0.03
"""Difference of logarithms below which slopes count as equal."""
KINDS = 8
"""Distinct slopes, beyond one per contour, below which nothing can be concluded."""
FEWEST_KINDS = 3
"""Distinct slopes that a contour needs to say anything."""


def measure_width(runs: SteepRuns, heights: Array) -> float | None:
    """The width that most runs agree on along their contours; None if too few agree on any."""
    if len(runs.before) < FEWEST:
        return None
    widths = _implied_widths(runs, heights)
    # Error of the jump that each run predicts, in units of that jump.
    off = widths / np.array(WIDTHS)[:, None] - 1
    agreement, count = _agree_along_contours(runs, off, label_contours(runs, heights.shape[1]))
    if count < KINDS:
        return None
    best = agreement.max()
    enough = CHANCE + SURE * np.sqrt(CHANCE * (1 - CHANCE) / count)
    close = best - CLOSE * np.sqrt(max(best * (1 - best), LEAST_VARIANCE) / count)
    possible = (agreement > enough) & (agreement >= close)
    if not possible.any():
        return None
    right = np.abs(off) < AGREE
    chosen = int(np.argmax(np.where(possible, np.mean(right, axis=1), -1.0)))
    if np.count_nonzero(possible) > 1 and np.mean(right[chosen]) < PLAIN:
        return None
    plain = widths[chosen][right[chosen]]
    return float(np.median(plain)) if len(plain) >= KINDS else WIDTHS[chosen]


def read_width(runs: SteepRuns, heights: Array) -> float | None:
    """The width for which the surface itself shows the predicted jumps; None if it shows too few of them.

    For jumps of one height, which agree along their contours whatever the width.
    """
    if len(runs.before) < FEWEST:
        return None
    widths = _implied_widths(runs, heights)
    right = np.abs(widths / np.array(WIDTHS)[:, None] - 1) < AGREE
    chosen = int(np.argmax(np.mean(right, axis=1)))
    return float(np.median(widths[chosen][right[chosen]])) if np.mean(right[chosen]) > MANIFEST else None


def rise_beside(runs: SteepRuns, width: float) -> Array:
    """Rise of the surface from the pixel before a run to the one after, beside the part that spans the jump."""
    half = (runs.length + 1 - runs.length * width) / 2
    return half * (runs.first + runs.last) + half**2 / 2 * runs.bend


def _implied_widths(runs: SteepRuns, heights: Array) -> Array:
    """Width of each run implied by the surface, near each of the possible ones, (widths, N)."""
    flat = heights.ravel()
    rise = flat[runs.after] - flat[runs.before]
    return np.array([(rise - rise_beside(runs, width)) / runs.steep for width in WIDTHS])


def _agree_along_contours(runs: SteepRuns, off: Array, contour: Indices) -> tuple[Array, int]:
    """Share of the runs that are off by as much as their contour, for each width, and out of how many.

    Runs of equal slope count as one: along a straight contour they agree whatever they are. The run that the others
    of a contour agree with does not count.
    """
    slopes = np.floor(np.log(np.abs(runs.steep)) / ALIKE).astype(np.int64)
    kinds = contour * (slopes.max() + 1) + slopes
    _, kind, often = np.unique(kinds, return_inverse=True, return_counts=True)
    weight = 1 / often[kind]
    total = np.bincount(contour, weight)
    varied = total > FEWEST_KINDS - 0.5
    count = int(np.rint((total[varied] - 1).sum()))
    agreement = []
    for width, one in zip(WIDTHS, off, strict=True):
        jump = runs.steep * width
        middle = _weighted_medians(one * jump, weight, contour)
        agree = np.abs(one * jump - middle[contour]) < AGREE * np.abs(jump)
        found = np.maximum(np.bincount(contour, weight * agree) - 1, 0.0)
        agreement.append(found[varied].sum() / max(count, 1))
    return np.array(agreement), count


def _weighted_medians(values: Array, weight: Array, group: Indices) -> Array:
    """Weighted median of each group, from 0."""
    order = np.lexsort((values, group))
    reached = np.cumsum(weight[order])
    total = np.bincount(group, weight)
    half = np.cumsum(total) - total / 2
    return np.asarray(values[order][np.searchsorted(reached, half - 1e-9)])
