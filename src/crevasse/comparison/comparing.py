"""Run every method on every map; a method that cannot take a map becomes a row that says why."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from crevasse.comparison.scores import Row, empty_row, score
from crevasse.comparison.surfaces import Kept, difference, keep
from crevasse.comparison.table import Comparison
from crevasse.comparison.views import join_views, views_of
from crevasse.files import NormalMap
from crevasse.files.map_folder import UNKNOWN_UNIT
from crevasse.files.map_runs import run_states
from crevasse.files.names import plain_text
from crevasse.methods import Method
from crevasse.methods.registry import DEFAULT
from crevasse.pictures.panels import Rows
from crevasse.pictures.sheet import sheet_panels
from crevasse.progress import ReportProgress, follow, show_progress
from crevasse.result import Integration
from crevasse.status import Status


@dataclass
class Comparing:
    """A comparison in progress: `add` maps, and read the `table` at any time.

    Attributes
    ----------
    methods : by title
    reference : title of the method that differences are taken from; None is the default method, or the first
    views : how many mirror images of each map to integrate, 1 to 4
    sheets : whether to draw a sheet of pictures for each map
    quiet : whether no progress is shown
    on_row : called with each row when it is finished
    word : how refusals are worded
    """

    methods: Mapping[str, Method]
    reference: str | None = None
    views: int = 1
    sheets: bool = True
    threads: int | None = None
    max_memory: int | None = None
    quiet: bool = True
    on_row: Callable[[Row], None] = lambda row: None
    word: Callable[[Exception], str] = str
    rows: list[Row] = field(default_factory=list)
    drawn: dict[str, Rows] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.reference is None:
            self.reference = DEFAULT if DEFAULT in self.methods else next(iter(self.methods))
        if self.reference not in self.methods:
            raise ValueError(f"reference is {self.reference!r}; give one of {', '.join(self.methods)}")
        if self.views not in (1, 2, 3, 4):
            raise ValueError(f"views is {self.views!r}; give 1, 2, 3 or 4")

    def add(self, found: NormalMap, title: str) -> None:
        """Run all methods on a map; an interrupt keeps what is finished."""
        begun = len(self.rows)
        kept: dict[str, Kept] = {}
        try:
            for name, method in self.methods.items():
                row, surface = self._run(found, title, name, method)
                self.rows.append(row)
                if surface is not None:
                    kept[name] = surface
                self.on_row(row)
        finally:
            self._conclude(found, title, kept, self.rows[begun:])

    def table(self, interrupted: bool = False) -> Comparison:
        """The table of the rows that are finished."""
        assert self.reference is not None
        return Comparison(
            rows=tuple(dict(row) for row in self.rows),
            methods=tuple(self.methods),
            reference=self.reference,
            failed=dict(self.failed),
            interrupted=interrupted,
            panels=dict(self.drawn),
        )

    def _run(self, found: NormalMap, title: str, name: str, method: Method) -> tuple[Row, Kept | None]:
        """The row of one method, and its surface if there is one."""
        row = empty_row(title, name)
        try:
            with show_progress(f"{plain_text(title)}, {plain_text(name)}", self.quiet) as report_progress:
                results = list(self._integrate(found, method, report_progress))
        except (ValueError, MemoryError) as error:
            return {**row, "state": "refused", "status": f"Refused: {self.word(error) or 'not enough memory'}"}, None
        except Exception as error:  # A method that breaks does not stop the others; its row says how.
            return {**row, "state": "failed", "status": f"Failed: {type(error).__name__}: {error}"}, None
        last, surface = results[-1]
        if surface is None:
            return {**row, **last}, None
        return {**row, **join_views([each for each, _ in results])}, results[0][1]

    def _integrate(
        self, found: NormalMap, method: Method, report_progress: ReportProgress
    ) -> Iterable[tuple[Row, Kept | None]]:
        """Scores and surface of each view; the first view is the map as it is."""
        for view in views_of(found, self.views):
            began = time.perf_counter()
            result = follow(run_states(view, method, self.threads, self.max_memory), report_progress).result()
            seconds = time.perf_counter() - began
            if result.status is Status.NOT_FINITE:
                yield _not_finite(result), None
                return
            report_progress("measuring", 0.0)
            yield score(view, result, seconds), keep(result, found.normals)

    def _conclude(self, found: NormalMap, title: str, kept: dict[str, Kept], rows: list[Row]) -> None:
        """Add differences from the reference, and draw the sheet, of the results that exist."""
        assert self.reference is not None
        chosen = self.reference if self.reference in kept else next(iter(kept), None)
        if chosen is None:
            return
        for row in rows:
            if row["method"] in kept:
                with suppress(ValueError):
                    row["difference_px"] = difference(kept[row["method"]], kept[chosen])
        if self.sheets:
            unit = found.unit or (None if found.truth_unit == UNKNOWN_UNIT else found.truth_unit)
            self.drawn[title] = sheet_panels(kept, found.depth, unit, reference=chosen)


def _not_finite(result: Integration) -> Row:
    return {"state": "failed", "status": str(result.status), "iterations": result.iterations}
