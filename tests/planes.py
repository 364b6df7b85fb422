"""Planes whose corners the kernels cannot compute by themselves, as those of general cameras."""

from dataclasses import dataclass

import numpy as np

from crevasse.cameras import MOST_RISE


@dataclass(frozen=True, eq=False)
class ArrayPlanes:
    """The closed form of a pinhole with a curvature of its own for every pixel.

    Attributes
    ----------
    bends : (H, W) array, > 0, curvature of each pixel
    """

    bends: np.ndarray
    curvature: None = None

    @classmethod
    def of(cls, camera, shape):
        """Those of a camera with one curvature."""
        return cls(np.full(shape, camera.planes.curvature))

    def at(self, right, down, row, column):
        rise = right * float(column) + down * float(row)
        return -np.log1p(-np.minimum(rise * self.bends, MOST_RISE)) / self.bends

    def restricted(self):
        return ArrayPlanes(2 * self.bends[::2, ::2])

    def moved(self, origins, places, shape):
        # Where no pixel is, any curvature will do.
        bends = np.full(shape, self.bends.max())
        bends.ravel()[places] = self.bends.ravel()[origins]
        return ArrayPlanes(bends)
