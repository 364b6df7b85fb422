"""The result of an integration: depth, corners, jumps, islands, mesh, and how the run went."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array, Camera
from crevasse.cameras.checks import require_finite, require_positive, require_within
from crevasse.knowledge import Given
from crevasse.mesh import KINDS, TRIM, Mesh, bridged_quads, pixel_mesh, separate_quads, weld
from crevasse.mesh.welded import Welded
from crevasse.notices import Notice, Setting
from crevasse.surface import Cuts, Jumps, Surface, cut_pairs

if TYPE_CHECKING:
    from crevasse.quality import Report
    from crevasse.uncertainty import Uncertainty

__all__ = ["HISTORY", "Cuts", "Integration", "Jumps", "Noise", "State", "Status", "Surface", "cut_pairs"]

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

NOTHING = Given()
FACTORS = (1e-18, 1e18)
"""From atoms in kilometres to galaxies in metres; beyond, points of perspective cameras overflow."""

NORMAL_ERRORS = (0.0, 60.0)
"""Degrees by which normals may be said to err smoothly: 60 is what random ones err by."""


class Status(Enum):
    """How a run ended; the value is a sentence for people."""

    CONVERGED = "Converged: another iteration would not change the surface."
    SCHEDULE_DONE = "Done: all planned iterations were run."
    ITERATION_LIMIT = "Stopped at the limit of iterations while the surface still moved."
    STOPPED = "Stopped on request; this is the surface as it was then."
    NOT_FINITE = "Failed: numbers overflowed, there is no surface; check the focal lengths, or use another method."

    def __str__(self) -> str:
        return self.value

    @property
    def usable(self) -> bool:
        """Whether the run ended as the method intended."""
        return self in (Status.CONVERGED, Status.SCHEDULE_DONE)


class Noise(NamedTuple):
    """How the normals of a map err: standard deviations of their slopes, in radians."""

    white: float
    """What is independent between pixels."""
    smooth: float
    """What neighbouring pixels have in common, as far as the curl shows it; 0 if it shows nothing."""

    def __str__(self) -> str:
        """Word the errors in degrees."""
        degrees = [math.degrees(part) for part in self]
        pixels = f"{degrees[0]:.1g} degrees from pixel to pixel"
        if not self.smooth:
            return f"{pixels}, no smooth error found"
        return f"{pixels}; they err smoothly, by {degrees[1]:.1g} degrees or more"


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
    camera, method : those of the run
    unit : unit of the depth, such as "mm"; None if unknown
    noise : how the normals err, if the method measured it
    hints, weights : what else was given, (H, W) each; None if it was not
    given : what was known besides the normals
    gauge_known : whether depths are known, not only up to an offset or a scale, in the unit of what was given
    """

    surface: Surface
    islands: NDArray[np.int32]
    regions: int
    cuts: Cuts
    status: Status
    history: NDArray[Any]
    warnings: tuple[str, ...]
    camera: Camera
    method: Any
    unit: str | None = None
    noise: Noise | None = None
    hints: NDArray[np.int8] | None = None
    weights: Array | None = None
    given: Given = NOTHING
    gauge_known: bool = False

    def __repr__(self) -> str:
        height, width = self.mask.shape
        return (
            f"Integration({height} x {width}, {self.pixels:,} pixels, {type(self.method).__name__}, "
            f"{self.status.name.lower()}, depth in {self.unit_name})"
        )

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

    @property
    def island_count(self) -> int:
        """Number of parts that jumps separate from the largest part of their region."""
        return max(int(self.islands.max(initial=0)) - self.regions, 0)

    @property
    def metric(self) -> bool:
        """Whether the depth is in a unit of length, which may be that of a prior, points or distances."""
        return self.unit is not None or self.gauge_known

    @property
    def unit_name(self) -> str:
        """The unit of the depth in words, also where there is none."""
        if self.unit is not None:
            return self.unit
        if self.gauge_known:
            return "the unit of what was given"
        if self.camera.gauge == "scale":
            return "no unit (known up to scale)"
        return "px" if self.footprint == 1.0 else "units of pixel_size"

    @property
    def footprint(self) -> float:
        """Side of a pixel on the surface, in depth units, at the median depth."""
        return self.camera.footprint(float(np.nanmedian(self.depth)))

    def assess(self, normal_error: float | None = None, progress: bool = False) -> Uncertainty:
        """How sure the result is. Runs the method once more on a mirror image: at most as long as two more runs.

        Parameters
        ----------
        normal_error : degrees by which the normals err smoothly; None assumes 5 where the map shows such an error,
            else none
        progress : whether to show a bar, on a terminal or in a notebook

        Examples
        --------
        >>> import numpy as np, crevasse
        >>> result = crevasse.integrate(np.zeros((20, 30, 3)) + [0.6, 0.0, 0.8])
        >>> result.assess(normal_error=1.0).sigma.shape
        (20, 30)
        """
        import crevasse

        return crevasse.uncertainty.assess(self, normal_error, progress)

    @cached_property
    def uncertainty(self) -> Uncertainty:
        """How sure the result is, computed when first asked for; `assess` takes arguments."""
        return self.assess()

    @property
    def sigma(self) -> Array:
        """(H, W) standard deviation of depth within its region's gauge, in depth units.

        Infinite on islands, whose distance nothing determines; NaN outside. Computed when first asked for, in at most
        the time of two more runs.
        """
        return self.uncertainty.sigma

    @property
    def reliability(self) -> str:
        """How sure the result is, in words; computed when first asked for."""
        return self.uncertainty.words

    def report(self, normal_error: float | None = None, progress: bool = False) -> Report:
        """A report on the quality of the result: what to trust, and what to do about it; arguments as `assess`.

        `to_html()` is a page, `to_dict()` the same as data; a notebook shows the page.
        """
        import crevasse

        asked = normal_error is not None or progress
        return crevasse.quality.report(self, self.assess(normal_error, progress) if asked else None)

    def mesh(self, kind: str = "welded", torn: bool = True, trim: float | None = TRIM) -> Mesh:
        """A mesh in the camera frame.

        Parameters
        ----------
        kind : "welded", one surface whose corners are shared wherever it continues; "quads", a quadrilateral with
            its own four corners per pixel; "pixel", a vertex per pixel
        torn : whether the surface stays open at jumps; False bridges them
        trim : welded only: pixels at a border whose face is longer than this many times its width are left out, and
            specks with them; None keeps every pixel

        Examples
        --------
        >>> import numpy as np, crevasse
        >>> crevasse.integrate(np.zeros((4, 5, 3)) + [0.0, 0.0, 1.0]).mesh()
        Mesh(30 vertices, 40 triangles)
        """
        blocks = self.mesh_blocks(kind, torn, trim)
        return blocks.to_mesh() if isinstance(blocks, Welded) else blocks

    def mesh_blocks(self, kind: str = "welded", torn: bool = True, trim: float | None = TRIM) -> Welded | Mesh:
        """The mesh in blocks where possible, for files larger than memory."""
        if self.status is Status.NOT_FINITE:
            raise ValueError(f"there is no mesh. {self.status}")
        if kind not in KINDS:
            raise ValueError(f"kind is {kind!r}; give one of {', '.join(KINDS)}")
        if trim is not None and not (isinstance(trim, int | float) and trim >= 0):
            raise ValueError(f"trim is {trim!r:.80}; give a ratio of at least 0, or None")
        if kind == "welded":
            return weld(self.surface, self.cuts if torn else None, trim)
        if kind == "pixel":
            return pixel_mesh(self.depth, self.mask, self.normals, self.camera, self.cuts if torn else None)
        if torn:
            return separate_quads(self.surface)
        return bridged_quads(self.corners, self.mask, self.normals, self.camera)

    def moved(self, island: int, pixels: float) -> Integration:
        """The result with one island moved away from the viewer by so many pixels; towards the viewer if negative."""
        require_finite("pixels", pixels)
        if not 1 <= island <= int(self.islands.max(initial=0)):
            raise ValueError(f"island is {island!r}; the result has islands 1 to {int(self.islands.max(initial=0))}")
        surface = self.surface.shifted(np.where(self.islands == island, float(pixels), 0.0))
        if not surface.finite:
            raise ValueError(f"pixels is {pixels!r}; that far away, depths are not finite")
        return replace(self, surface=surface)

    def scaled(self, factor: float, unit: str | None = None) -> Integration:
        """The result with every length multiplied by `factor`, so that it is in `unit`."""
        require_positive("factor", factor)
        require_within("factor", factor, FACTORS, "the new length of what was 1 long")
        surface = self.surface.scaled(float(factor))
        return replace(self, surface=surface, camera=surface.camera, unit=unit)

    def at_distance(self, distance: float, unit: str = "mm") -> Integration:
        """The result in a unit, scaled so that its median depth is `distance` (perspective only)."""
        if self.camera.gauge == "offset":
            found = "a distance does not fix the scale of an orthographic camera"
            raise ValueError(Notice(found, Setting("pixel_size"), cure="measure a length"))
        require_positive("distance", distance)
        return self.scaled(distance / float(np.nanmedian(self.depth)), unit)

    def measured(self, ruler: Sequence[float], unit: str = "mm") -> Integration:
        """The result in a unit, scaled so that a known length is right.

        Parameters
        ----------
        ruler : row, column, row, column of two pixels, and their distance in space
        """
        if len(ruler) != 5:
            raise ValueError(f"ruler has {len(ruler)} numbers; give row, column, row, column and the length")
        for number in ruler:
            require_finite("a number of ruler", number)
        require_positive("the length of ruler", ruler[4])
        height, width = self.mask.shape
        for row, column in (ruler[0:2], ruler[2:4]):
            if not (0 <= row < height and 0 <= column < width and self.mask[int(row), int(column)]):
                raise ValueError(f"ruler ends at row {row:g}, column {column:g}, where there is no surface")
        rows, columns = np.array(ruler[0:4:2], int), np.array(ruler[1:4:2], int)
        first, second = self.camera.points(rows, columns, self.depth[rows, columns])
        length = float(np.sqrt(np.square(second - first).sum()))
        if length == 0:
            raise ValueError("ruler begins and ends at the same point; give two pixels")
        return self.scaled(float(ruler[4]) / length, unit)

    def save(self, folder: str | Path, overwrite: bool = False) -> dict[str, str]:
        """Write what `crevasse integrate -o` writes, into a folder; kinds and paths of the files."""
        import crevasse

        return crevasse.files.save(self, Path(folder), overwrite)

    def summary(self) -> dict[str, str]:
        """Summary of the run: titles and values."""
        height, width = self.mask.shape
        seconds = float(self.history["seconds"][-1]) if len(self.history) else 0.0
        return {
            "status": str(self.status),
            "method": type(self.method).__name__,
            "camera": ", ".join(
                [type(self.camera).__name__, *(f"{k} {v:.6g}" for k, v in vars(self.camera).items())]
            ),
            "map": f"{height} x {width}, {self.pixels:,} pixels integrated",
            "regions, islands": f"{self.regions}, {self.island_count}",
            "depth": f"{np.nanmin(self.depth):.5g} to {np.nanmax(self.depth):.5g}, {self.unit_name}",
            "run": f"{self.iterations} iteration{'' if self.iterations == 1 else 's'} in {seconds:.2g} s",
        }

    def _repr_html_(self) -> str:
        """HTML that a notebook shows for the result."""
        from crevasse.pictures.notebook import card

        return card(self, self.summary(), self.warnings)


@dataclass(frozen=True, eq=False)
class State:
    """The state of a run after an iteration, as `iterate` yields it; read it before asking for the next one.

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
        """The current surface as a complete result."""
        return self._result()
