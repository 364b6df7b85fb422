"""The table that a comparison returns."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from crevasse.comparison.latex import to_latex
from crevasse.comparison.means import common_unit, mean_errors, means
from crevasse.comparison.scores import COLUMNS, Row
from crevasse.comparison.text import to_text
from crevasse.pictures.drawable import Picture
from crevasse.pictures.panels import Rows, grid


@dataclass(frozen=True, eq=False)
class Comparison:
    """The results of several methods on several maps.

    Attributes
    ----------
    rows : a dictionary per map and method: object, method, made, unit ...; None where there is no value. `state` is
        "done", "refused" or "failed", `status` a sentence
    methods : titles, in the given order
    reference : title of the method that differences are taken from
    failed : maps that could not be read, and why
    interrupted : whether it was interrupted
    """

    rows: tuple[Row, ...]
    methods: tuple[str, ...]
    reference: str
    failed: dict[str, str] = field(default_factory=dict)
    interrupted: bool = False
    panels: dict[str, Rows] = field(default_factory=dict, repr=False)

    def __str__(self) -> str:
        return self.to_text()

    @property
    def objects(self) -> tuple[str, ...]:
        """The names of the maps."""
        return tuple(dict.fromkeys(row["object"] for row in self.rows))

    def entries(self, columns: Sequence[str]) -> dict[str, dict[str, Row]]:
        """The rows by map and method, with these columns."""
        found: dict[str, dict[str, Row]] = {title: {} for title in self.objects}
        for row in self.rows:
            found[row["object"]][row["method"]] = {name: row[name] for name in columns}
        return found

    @property
    def means(self) -> dict[str, dict[str, float | None]]:
        """The mean of every column by method, over maps of one unit; None where a method has not done them all."""
        return means(self.rows, self.methods)

    @property
    def mean_errors(self) -> dict[str, Any]:
        """Mean errors by method, in the maps' unit if they share one, else in pixels; and always in pixels."""
        return mean_errors(self.rows, self.methods)

    @property
    def unit(self) -> str | None:
        """The unit of all errors, None where they differ."""
        return common_unit(self.rows)

    def only(self, rows: Sequence[Row]) -> Comparison:
        """The table with some of its rows."""
        return replace(self, rows=tuple(rows))

    def to_dict(self) -> dict[str, Any]:
        """The table as plain data, as `crevasse compare --json` prints it."""
        return {
            "objects": self.entries([name for name in COLUMNS if name not in ("object", "method")]),
            **self.mean_errors,
            "means": self.means,
            "reference": self.reference,
            "failed": self.failed,
            "interrupted": self.interrupted,
        }

    def to_text(self) -> str:
        """A table for each map, with the methods as rows, and their means."""
        return to_text(self.rows, self.methods, self.reference)

    def to_csv(self, columns: Sequence[str] = COLUMNS) -> str:
        """A line per map and method, with everything that was measured; no means."""
        stream = io.StringIO()
        writer = csv.DictWriter(stream, columns, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        for row in self.rows:
            views = row["views"] and " ".join(map(str, row["views"]))
            writer.writerow({**row, "views": views})
        return stream.getvalue()

    def to_latex(self) -> str:
        """A tabular in the style of booktabs, the best of each column in bold.

        One map: a column per measure. Several maps: a column per map, and the mean.
        """
        return to_latex(self.rows, self.methods)

    def sheet(self, title: str | None = None) -> Picture:
        """The sheet of pictures of a map, all methods on one scale; None is the first map."""
        return grid(self._panels(title))

    def figure(self, title: str | None = None) -> Any:
        """The same as a matplotlib figure, with its texts as text, for SVG and PDF."""
        from crevasse.pictures.figures import sheet_figure

        return sheet_figure(self._panels(title))

    def _panels(self, title: str | None) -> Rows:
        if not self.panels:
            raise ValueError("there are no sheets; compare with sheets=True, and with a method that gives a surface")
        name = next(iter(self.panels)) if title is None else title
        if name not in self.panels:
            raise ValueError(f"there is no sheet of {name!r}; there are {', '.join(self.panels)}")
        return self.panels[name]
