"""The open map of a session, and frames of its surfaces in the size that the page draws."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array, Orthographic, Perspective
from crevasse.lattice import label_regions
from crevasse.result import Integration, Surface
from crevasse.web.expected_time import expected_seconds
from crevasse.web.framing import pack
from crevasse.web.messages import to_json
from crevasse.web.opening import Source
from crevasse.web.preview import Sampling, camera_header, free_slopes, level_of, map_arrays, surface_array
from crevasse.web.surface_messages import FinishedHeader, MapHeader, ProgressHeader, SurfaceHeader


@dataclass(frozen=True, eq=False)
class OpenMap:
    """A map, and how the page draws it.

    Attributes
    ----------
    truth : sampled heights of the true depth less `truth_level`, or None
    """

    source: Source
    sampling: Sampling
    truth: Array | None
    truth_level: float

    @classmethod
    def of(cls, source: Source, side: int) -> OpenMap:
        """A map for a page that draws at most `side` pixels per side."""
        sampling = Sampling.within((source.mask.shape[0], source.mask.shape[1]), side)
        if source.truth is None:
            return cls(source, sampling, None, 0.0)
        heights = _heights(sampling.of(source.truth), source.camera)
        level = level_of(heights, None)
        return cls(source, sampling, heights - level, level)

    def frame(self) -> bytes:
        """The map as the page draws it, and what was recognised."""
        source, sampling = self.source, self.sampling
        camera = sampling.camera(source.camera)
        arrays = map_arrays(sampling.of(source.normals), sampling.of(source.mask), camera)
        if self.truth is not None:
            arrays["truth"] = surface_array(self.truth, 0.0)
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
        return level_of(sampled, self.truth)

    def slopes(self, surface: Surface) -> NDArray[np.float32] | None:
        """Slopes of a surface whose corners are free of the normals."""
        return free_slopes(surface, self.sampling)

    def error(self, result: Integration) -> float | None:
        """Mean error of a result, where the truth is known."""
        if self.source.truth is None:
            return None
        from crevasse.metrics import made

        return made(result.depth, self.source.truth, self.source.camera)


def surface_frame(
    sampled: Array,
    header: SurfaceHeader | ProgressHeader | FinishedHeader,
    slopes: NDArray[np.float32] | None = None,
    islands: NDArray[np.int32] | None = None,
) -> bytes:
    """The frame of a sampled surface."""
    assert header.level is not None
    extra: dict[str, NDArray[Any] | None] = {"slopes": slopes, "islands": islands}
    given = {name: array for name, array in extra.items() if array is not None}
    return pack(to_json(header), {"heights": surface_array(sampled, header.level), **given})


def _heights(depth: Array, camera: Orthographic | Perspective) -> Array:
    with np.errstate(invalid="ignore", divide="ignore"):
        heights = camera.to_heights(depth)
    return np.where(np.isfinite(heights), heights, np.nan)
