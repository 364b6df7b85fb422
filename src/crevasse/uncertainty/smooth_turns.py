"""Turn normals by smooth random angles, as photometric stereo and networks do.

Such an error may be the gradient of something, and then no normal map shows it: it has no curl. So its size is
assumed, not measured.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from crevasse.cameras import Array
from crevasse.uncertainty.final_system import FinalSystem
from crevasse.uncertainty.probing import Fluxes

REACH = 0.1
"""Standard deviation of the Gaussian whose spectrum the angles have, as a share of the side of the surface."""
WAVES = 12
"""Plane waves that a field of angles consists of."""
STEEPEST_CHANGE = 3.0
"""Largest change of a slope: the linearisation is void at grazing pixels."""


class _Field(NamedTuple):
    """Angles about two axes, (H, W) each."""

    right: Array
    down: Array


def smooth_fluxes(system: FinalSystem, normals: Array, degrees: float, samples: int, seed: int) -> Iterator[Fluxes]:
    """Fluxes of errors of the normals that neighbours share.

    Parameters
    ----------
    normals : (H, W, 3) unit normals on the window
    degrees : root mean square of the errors about either axis
    """
    mask, camera = system.posed.problem.mask, system.posed.camera
    upright = np.where(mask[..., None], normals, [0.0, 0.0, 1.0])
    before = camera.slopes(upright, mask).steepness()
    random, reach = np.random.default_rng(seed), REACH * float(np.sqrt(np.count_nonzero(mask)))
    for _ in range(samples):
        field = _Field(*(np.radians(degrees) * _angles(mask.shape, reach, random) for _ in range(2)))
        after = camera.slopes(_turn(upright, field), mask).steepness()
        change = (np.clip(b - a, -STEEPEST_CHANGE, STEEPEST_CHANGE) for a, b in zip(before, after, strict=True))
        right, down = (np.where(mask, part, 0.0) for part in change)
        yield Fluxes(system.right * (right[:, 1:] + right[:, :-1]) / 2, system.down * (down[1:] + down[:-1]) / 2)


def _angles(shape: tuple[int, int], reach: float, random: np.random.Generator) -> Array:
    """A smooth random field of root mean square about 1: plane waves with Gaussian frequencies."""
    rows, columns = np.arange(shape[0])[:, None], np.arange(shape[1])
    frequencies = random.standard_normal((WAVES, 2)) / (np.sqrt(2.0) * reach)
    phases = random.uniform(0.0, 2 * np.pi, WAVES)
    # A wave is a sum of products along either axis: cos(a + b) = cos a cos b - sin a sin b.
    along = rows * frequencies[:, 0] + phases
    across = frequencies[:, 1:] * columns
    # Not by BLAS, whose last bits depend on its threads.
    field = np.einsum("ik,kj->ij", np.cos(along), np.cos(across))
    field -= np.einsum("ik,kj->ij", np.sin(along), np.sin(across))
    return np.asarray(field * np.sqrt(2.0 / WAVES))


def _turn(normals: Array, field: _Field) -> Array:
    """Normals turned by small angles about the axes of the image."""
    x, y, z = (normals[..., axis] for axis in range(3))
    return np.stack([x + field.right * z, y + field.down * z, z - (field.right * x + field.down * y)], axis=-1)
