"""State of one session in its worker process: the open map, the active run, and the finished surfaces."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from crevasse.files.strokes import Painting, paint, read_strokes
from crevasse.integration import integrate, iterate
from crevasse.methods import Poisson
from crevasse.methods.registry import make
from crevasse.web.active_run import ActiveRun
from crevasse.web.exports import export
from crevasse.web.finished_run import FinishedRun, usable
from crevasse.web.framing import Header, pack
from crevasse.web.messages import to_json
from crevasse.web.notice_messages import Snippet
from crevasse.web.open_map import OpenMap, surface_frame
from crevasse.web.opening import open_depth, open_example, open_files
from crevasse.web.snippets import snippets
from crevasse.web.surface_messages import FinishedHeader, SurfaceHeader
from crevasse.web.wording import page_text

LARGE = 2**21
"""Pixels from which the first Poisson surface is only made in the size that the page draws."""


class WorkerState:
    """Answers requests; the only place that remembers anything between two of them."""

    def __init__(self, pixels: int) -> None:
        self.pixels = pixels
        self.map: OpenMap | None = None
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
        self.finished = {}
        self.map = OpenMap.of(source, int(request["side"]))
        return self.map.frame()

    # Running

    def plain(self, request: Header) -> bytes:
        """Make the Poisson surface, which needs no iterations.

        Large maps get it first, and very large ones only, in the size that the page draws.
        """
        opened, painting, mask = self._prepare(request)
        if opened.sampling.step > 1 and (request.get("coarse") or mask.size > LARGE):
            return _coarse(opened, mask)
        result = usable(integrate(opened.source.normals, mask, opened.source.camera, Poisson()))
        self.finished["poisson"] = FinishedRun(result, {}, painting, None)
        sampled = opened.sample(result.surface)
        header = SurfaceHeader(result="poisson", coarse=False, last=True, level=opened.level(sampled))
        return surface_frame(sampled, header, opened.slopes(result.surface))

    def start(self, request: Header) -> bytes:
        """Begin a run; `advance` carries it on."""
        opened, painting, mask = self._prepare(request)
        source = opened.source
        method = make(str(request.get("method")), dict(request.get("settings") or {}))
        hints = painting.hints if painting.hints.any() else None
        states = iterate(source.normals, mask, source.camera, method, hints=hints)
        self.run = ActiveRun(states, method.name, dict(request.get("settings") or {}), painting)
        return pack({"kind": "started", "result": method.name})

    def advance(self, request: Header) -> bytes:
        """Continue the run for some time, or by one iteration; its end is a separate answer."""
        opened, run = self._running()
        over = run.carry_on(0.0 if request.get("single") else float(request["seconds"]))
        assert run.state is not None
        if over:
            return self._finish(opened, run, None)
        progress = run.progress()
        if not request.get("picture"):
            return pack(to_json(progress))
        surface = run.state.surface
        sampled = opened.sample(surface)
        return surface_frame(sampled, replace(progress, level=opened.level(sampled)), opened.slopes(surface))

    def keep(self, request: Header) -> bytes:
        """End the run here and keep the surface as it is."""
        opened, run = self._running()
        if run.state is None:
            run.carry_on(0.0)
        assert run.state is not None
        return self._finish(opened, run, run.state.iteration)

    def _finish(self, opened: OpenMap, run: ActiveRun, stopped_at: int | None) -> bytes:
        assert run.state is not None
        self.run = None
        result = usable(run.state.result())
        self.finished[run.name] = FinishedRun(result, run.settings, run.painting, stopped_at)
        sampled, progress = opened.sample(result.surface), run.progress()
        header = FinishedHeader(
            result=run.name,
            iteration=progress.iteration,
            total=progress.total,
            seconds=progress.seconds,
            records=progress.records,
            level=opened.level(sampled),
            status=str(result.status),
            usable=result.status.usable,
            islands=result.island_count,
            warnings=tuple(page_text(warning) for warning in result.warnings),
            error=opened.error(result),
        )
        return surface_frame(sampled, header, opened.slopes(result.surface))

    def _prepare(self, request: Header) -> tuple[OpenMap, Painting, NDArray[np.bool_]]:
        opened = self._opened()
        if opened.source.made.get("depth"):
            raise ValueError("this is a depth map that was opened to look at; open a normal map to integrate")
        mask = opened.source.mask
        painting = paint(read_strokes(request.get("strokes") or []), (mask.shape[0], mask.shape[1]))
        return opened, painting, mask & ~painting.excluded

    def _opened(self) -> OpenMap:
        if self.map is None:
            raise ValueError("there is no map yet; open one first")
        return self.map

    def _running(self) -> tuple[OpenMap, ActiveRun]:
        if self.run is None:
            raise ValueError("there is no run to continue")
        return self._opened(), self.run

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
        finished, source = self._find(request), self._opened().source
        texts = snippets(source, finished.result.method, finished.settings, finished.painting, finished.stopped_at)
        return pack(to_json(Snippet(result=str(request["result"]), **texts)))

    def _find(self, request: Header) -> FinishedRun:
        name = str(request.get("result"))
        if name not in self.finished:
            raise ValueError(f"there is no finished surface {name!r}; run it first")
        return self.finished[name]


def _coarse(opened: OpenMap, mask: NDArray[np.bool_]) -> bytes:
    """The Poisson surface of the map in the size that the page draws."""
    source, sampling = opened.source, opened.sampling
    camera = sampling.camera(source.camera)
    small = usable(integrate(sampling.of(source.normals), sampling.of(mask), camera, Poisson()))
    heights = np.where(small.mask, small.surface.heights * sampling.step, np.nan)
    header = SurfaceHeader(result="poisson", coarse=True, last=mask.size > LARGE, level=opened.level(heights))
    return surface_frame(heights, header)
