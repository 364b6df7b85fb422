"""From what is known besides the normals to the term of known heights, on a surface from the normals."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array
from crevasse.knowledge import Known, Places
from crevasse.lattice import Pairs
from crevasse.methods.graduated.prior_error import LENGTHS, PriorError, measure_error
from crevasse.methods.graduated.prior_scale import Scale, estimate_scale, to_surface
from crevasse.methods.graduated.terms.distances import Distances
from crevasse.methods.graduated.terms.prior import COARSE, FIXED_SIGMA, KnownHeights
from crevasse.methods.graduated.terms.samples import HARD, OUTLIER, Samples, robust_offset
from crevasse.methods.problem import Domain

FOLLOW = 0.2
"""Independent error of a prior, relative to what varies smoothly, from which the latter is an error of the normals: a
sensor has noise, a network has hardly any."""
POINT_SIGMA = 1.0
"""Standard deviation of points in pixels, where none is given and they are too few to estimate it."""
FEWEST_FAR = 1024
"""Pixels away from all jumps that suffice to measure how coarse depth errs."""
EXACT = PriorError(1.0, 1.0, 0.0, LENGTHS[0])


class Grounded(NamedTuple):
    """A surface where what is known puts it as a whole, and the term."""

    heights: Array
    term: KnownHeights


def ground(
    known: Known, domain: Domain, surface: Array, islands: NDArray[np.int32], cuts: Pairs, doubted: bool
) -> Grounded:
    """The term, and the surface shifted onto it region by region.

    Parameters
    ----------
    doubted : whether the normals are known to err smoothly
    """
    heights, scale, sigma, error = _rough(known, domain, surface, islands)
    single = _single(known)
    distances = None if known.ruler is None else Distances(known.ruler, known.camera)
    absolute = known.absolute or (scale is not None and scale.told and known.unknown == "scale")
    near_cuts = near(cuts, error.spacing)
    if near_cuts is not None and heights is not None:
        error = _measure_inside(domain, heights, surface, islands, error, near_cuts)
        sigma = sigma if known.sigma is not None else error.sigma
    share = error.share
    follow = known.unknown == "nothing" and (
        doubted or known.sigma is not None or error.sigma > FOLLOW * error.smooth
    )
    if error.is_smooth and not follow:
        share, sigma = error.whole.share, np.maximum(sigma, error.whole.sigma)
    term = KnownHeights(
        domain.mask, heights, sigma, error, share, near_cuts, single, distances, absolute, scale, follow
    )
    surface, held = _shift(term, domain, surface, islands)
    return Grounded(surface, replace(term, held=held))


def _rough(
    known: Known, domain: Domain, surface: Array, islands: NDArray[np.int32]
) -> tuple[Array | None, Scale | None, Array | float, PriorError]:
    """Rough heights, their scale if it was estimated, their sigma, and how they err."""
    if known.prior is None:
        return None, None, 1.0, EXACT
    scale = None
    camera, given = known.camera, known.prior
    if known.unknown == "nothing":
        with np.errstate(all="ignore"):
            heights = np.where(given > 0, camera.to_heights(np.abs(given)), np.nan) if camera.curvature else given
            heights = heights if camera.curvature else camera.to_heights(given)
    elif known.unknown == "scale" and camera.gauge == "scale":
        with np.errstate(all="ignore"):
            heights = np.where(given > 0, camera.to_heights(np.abs(given)), np.nan)
    else:
        scale = estimate_scale(known, surface, domain.mask, islands)
        heights = to_surface(known, given, scale)
    inside = domain.mask & np.isfinite(heights) & (islands > 0)
    gaps = heights - surface
    gaps[~inside] = 0.0
    error = measure_error(gaps, inside, islands)
    if known.sigma is None:
        return heights, scale, error.sigma, error
    return heights, scale, _sigma_in_pixels(known, heights), error


def _sigma_in_pixels(known: Known, heights: Array) -> Array | float:
    """The sigma that was given with the prior, in pixels of height."""
    assert known.prior is not None and known.sigma is not None
    if known.camera.gauge == "offset":
        return known.sigma / known.camera.footprint(1.0)
    with np.errstate(all="ignore"):
        return np.asarray(known.sigma / np.abs(known.prior) / known.camera.curvature)


def _measure_inside(
    domain: Domain,
    heights: Array,
    surface: Array,
    islands: NDArray[np.int32],
    error: PriorError,
    near_cuts: NDArray[np.bool_],
) -> PriorError:
    """The errors of coarse depth anew, where no jump or border crosses its footprints."""
    from scipy.ndimage import minimum_filter

    size = 2 * int(error.spacing / 2) + 1
    inner = minimum_filter(domain.mask.view(np.uint8), size, mode="constant").astype(bool)
    inside = inner & np.isfinite(heights) & ~near_cuts & (islands > 0)
    if np.count_nonzero(inside) < FEWEST_FAR:
        return error
    return measure_error(np.where(inside, heights - surface, 0.0), inside, islands)


def _single(known: Known) -> Samples:
    """Points and fixed depths; their gaps are heights."""
    found = []
    for places, outlier in ((known.points, OUTLIER), (known.fixed, HARD)):
        if places is not None:
            found.append(_samples(known, places, outlier))
    if not found:
        return Samples(np.empty(0, np.int64), *(np.empty(0) for _ in range(4)))
    return Samples._make(np.concatenate(parts) for parts in zip(*found, strict=True))


def _samples(known: Known, places: Places, outlier: float) -> Samples:
    footprints = np.array([abs(known.camera.footprint(float(depth))) for depth in places.depth])
    sigma = np.where(np.isnan(places.sigma), POINT_SIGMA, places.sigma / footprints)
    ones = np.ones(len(sigma))
    heights = known.camera.to_heights(places.depth)
    return Samples(places.pixels, heights, np.maximum(sigma, FIXED_SIGMA), ones, outlier * ones)


def _shift(
    term: KnownHeights, domain: Domain, surface: Array, islands: NDArray[np.int32]
) -> tuple[Array, NDArray[np.bool_]]:
    """Each region shifted onto what is known of it: of its largest island, if anything is."""
    labels, flat = domain.labels, islands.ravel()
    held = np.zeros(domain.regions + 1, bool)
    shifts = np.zeros(domain.regions + 1)
    found = term.samples(surface, term.stride)
    owners = labels.ravel()[found.pixels]
    for region in np.unique(owners):
        here = found.at(owners == region)
        counts = np.bincount(flat[here.pixels])
        main = here.at(flat[here.pixels] == int(np.argmax(counts)))
        shifts[region], held[region] = robust_offset(main), True
    if term.distances is not None and not held.any():
        held[1:] = True
    return surface + np.where(domain.mask, shifts[labels], 0.0), held


def near(cuts: Pairs, spacing: float) -> NDArray[np.bool_] | None:
    """Pixels within half the footprint of coarse depth of a jump; None for fine depth."""
    if spacing < COARSE:
        return None
    from scipy.ndimage import maximum_filter

    beside = cuts.right | cuts.down
    beside[:, 1:] |= cuts.right[:, :-1]
    beside[1:] |= cuts.down[:-1]
    return np.asarray(maximum_filter(beside.view(np.uint8), 2 * int(spacing / 2) + 1)).astype(bool)
