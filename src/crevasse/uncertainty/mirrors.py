"""Run the method again on a mirror image: it holds the same evidence, so that differences are luck."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array
from crevasse.integration import iterate
from crevasse.progress import ReportProgress, follow
from crevasse.result import Integration


class Mirror(NamedTuple):
    """A mirror image: whether rows and columns come in the opposite order."""

    name: str
    rows: bool
    columns: bool

    def turn(self, image: NDArray[Any]) -> NDArray[Any]:
        """An image (H, W, ...) seen in the mirror; the same again turns it back."""
        return np.ascontiguousarray(image[:: -1 if self.rows else 1, :: -1 if self.columns else 1])

    def turn_normals(self, normals: Array) -> Array:
        """Normals (H, W, 3) of the surface seen in the mirror."""
        signs = [-1.0 if self.columns else 1.0, -1.0 if self.rows else 1.0, 1.0]
        return np.asarray(self.turn(normals) * signs)


UPSIDE_DOWN = Mirror("upside down", True, False)
"""It finds more of the pixels that are wrong than left to right, and both together hardly more."""


def mirrored_heights(result: Integration, mirror: Mirror, report_progress: ReportProgress) -> Array:
    """Heights (H, W) that the method of a result finds in a mirror, turned back."""

    def turned(image: NDArray[Any] | None) -> NDArray[Any] | None:
        return None if image is None else mirror.turn(image)

    shape = result.mask.shape[0], result.mask.shape[1]
    states = iterate(
        mirror.turn_normals(result.normals),
        turned(result.mask),
        result.camera.mirrored(shape, mirror.rows, mirror.columns),
        result.method,
        hints=turned(result.hints),
        weights=turned(result.weights),
        **result.given.mirrored(shape, mirror.rows, mirror.columns)._asdict(),
    )
    state = follow(states, lambda _, share: report_progress(f"mirroring {mirror.name}", share))
    return mirror.turn(state.result().surface.heights)
