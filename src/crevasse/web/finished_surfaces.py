"""The finished surfaces of a map: look at them again, measure them, take them away."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from crevasse.result import Integration
from crevasse.web.exports import export
from crevasse.web.finished_run import FinishedRun, guessed_islands
from crevasse.web.framing import Header, pack
from crevasse.web.messages import to_json
from crevasse.web.notice_messages import Measure, Scaled, Snippet
from crevasse.web.open_map import OpenMap, surface_frame
from crevasse.web.scale import Scale
from crevasse.web.snippets import snippets
from crevasse.web.surface_messages import FinishedHeader
from crevasse.web.taken import Taken
from crevasse.web.wording import page_text


class FinishedSurfaces:
    """Surfaces by the name of their method, and the scale of the map they belong to."""

    def __init__(self, opened: OpenMap) -> None:
        self.opened = opened
        self.scale = Scale()
        self.runs: dict[str, FinishedRun] = {}

    def add(self, name: str, run: FinishedRun) -> bytes:
        """Keep a surface; returns its frame."""
        self.runs[name] = run
        return self.frame(name)

    def frame(self, name: str) -> bytes:
        """The frame of a surface."""
        run = self._find(name)
        islands = self.opened.sampling.of(run.result.islands).astype(np.int32)
        return surface_frame(self.opened.view(run.result.surface, run.result.cuts), run.header, islands)

    def detail(self, request: Header) -> bytes:
        """The frame of every pixel of a surface, or of the truth."""
        name, normals, opened = str(request.get("result")), bool(request.get("normals")), self.opened
        if name == "truth" and opened.truth is not None:
            return opened.detail(name, opened.truth, None, opened.truth_level, normals)
        run = self._find(name)
        return opened.detail(name, run.result.surface, run.result.cuts, run.header.level, normals)

    def move(self, request: Header) -> bytes:
        """Place an island of a surface, counted from where the method has put it; the frame of the surface then."""
        name, label = str(request.get("result")), int(request.get("label") or 0)
        pixels = float(request.get("pixels") or 0.0)
        run = self._find(name)
        moves = dict(run.moves)
        result = run.result.moved(label, pixels - moves.get(label, 0.0))
        moves[label] = pixels
        header = run.header
        if isinstance(header, FinishedHeader):
            measure, error = self.measure(result)[0], self.opened.error(result)
            header = replace(header, parts=guessed_islands(result, moves), measure=measure, error=error, records=())
        kept = tuple((number, by) for number, by in moves.items() if by)
        return self.add(name, replace(run, result=result, header=header, moves=kept))

    def measure(self, result: Integration) -> tuple[Measure, str | None]:
        """Measure of a result, and why the scale does not fit it."""
        try:
            return self.scale.measure(result), None
        except ValueError as error:
            return Scale().measure(result), page_text(error)

    def rescale(self, scale: Scale) -> bytes:
        """Take another scale; what all surfaces measure by it."""
        self.scale = scale
        measures, problems = {}, []
        for name, run in self.runs.items():
            measures[name], problem = self.measure(run.result)
            problems += [problem] if problem else []
            if isinstance(run.header, FinishedHeader):
                self.runs[name] = replace(run, header=replace(run.header, measure=measures[name]))
        return pack(to_json(Scaled(measures=measures, problem=problems[0] if problems else None)))

    def export(self, request: Header) -> bytes:
        """Write a file of a surface into the given folder."""
        shape = dict(request.get("shape") or {})
        path = export(self._take(request), str(request["what"]), Path(request["folder"]), shape)
        return pack({"kind": "exported", "path": str(path)})

    def snippet(self, request: Header) -> bytes:
        """Commands that reproduce a surface."""
        texts = snippets(self._take(request))
        return pack(to_json(Snippet(result=str(request["result"]), **texts)))

    def _take(self, request: Header) -> Taken:
        return Taken(self._find(str(request.get("result"))), self.opened.source, self.scale)

    def _find(self, name: str) -> FinishedRun:
        if name not in self.runs:
            raise ValueError(f"there is no finished surface {name!r}; run it first")
        return self.runs[name]
