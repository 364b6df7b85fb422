"""Rough depth from elsewhere, as the user gives it."""

from __future__ import annotations

from dataclasses import dataclass

from numpy.typing import ArrayLike

UNKNOWNS = ("nothing", "scale", "scale and shift", "disparity")
"""What may have to be estimated with a prior."""


@dataclass(frozen=True, eq=False)
class Prior:
    """Rough depth from elsewhere: a depth camera, multi-view stereo, a body model, a network.

    Attributes
    ----------
    depth : (H, W) array, NaN (or infinite) where it is not known; grows away from the viewer
    sigma : standard deviation of its error in depth units, a number or (H, W); None estimates it from the map
    unknown : "nothing"; "scale"; "scale and shift"; "disparity", for the scale and shift of 1 / depth

    Examples
    --------
    >>> import numpy as np, crevasse
    >>> flat = np.zeros((8, 9, 3)) + [0.0, 0.0, 1.0]
    >>> result = crevasse.integrate(flat, prior=crevasse.Prior(np.full((8, 9), 7.0), sigma=0.1))
    >>> bool(np.allclose(result.depth, 7.0)), result.metric
    (True, True)
    """

    depth: ArrayLike
    sigma: ArrayLike | None = None
    unknown: str = "nothing"
