"""The result of an integration: depth, corners, jumps, islands, mesh, and how the run went."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crevasse.assessed import Assessed
from crevasse.cameras import Array, Camera
from crevasse.cameras.checks import require_finite
from crevasse.knowledge import Given
from crevasse.lengths import check_factor, describe_unit, factor_of_distance, factor_of_ruler
from crevasse.mesh import TRIM, Mesh, build_mesh
from crevasse.mesh.welded import Welded
from crevasse.status import Noise, Status
from crevasse.surface import Cuts, Jumps, Surface

NOTHING = Given()


@dataclass(frozen=True, eq=False)
class Integration(Assessed):
    """The result of `integrate`.

    Attributes
    ----------
    islands : (H, W) array of int: 0 outside, 1.. per island, largest first
    regions : number of connected parts of the mask
    cuts : pairs of pixels that a jump separates
    status : how the run ended; str(status) is a sentence
    history : a record per iteration (`crevasse.status.HISTORY`)
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
        size = f"{self.mask.shape[0]} x {self.mask.shape[1]}, {self.pixels:,} pixels"
        how = f"{type(self.method).__name__}, {self.status.name.lower()}"
        return f"Integration({size}, {how}, depth in {self.unit_name})"

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
        return self.unit or describe_unit(self.camera, self.gauge_known, self.footprint)

    @property
    def footprint(self) -> float:
        """Side of a pixel on the surface, in depth units, at the median depth."""
        return self.camera.footprint(float(np.nanmedian(self.depth)))

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
        mesh = self.mesh_blocks(kind, torn, trim)
        return mesh.to_mesh() if isinstance(mesh, Welded) else mesh

    def mesh_blocks(self, kind: str = "welded", torn: bool = True, trim: float | None = TRIM) -> Welded | Mesh:
        """The mesh in blocks where possible, for files larger than memory."""
        if self.status is Status.NOT_FINITE:
            raise ValueError(f"there is no mesh. {self.status}")
        return build_mesh(self.surface, self.cuts if torn else None, kind, trim)

    def moved(self, island: int, pixels: float) -> Integration:
        """The result with one island moved away from the viewer by so many pixels; towards the viewer if negative."""
        require_finite("pixels", pixels)
        last = int(self.islands.max(initial=0))
        if not 1 <= island <= last:
            raise ValueError(f"island is {island!r}; the result has islands 1 to {last}")
        surface = self.surface.shifted(np.where(self.islands == island, float(pixels), 0.0))
        if not surface.finite:
            raise ValueError(f"pixels is {pixels!r}; that far away, depths are not finite")
        return replace(self, surface=surface)

    def scaled(self, factor: float, unit: str | None = None) -> Integration:
        """The result with every length multiplied by `factor`, so that it is in `unit`."""
        check_factor(factor)
        surface = self.surface.scaled(float(factor))
        return replace(self, surface=surface, camera=surface.camera, unit=unit)

    def at_distance(self, distance: float, unit: str = "mm") -> Integration:
        """The result in a unit, scaled so that its median depth is `distance` (perspective only)."""
        return self.scaled(factor_of_distance(self.camera, self.depth, distance), unit)

    def measured(self, ruler: Sequence[float], unit: str = "mm") -> Integration:
        """The result in a unit, scaled so that a known length is right.

        Parameters
        ----------
        ruler : row, column, row, column of two pixels, and their distance in space
        """
        return self.scaled(factor_of_ruler(self.camera, self.depth, ruler), unit)

    def save(self, folder: str | Path, overwrite: bool = False) -> dict[str, str]:
        """Write what `crevasse integrate -o` writes, into a folder; kinds and paths of the files."""
        import crevasse

        return crevasse.files.save(self, Path(folder), overwrite)

    def summary(self) -> dict[str, str]:
        """Summary of the run: titles and values."""
        seconds = float(self.history["seconds"][-1]) if len(self.history) else 0.0
        camera = [type(self.camera).__name__, *(f"{name} {value:.6g}" for name, value in vars(self.camera).items())]
        return {
            "status": str(self.status),
            "method": type(self.method).__name__,
            "camera": ", ".join(camera),
            "map": f"{self.mask.shape[0]} x {self.mask.shape[1]}, {self.pixels:,} pixels integrated",
            "regions, islands": f"{self.regions}, {self.island_count}",
            "depth": f"{np.nanmin(self.depth):.5g} to {np.nanmax(self.depth):.5g}, {self.unit_name}",
            "run": f"{self.iterations} iteration{'' if self.iterations == 1 else 's'} in {seconds:.2g} s",
        }

    def _repr_html_(self) -> str:
        """HTML that a notebook shows for the result."""
        from crevasse.pictures.notebook import card

        return card(self, self.summary(), self.warnings)
