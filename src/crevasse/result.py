"""What an integration gives back: depth, corners, jumps, islands, mesh, and how the run went."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array, Camera, corner_heights
from crevasse.lattice import jumps_across, pairs
from crevasse.mesh import Mesh, pixel_mesh, quadrilateral_mesh

HISTORY = np.dtype(
    [
        ("start", np.int32),
        ("iteration", np.int32),
        ("energy", np.float64),
        ("change", np.float64),
        ("strength", np.float64),
        ("solver_iterations", np.int32),
        ("seconds", np.float64),
    ]
)
"""A record per iteration: which start, its number, energy before the step, mean absolute change of height in
pixels, strength (or scale) of the jump term, iterations of the linear solver, seconds since the run began."""


class Status(Enum):
    """How a run ended; the value is a sentence for people."""

    CONVERGED = "Converged: another iteration would not change the surface."
    SCHEDULE_DONE = "Done: the method's schedule of iterations ran to its end."
    ITERATION_LIMIT = "Stopped at the limit of iterations while the surface still moved."
    STOPPED = "Stopped on request; this is the surface as it was then."
    NOT_FINITE = "Failed: numbers overflowed, there is no surface; check the focal lengths, or use another method."

    def __str__(self) -> str:
        return self.value

    @property
    def usable(self) -> bool:
        """Whether the surface is what the method set out to find."""
        return self in (Status.CONVERGED, Status.SCHEDULE_DONE)


class Jumps(NamedTuple):
    """Depth differences across auxiliary edges, in depth units, NaN where there is no edge.

    Positive where the depth grows to the right or downwards: there the left or upper pixel is in front.
    """

    right: Array
    """(2H, W-1): between corner columns 2j+1 and 2j+2."""
    down: Array
    """(H-1, 2W): between corner rows 2i+1 and 2i+2."""


class Cuts(NamedTuple):
    """Pairs of neighbouring pixels that a jump separates."""

    right: NDArray[np.bool_]
    """(H, W-1)"""
    down: NDArray[np.bool_]
    """(H-1, W)"""


@dataclass(frozen=True, eq=False)
class Surface:
    """Heights in pixel units and what is needed to draw them: the ground that results are made of.

    `corners` is None where a pixel's corners lie on the exact plane of its normal.
    """

    heights: Array
    mask: NDArray[np.bool_]
    steepness: tuple[NDArray[np.float32], NDArray[np.float32]]
    camera: Camera
    corners: Array | None = None

    @cached_property
    def depth(self) -> Array:
        # What overflows is told by the status of the run.
        with np.errstate(over="ignore", invalid="ignore"):
            return np.where(self.mask, self.camera.to_depth(np.where(self.mask, self.heights, 0.0)), np.nan)

    @cached_property
    def corner_depth(self) -> Array:
        """(2H, 2W), NaN outside."""
        corners = self.corners
        if corners is None:
            corners = corner_heights(self.camera.planes, *self.steepness)
            corners += self.heights.repeat(2, axis=0).repeat(2, axis=1)
        inside = self.mask.repeat(2, axis=0).repeat(2, axis=1)
        with np.errstate(over="ignore", invalid="ignore"):
            return np.where(inside, self.camera.to_depth(np.where(inside, corners, 0.0)), np.nan)

    @property
    def finite(self) -> bool:
        """Whether every pixel and corner has a depth that can be told.

        Depth grows with height, so the ends stand for all that is between them, and NaN for itself. The corners are
        bounded by the steepest pixel.
        """
        with np.errstate(all="ignore"):
            low, high = float(self.heights.min()), float(self.heights.max())
            steepest = sum(float(np.abs(slope).max()) for slope in self.steepness) / 2
            if self.corners is None:
                ways = np.array([-steepest, steepest])
                reach = self.camera.planes.at(ways, np.zeros(2), 0.0, 1.0)
                ends = np.array([low, high, low + reach[0], high + reach[1]])
            else:
                ends = np.array([low, high, self.corners.min(), self.corners.max(), steepest])
            return bool(np.isfinite(self.camera.to_heights(self.camera.to_depth(ends))).all())

    @cached_property
    def jumps(self) -> Jumps:
        right, down = jumps_across(self.corner_depth)
        return Jumps(right, down)

    @property
    def normals(self) -> Array:
        """Unit normals (H, W, 3) as the slopes have them, OpenGL frame, 0 outside."""
        return self.camera.normals(*self.steepness) * self.mask[..., None]


@dataclass(frozen=True, eq=False)
class Integration:
    """The result of `integrate`.

    Attributes
    ----------
    islands : (H, W) array of int: 0 outside, 1.. per island, largest first
    regions : number of connected parts of the mask
    cuts : pairs of pixels that a jump separates
    status : how the run ended; str(status) is a sentence
    history : a record per iteration (`crevasse.result.HISTORY`)
    warnings : sentences that the caller should see
    camera, method : what the run was made with
    """

    surface: Surface = field(repr=False)
    islands: NDArray[np.int32] = field(repr=False)
    regions: int
    cuts: Cuts = field(repr=False)
    status: Status
    history: NDArray[Any] = field(repr=False)
    warnings: tuple[str, ...]
    camera: Camera
    method: Any

    @property
    def depth(self) -> Array:
        """(H, W) depth, NaN outside the mask; grows away from the viewer."""
        return self.surface.depth

    @property
    def corners(self) -> Array:
        """(2H, 2W) depth per corner, NaN outside the mask."""
        return self.surface.corner_depth

    @property
    def jumps(self) -> Jumps:
        """Depth differences across auxiliary edges."""
        return self.surface.jumps

    @property
    def mask(self) -> NDArray[np.bool_]:
        """(H, W): the pixels that were integrated."""
        return self.surface.mask

    @property
    def normals(self) -> Array:
        """(H, W, 3): unit normals as they were integrated, OpenGL frame, 0 outside the mask."""
        return self.surface.normals

    @property
    def pixels(self) -> int:
        return int(np.count_nonzero(self.mask))

    @property
    def iterations(self) -> int:
        return len(self.history)

    def mesh(self, torn: bool = True, per_pixel: bool = False) -> Mesh:
        """A mesh in the camera frame.

        Parameters
        ----------
        torn : whether the surface stays open at jumps; False bridges them
        per_pixel : one vertex a pixel instead of one quadrilateral a pixel
        """
        if self.status is Status.NOT_FINITE:
            raise ValueError(f"there is no mesh. {self.status}")
        normals = self.surface.normals
        if per_pixel:
            return pixel_mesh(self.depth, self.mask, normals, self.camera, self.cuts if torn else None)
        return quadrilateral_mesh(self.corners, self.mask, normals, self.camera, torn)

    def summary(self) -> dict[str, str]:
        """How the run went, in words: titles and values."""
        height, width = self.mask.shape
        seconds = float(self.history["seconds"][-1]) if len(self.history) else 0.0
        return {
            "status": str(self.status),
            "method": type(self.method).__name__,
            "camera": ", ".join(
                [type(self.camera).__name__, *(f"{k} {v:.6g}" for k, v in vars(self.camera).items())]
            ),
            "map": f"{height} x {width}, {self.pixels:,} pixels integrated",
            "regions, islands": f"{self.regions}, {int(self.islands.max(initial=0))}",
            "depth": f"{np.nanmin(self.depth):.5g} to {np.nanmax(self.depth):.5g}",
            "run": f"{self.iterations} iteration{'' if self.iterations == 1 else 's'} in {seconds:.2g} s",
        }

    def _repr_html_(self) -> str:
        """How a notebook shows the result."""
        from crevasse.pictures.notebook import card

        return card(self, self.summary(), self.warnings)


@dataclass(frozen=True, eq=False)
class State:
    """A run as it stands, as `iterate` yields it; read it before asking for the next one.

    Attributes
    ----------
    iteration, total : how far the run is; total is its planned number of iterations
    start : which of the method's starts this is, from 0
    energy, change, strength : as in the history
    """

    iteration: int
    total: int
    start: int
    energy: float
    change: float
    strength: float
    seconds: float
    _surface: Callable[[], Surface] = field(repr=False)
    _result: Callable[[], Integration] = field(repr=False)

    @property
    def depth(self) -> Array:
        return self._surface().depth

    @property
    def jumps(self) -> Jumps:
        return self._surface().jumps

    @property
    def surface(self) -> Surface:
        return self._surface()

    def result(self) -> Integration:
        """The surface as it is now, as a whole result."""
        return self._result()


def cut_pairs(mask: NDArray[np.bool_], jumps: tuple[Array, Array], threshold: float) -> Cuts:
    """Pairs both of whose auxiliary edges jump by more than `threshold` to the same side.

    Parameters
    ----------
    jumps : differences across auxiliary edges, right (2H, W-1) and down (H-1, 2W)
    """
    inside = pairs(mask)
    right, down = jumps
    first = np.where(inside[0][..., None], np.stack([right[0::2], right[1::2]], axis=-1), 0.0)
    second = np.where(inside[1][..., None], np.stack([down[:, 0::2], down[:, 1::2]], axis=-1), 0.0)
    return Cuts(*((np.min(np.abs(e), axis=-1) > threshold) & (np.prod(e, axis=-1) > 0) for e in (first, second)))
