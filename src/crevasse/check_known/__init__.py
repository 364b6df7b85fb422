"""Check what is known besides the normals: priors, points, distances and fixed depths."""

from __future__ import annotations

from typing import Any

import numpy as np

from crevasse.cameras import Array, Camera
from crevasse.check_known.numbers import LARGEST, Mask, Window, check_numbers
from crevasse.check_known.tables import check_distances, check_points
from crevasse.knowledge import UNKNOWNS, Given, Known, Places, Prior


def check_known(given: Given, mask: Mask, window: Window, camera: Camera) -> Known | None:
    """Refuse what does not fit the map; None means that nothing is known."""
    if not any(given.used.values()):
        return None
    prior, sigma, unknown = _check_prior(given.prior, mask, window, camera)
    return Known(
        camera,
        prior,
        sigma,
        unknown,
        check_points(given.points, mask, window, camera),
        _check_fixed(given.fixed, mask, window, camera),
        check_distances(given.distances, mask, window),
    )


def _check_prior(
    prior: Any, mask: Mask, window: Window, camera: Camera
) -> tuple[Array | None, Array | float | None, str]:
    if prior is None:
        return None, None, "nothing"
    if not isinstance(prior, Prior):
        raise ValueError(f"prior is {type(prior).__name__}; give crevasse.Prior(depth, sigma=..., unknown=...)")
    if prior.unknown not in UNKNOWNS:
        raise ValueError(
            f"unknown of the prior is {prior.unknown!r:.80}; give one of {', '.join(map(repr, UNKNOWNS))}"
        )
    depth = check_numbers("the prior's depth", prior.depth)
    if depth.shape != mask.shape:
        raise ValueError(
            f"the prior's depth has shape {depth.shape} but normals is {(*mask.shape, 3)}; the first two must agree:"
            " resample it, with NaN where it is not known"
        )
    inside = np.where(mask[window] & np.isfinite(depth[window]), depth[window], np.nan)
    if not np.isfinite(inside).any():
        raise ValueError(
            "the prior's depth is not finite anywhere inside the mask; check that it belongs to this map"
        )
    if np.nanmax(np.abs(inside)) > LARGEST:
        raise ValueError(f"the prior's depth is {np.nanmax(np.abs(inside)):.3g}; give depths below {LARGEST:g}")
    if camera.gauge == "scale" and prior.unknown in ("nothing", "scale"):
        wrong = int(np.count_nonzero(inside <= 0))
        if wrong == np.count_nonzero(np.isfinite(inside)):
            raise ValueError("the prior's depth is nowhere positive; depth grows away from the camera, from 0")
        inside = np.where(inside > 0, inside, np.nan)
    if prior.unknown != "nothing" and np.nanmin(inside) == np.nanmax(inside) and prior.unknown != "scale":
        raise ValueError("the prior's depth is the same everywhere, so that no scale and shift fit it")
    return inside, _check_sigma(prior.sigma, inside, window, mask), prior.unknown


def _check_sigma(sigma: Any, depth: Array, window: Window, mask: Mask) -> Array | float | None:
    if sigma is None:
        return None
    found = check_numbers("sigma of the prior", sigma)
    if found.ndim and found.shape != mask.shape:
        raise ValueError(
            f"sigma of the prior has shape {found.shape}; give a number, or one for each pixel {mask.shape}"
        )
    here = found[window] if found.ndim else found
    known = here[np.isfinite(depth)] if found.ndim else here
    if not np.all(np.isfinite(known) & (known > 0)):
        raise ValueError(
            "sigma of the prior must be positive and finite wherever its depth is; leave it out to estimate it"
        )
    return np.where(np.isfinite(depth), here, 1.0) if found.ndim else float(found)


def _check_fixed(fixed: Any, mask: Mask, window: Window, camera: Camera) -> Places | None:
    if fixed is None:
        return None
    depth = check_numbers("fixed", fixed)
    if depth.shape != mask.shape:
        raise ValueError(f"fixed has shape {depth.shape} but normals is {(*mask.shape, 3)}; the first two must agree")
    here = np.where(mask[window] & ~np.isnan(depth[window]), depth[window], np.nan).ravel()
    pixels = np.flatnonzero(~np.isnan(here)).astype(np.int64)
    if not len(pixels):
        raise ValueError("fixed has no depth inside the mask; give NaN only where depth is free")
    if not (np.abs(here[pixels]) <= LARGEST).all():
        raise ValueError("fixed has infinite depths; give NaN where depth is free")
    if camera.gauge == "scale" and (here[pixels] <= 0).any():
        raise ValueError("fixed has depths that are not positive; depth grows away from the camera, from 0")
    return Places(pixels, here[pixels], np.zeros(len(pixels)))
