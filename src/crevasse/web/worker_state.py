"""State of one session in its worker process: the open map, the active run, and the finished surfaces."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array, Orthographic, Perspective
from crevasse.integration import integrate, iterate
from crevasse.lattice import label_regions
from crevasse.methods import Poisson
from crevasse.methods.registry import make
from crevasse.result import Integration, Status, Surface
from crevasse.web.active_run import ActiveRun
from crevasse.web.exports import export
from crevasse.web.framing import Header, pack
from crevasse.web.messages import (
    FinishedHeader,
    MapHeader,
    ProgressHeader,
    Snippet,
    SurfaceHeader,
    to_json,
)
from crevasse.web.opening import Source, open_depth, open_example, open_files
from crevasse.web.preview import (
    Sampling,
    camera_header,
    free_slopes,
    level_of,
    map_arrays,
    surface_array,
)
from crevasse.web.snippets import snippets
from crevasse.web.strokes import Painting, paint, read_strokes
from crevasse.web.wording import page_text

LARGE = 2**21
"""Pixels from which the first Poisson surface is only made in the size that the page draws."""


@dataclass(frozen=True, eq=False)
class FinishedRun:
    """A surface that the page may look at, compare and download."""

    result: Integration
    settings: dict[str, Any]
    painting: Painting
    stopped_at: int | None


class WorkerState:
    """Answers requests; the only place that remembers anything between two of them."""

    def __init__(self, pixels: int) -> None:
        self.pixels = pixels
        self.source: Source | None = None
        self.sampling = Sampling((1, 1), 1)
        self.truth: Array | None = None
        self.finished: dict[str, FinishedRun] = {}
        self.run: ActiveRun | None = None

    def answer(self, request: Header) -> bytes:
        handlers = {
            "open": self.open,
            "plain": self.plain,
            "start": self.start,
            "advance": self.advance,
            "keep": self.keep,
            "export": self.export,
            "snippet": self.snippet,
        }
        if request.get("kind") not in handlers:
            raise ValueError(f"there is no request {request.get('kind')!r}")
        return handlers[request["kind"]](request)

    # Opening

    def open(self, request: Header) -> bytes:
        """Decode the input; the map as the page draws it, and what was recognised.

        What cannot be opened leaves the map that was open before.
        """
        self.run = None
        if "example" in request:
            source = open_example(str(request["example"]))
        elif "depth" in request:
            source = open_depth(Path(request["depth"]), self.pixels)
        else:
            source = open_files(Path(request["folder"]), request["names"], request["options"], self.pixels)
        shape = (source.mask.shape[0], source.mask.shape[1])
        self.finished = {}
        self.source, self.sampling = source, Sampling.within(shape, int(request["side"]))
        camera = self.sampling.camera(source.camera)
        arrays = map_arrays(self.sampling.of(source.normals), self.sampling.of(source.mask), camera)
        self.truth, level = None, 0.0
        if source.truth is not None:
            heights = _heights(self.sampling.of(source.truth), source.camera)
            level = level_of(heights, None)
            self.truth = heights - level
            arrays["truth"] = surface_array(heights, level)
        header = MapHeader(
            size=shape,
            step=self.sampling.step,
            camera=camera_header(source.camera),
            pixels=int(np.count_nonzero(source.mask)),
            regions=label_regions(source.mask)[1],
            truth_level=level,
            view_only="depth" in request,
            **source.recognised,
        )
        return pack(to_json(header), arrays)

    # Running

    def plain(self, request: Header) -> bytes:
        """Make the Poisson surface, which needs no iterations.

        Large maps get it first, and very large ones only, in the size that the page draws.
        """
        source, painting, mask = self._prepare(request)
        if self.sampling.step > 1 and (request.get("coarse") or mask.size > LARGE):
            return self._coarse(source, mask)
        result = _usable(integrate(source.normals, mask, source.camera, Poisson()))
        self.finished["poisson"] = FinishedRun(result, {}, painting, None)
        sampled = self._sample(result.surface)
        header = SurfaceHeader(result="poisson", coarse=False, last=True, level=level_of(sampled, self.truth))
        return self._frame(sampled, header, free_slopes(result.surface, self.sampling))

    def _coarse(self, source: Source, mask: NDArray[np.bool_]) -> bytes:
        camera = self.sampling.camera(source.camera)
        small = _usable(integrate(self.sampling.of(source.normals), self.sampling.of(mask), camera, Poisson()))
        heights = np.where(small.mask, small.surface.heights * self.sampling.step, np.nan)
        level = level_of(heights, self.truth)
        header = SurfaceHeader(result="poisson", coarse=True, last=mask.size > LARGE, level=level)
        return self._frame(heights, header)

    def start(self, request: Header) -> bytes:
        """Begin a run; `advance` carries it on."""
        source, painting, mask = self._prepare(request)
        method = make(str(request.get("method")), dict(request.get("settings") or {}))
        hints = painting.hints if painting.hints.any() else None
        states = iterate(source.normals, mask, source.camera, method, hints=hints)
        self.run = ActiveRun(states, method.name, dict(request.get("settings") or {}), painting)
        return pack({"kind": "started", "result": method.name})

    def advance(self, request: Header) -> bytes:
        """Continue the run for some time, or by one iteration; its end is a separate answer."""
        run = self._running()
        over = run.carry_on(0.0 if request.get("single") else float(request["seconds"]))
        assert run.state is not None
        if over:
            return self._finish(run, None)
        progress = run.progress()
        if not request.get("picture"):
            return pack(to_json(progress))
        surface = run.state.surface
        sampled = self._sample(surface)
        progress = replace(progress, level=level_of(sampled, self.truth))
        return self._frame(sampled, progress, free_slopes(surface, self.sampling))

    def keep(self, request: Header) -> bytes:
        """End the run here and keep the surface as it is."""
        run = self._running()
        if run.state is None:
            run.carry_on(0.0)
        assert run.state is not None
        return self._finish(run, run.state.iteration)

    def _finish(self, run: ActiveRun, stopped_at: int | None) -> bytes:
        assert run.state is not None
        self.run = None
        result = _usable(run.state.result())
        self.finished[run.name] = FinishedRun(result, run.settings, run.painting, stopped_at)
        sampled, progress = self._sample(result.surface), run.progress()
        header = FinishedHeader(
            result=run.name,
            iteration=progress.iteration,
            total=progress.total,
            seconds=progress.seconds,
            records=progress.records,
            level=level_of(sampled, self.truth),
            status=str(result.status),
            usable=result.status.usable,
            islands=result.island_count,
            warnings=tuple(page_text(warning) for warning in result.warnings),
            error=self._error(result),
        )
        return self._frame(sampled, header, free_slopes(result.surface, self.sampling))

    def _error(self, result: Integration) -> float | None:
        if self.source is None or self.source.truth is None:
            return None
        from crevasse.metrics import made

        return made(result.depth, self.source.truth, self.source.camera)

    def _prepare(self, request: Header) -> tuple[Source, Painting, NDArray[np.bool_]]:
        if self.source is None:
            raise ValueError("there is no map yet; open one first")
        if self.source.made.get("depth"):
            raise ValueError("this is a depth map that was opened to look at; open a normal map to integrate")
        shape = (self.source.mask.shape[0], self.source.mask.shape[1])
        painting = paint(read_strokes(request.get("strokes") or []), shape)
        return self.source, painting, self.source.mask & ~painting.excluded

    def _running(self) -> ActiveRun:
        if self.run is None:
            raise ValueError("there is no run to continue")
        return self.run

    # Surfaces

    def _sample(self, surface: Surface) -> Array:
        return np.where(self.sampling.of(surface.mask), self.sampling.of(surface.heights), np.nan)

    def _frame(
        self,
        sampled: Array,
        header: SurfaceHeader | ProgressHeader | FinishedHeader,
        slopes: NDArray[np.float32] | None = None,
    ) -> bytes:
        assert header.level is not None
        arrays = {"heights": surface_array(sampled, header.level)} | ({} if slopes is None else {"slopes": slopes})
        return pack(to_json(header), arrays)

    # Taking away

    def export(self, request: Header) -> bytes:
        """Write a file of a finished surface into the given folder."""
        finished = self._find(request)
        path = export(
            finished.result,
            finished.painting,
            str(request["what"]),
            Path(request["folder"]),
            bool(request.get("torn", True)),
        )
        return pack({"kind": "exported", "path": str(path)})

    def snippet(self, request: Header) -> bytes:
        """Commands that reproduce a finished surface."""
        finished = self._find(request)
        assert self.source is not None
        texts = snippets(
            self.source, finished.result.method, finished.settings, finished.painting, finished.stopped_at
        )
        return pack(to_json(Snippet(result=str(request["result"]), **texts)))

    def _find(self, request: Header) -> FinishedRun:
        name = str(request.get("result"))
        if name not in self.finished:
            raise ValueError(f"there is no finished surface {name!r}; run it first")
        return self.finished[name]


def _usable(result: Integration) -> Integration:
    """Refuse a result without a surface."""
    if result.status is Status.NOT_FINITE:
        raise ValueError(str(result.status))
    return result


def _heights(depth: Array, camera: Orthographic | Perspective) -> Array:
    with np.errstate(invalid="ignore", divide="ignore"):
        heights = camera.to_heights(depth)
    return np.where(np.isfinite(heights), heights, np.nan)
