"""What is known besides the normals, as a caller gives it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from crevasse.knowledge.prior import Prior


class Given(NamedTuple):
    """The arguments of a run that tell what is known besides the normals."""

    prior: Any = None
    points: Any = None
    distances: Any = None
    fixed: Any = None

    @property
    def used(self) -> dict[str, bool]:
        """Which of them are given."""
        return {name: value is not None for name, value in self._asdict().items()}

    def mirrored(self, shape: tuple[int, int], rows: bool, columns: bool) -> Given:
        """The same for the (H, W) map whose rows or columns come in the opposite order."""

        def turn(image: Any) -> Any:
            array = np.asarray(image)
            return (
                array
                if array.ndim < 2
                else np.ascontiguousarray(array[:: -1 if rows else 1, :: -1 if columns else 1])
            )

        def move(table: Any, ends: int) -> Any:
            moved = np.array(table, float)
            for axis, side, reverse in ((0, shape[0], rows), (1, shape[1], columns)):
                if reverse:
                    moved[:, axis : 2 * ends : 2] = side - 1 - moved[:, axis : 2 * ends : 2]
            return moved

        prior = self.prior
        if prior is not None:
            prior = Prior(turn(prior.depth), None if prior.sigma is None else turn(prior.sigma), prior.unknown)
        return Given(
            prior,
            None if self.points is None else move(self.points, 1),
            None if self.distances is None else move(self.distances, 2),
            None if self.fixed is None else turn(self.fixed),
        )
