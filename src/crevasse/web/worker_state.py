"""State of one session in its worker process: the open map, the active run, and the finished surfaces."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from crevasse.files.strokes import Painting, paint, read_strokes
from crevasse.integration import integrate, iterate
from crevasse.methods import Poisson
from crevasse.methods.registry import DEFAULT, make
from crevasse.pictures.sampling import Sampling
from crevasse.pictures.viewed import view
from crevasse.web.active_run import ActiveRun
from crevasse.web.expected_time import learn
from crevasse.web.finished_run import FinishedRun, guessed_islands, usable
from crevasse.web.finished_surfaces import FinishedSurfaces
from crevasse.web.framing import Header, pack
from crevasse.web.messages import to_json
from crevasse.web.open_map import OpenMap, surface_frame
from crevasse.web.opening import open_depth, open_example, open_files
from crevasse.web.scale import Scale
from crevasse.web.surface_messages import FinishedHeader, SurfaceHeader
from crevasse.web.wording import page_text

LARGE = 2**21
"""Pixels from which the first Poisson surface is only made in the size that the page draws."""


class WorkerState:
    """Answers requests; the only place that remembers anything between two of them."""

    def __init__(self, pixels: int) -> None:
        self.pixels = pixels
        self.surfaces: FinishedSurfaces | None = None
        self.run: ActiveRun | None = None

    def answer(self, request: Header) -> bytes:
        handlers: dict[str, Callable[[Header], bytes]] = {
            "open": self.open,
            "plain": self.plain,
            "start": self.start,
            "advance": self.advance,
            "keep": self.keep,
            "export": lambda request: self._opened().export(request),
            "snippet": lambda request: self._opened().snippet(request),
            "scale": lambda request: self._opened().rescale(Scale.read(request.get("scale"))),
            "move": lambda request: self._opened().move(request),
            "names": self.names,
            "look": self.look,
            "detail": lambda request: self._opened().detail(request),
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
        self.surfaces = FinishedSurfaces(OpenMap.of(source, int(request["side"])))
        return self.surfaces.opened.frame()

    # Running

    def plain(self, request: Header) -> bytes:
        """Make the Poisson surface, which needs no iterations.

        Large maps get it first, and very large ones only, in the size that the page draws.
        """
        surfaces, painting, mask = self._prepare(request)
        opened = surfaces.opened
        if opened.sampling.step > 1 and (request.get("coarse") or mask.size > LARGE):
            return _coarse(opened, mask)
        result = usable(integrate(opened.source.normals, mask, opened.source.camera, Poisson()))
        level = opened.level(opened.sample(result.surface))
        header = SurfaceHeader(result="poisson", coarse=False, last=True, level=level)
        return surfaces.add("poisson", FinishedRun(result, {}, painting, None, header))

    def start(self, request: Header) -> bytes:
        """Begin a run; `advance` carries it on."""
        surfaces, painting, mask = self._prepare(request)
        source = surfaces.opened.source
        surfaces.scale = Scale.read(request.get("scale"))
        method = make(str(request.get("method")), dict(request.get("settings") or {}))
        hints = painting.hints if painting.hints.any() else None
        given = {name: value for name, value in source.beside.items() if name in method.accepts}
        states = iterate(source.normals, mask, source.camera, method, hints=hints, **given)
        self.run = ActiveRun(states, method.name, dict(request.get("settings") or {}), painting)
        return pack({"kind": "started", "result": method.name})

    def advance(self, request: Header) -> bytes:
        """Continue the run for some time, or by one iteration; its end is a separate answer."""
        surfaces, run = self._running()
        over = run.carry_on(0.0 if request.get("single") else float(request["seconds"]))
        assert run.state is not None
        if over:
            return self._finish(surfaces, run, None)
        progress = run.progress()
        if not request.get("picture"):
            return pack(to_json(progress))
        viewed = surfaces.opened.view(run.state.surface)
        return surface_frame(viewed, replace(progress, level=surfaces.opened.level(viewed.heights)))

    def keep(self, request: Header) -> bytes:
        """End the run here and keep the surface as it is."""
        surfaces, run = self._running()
        if run.state is None:
            run.carry_on(0.0)
        assert run.state is not None
        return self._finish(surfaces, run, run.state.iteration)

    def _finish(self, surfaces: FinishedSurfaces, run: ActiveRun, stopped_at: int | None) -> bytes:
        assert run.state is not None
        self.run = None
        result = usable(run.state.result())
        opened, progress = surfaces.opened, run.progress()
        if run.name == DEFAULT and stopped_at is None:
            learn(result.pixels, progress.seconds)
        measure, problem = surfaces.measure(result)
        header = FinishedHeader(
            result=run.name,
            iteration=progress.iteration,
            total=progress.total,
            seconds=progress.seconds,
            records=progress.records,
            level=opened.level(opened.sample(result.surface)),
            status=str(result.status),
            usable=result.status.usable,
            islands=result.island_count,
            parts=guessed_islands(result),
            noise=None if result.noise is None else str(result.noise),
            measure=measure,
            warnings=(*(page_text(warning) for warning in result.warnings), *([problem] if problem else [])),
            error=opened.error(result),
        )
        finished = FinishedRun(result, run.settings, run.painting, stopped_at, header, run.film)
        return surfaces.add(run.name, finished)

    # Coming back

    def names(self, request: Header) -> bytes:
        """Whether a map is open, and the names of the finished surfaces."""
        known = self.surfaces
        return pack({"kind": "names", "map": known is not None, "finished": list(known.runs) if known else []})

    def look(self, request: Header) -> bytes:
        """The frame of a finished surface again, or that of the map."""
        surfaces, name = self._opened(), request.get("result")
        return surfaces.opened.frame() if name is None else surfaces.frame(str(name))

    def _prepare(self, request: Header) -> tuple[FinishedSurfaces, Painting, NDArray[np.bool_]]:
        surfaces = self._opened()
        source = surfaces.opened.source
        if source.made.get("depth"):
            raise ValueError("this is a depth map that was opened to look at; open a normal map to integrate")
        mask = source.mask
        painting = paint(read_strokes(request.get("strokes") or []), (mask.shape[0], mask.shape[1]))
        return surfaces, painting, mask & ~painting.excluded

    def _opened(self) -> FinishedSurfaces:
        if self.surfaces is None:
            raise ValueError("there is no map yet; open one first")
        return self.surfaces

    def _running(self) -> tuple[FinishedSurfaces, ActiveRun]:
        if self.run is None:
            raise ValueError("there is no run to continue")
        return self._opened(), self.run


def _coarse(opened: OpenMap, mask: NDArray[np.bool_]) -> bytes:
    """The Poisson surface of the map in the size that the page draws."""
    source, sampling = opened.source, opened.sampling
    camera = sampling.camera(source.camera)
    small = usable(integrate(sampling.of(source.normals), sampling.of(mask), camera, Poisson()))
    viewed = view(small.surface, Sampling((small.mask.shape[0], small.mask.shape[1]), 1)).enlarged(sampling.step)
    level = opened.level(viewed.heights)
    return surface_frame(viewed, SurfaceHeader(result="poisson", coarse=True, last=mask.size > LARGE, level=level))
