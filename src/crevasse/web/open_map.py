"""The open map of a session, and frames of its surfaces in the size that the page draws."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array
from crevasse.lattice import label_regions
from crevasse.pictures.sampling import Sampling
from crevasse.pictures.viewed import MOST, Viewed, level_of, octahedral, view
from crevasse.result import Integration
from crevasse.surface import Cuts, Surface
from crevasse.web.expected_time import expected_seconds
from crevasse.web.framing import pack
from crevasse.web.messages import to_json
from crevasse.web.opening import Source
from crevasse.web.preview import camera_header, map_arrays
from crevasse.web.surface_messages import DetailHeader, FinishedHeader, MapHeader, ProgressHeader, SurfaceHeader


@dataclass(frozen=True, eq=False)
class OpenMap:
    """A map, how the page samples it, and its true surface, on which all others are drawn."""

    source: Source
    sampling: Sampling

    @classmethod
    def of(cls, source: Source, side: int) -> OpenMap:
        """A map for a page that draws at most `side` pixels per side while a run goes on."""
        return cls(source, Sampling.within((source.mask.shape[0], source.mask.shape[1]), side))

    @cached_property
    def truth(self) -> Surface | None:
        """The true surface, where it is known."""
        source = self.source
        if source.truth is None:
            return None
        with np.errstate(invalid="ignore", divide="ignore"):
            heights = source.camera.to_heights(source.truth)
        mask = source.mask & np.isfinite(heights)
        right, down = source.camera.slopes(np.nan_to_num(source.normals), mask).steepness()
        slopes = (right.astype(np.float32), down.astype(np.float32))
        return Surface(np.where(mask, heights, 0.0), mask, slopes, source.camera)

    @cached_property
    def truth_level(self) -> float:
        """The height of the true surface that the page draws at 0."""
        return 0.0 if self.truth is None else level_of(self.sample(self.truth), None)

    def frame(self) -> bytes:
        """The map as the page draws it, and what was recognised."""
        source, sampling = self.source, self.sampling
        arrays = map_arrays(source.normals, source.mask, sampling)
        if self.truth is not None:
            truth = view(self.truth, sampling).arrays(self.truth_level)
            arrays |= {"truth": truth["heights"], "truth_points": truth["points"], "truth_links": truth["links"]}
        header = MapHeader(
            size=(source.mask.shape[0], source.mask.shape[1]),
            step=sampling.step,
            camera=camera_header(source.camera),
            pixels=int(np.count_nonzero(source.mask)),
            regions=label_regions(source.mask)[1],
            truth_level=self.truth_level,
            seconds=expected_seconds(int(np.count_nonzero(source.mask))),
            view_only="depth" in source.made,
            **source.recognised,
        )
        return pack(to_json(header), arrays)

    def sample(self, surface: Surface) -> Array:
        """Heights of a surface where the page draws them, NaN outside."""
        return np.where(self.sampling.of(surface.mask), self.sampling.of(surface.heights), np.nan)

    def level(self, sampled: Array) -> float:
        """The height of a sampled surface that the page draws at 0."""
        return level_of(sampled, None if self.truth is None else self.sample(self.truth) - self.truth_level)

    def view(self, surface: Surface, cuts: Cuts | None = None) -> Viewed:
        """A surface as the page draws it while a run goes on."""
        return view(surface, self.sampling, cuts)

    def detail(self, name: str, surface: Surface, cuts: Cuts | None, level: float, normals: bool) -> bytes:
        """The frame of every pixel of a surface, or of as many as are drawn of very large ones."""
        sampling = Sampling.around(self.source.mask, MOST)
        window = (*sampling.origin, *sampling.shape)
        header = DetailHeader(result=name, level=level, step=sampling.step, window=window)
        arrays = view(surface, sampling, cuts).arrays(level)
        if normals:
            inside = sampling.of(self.source.mask)[..., None]
            arrays["normals"] = octahedral(np.where(inside, sampling.of(self.source.normals), 0.0))
        return pack(to_json(header), arrays)

    def error(self, result: Integration) -> float | None:
        """Mean error of a result, where the truth is known."""
        if self.source.truth is None:
            return None
        from crevasse.metrics import made

        return made(result.depth, self.source.truth, self.source.camera)


def surface_frame(
    viewed: Viewed,
    header: SurfaceHeader | ProgressHeader | FinishedHeader,
    islands: NDArray[np.int32] | None = None,
) -> bytes:
    """The frame of a sampled surface."""
    assert header.level is not None
    arrays = viewed.arrays(header.level)
    return pack(to_json(header), arrays if islands is None else arrays | {"islands": islands})
