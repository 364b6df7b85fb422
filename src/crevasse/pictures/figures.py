"""Figures for papers through matplotlib, as vectors (`pip install 'crevasse[plot]'`)."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from crevasse.pictures.colours import PALETTE, SEQUENTIAL
from crevasse.pictures.drawable import Cropped, DrawableResult, footprint, unit_of
from crevasse.pictures.errors import error_limit, errors_of
from crevasse.pictures.maps import SMALLEST_JUMP, strongest_jumps
from crevasse.pictures.panels import Rows
from crevasse.pictures.relief import preview


def figure(drawable: DrawableResult, truth: ArrayLike | None = None, unit: str | None = None) -> Any:
    """A matplotlib figure of a result: relief, depth, jumps, and the error where the truth is given.

    Examples
    --------
    >>> import numpy as np, crevasse
    >>> result = crevasse.integrate(np.zeros((4, 5, 3)) + [0.0, 0.0, 1.0])
    >>> len(crevasse.pictures.figure(result).axes)
    4
    """
    plots = _matplotlib()
    count = 3 if truth is None else 4
    made = plots.Figure(figsize=(3.2 * count, 3.2), layout="constrained")
    axes = made.subplots(1, count)
    for axis, title in zip(axes, ("relief", "depth", "jumps", "error"), strict=False):
        axis.set_title(title)
        axis.set_axis_off()
    near = Cropped(drawable)
    axes[0].imshow(preview(near))
    name = unit_of(near, unit)
    depth = np.where(near.mask, near.depth, np.nan)
    drawn = axes[1].imshow(depth, cmap=plots.palette("crevasse", SEQUENTIAL[::-1] / 255))
    made.colorbar(drawn, ax=axes[1], label=f"depth, {name}", shrink=0.8)
    lines = np.abs(strongest_jumps(near.jumps))
    least = SMALLEST_JUMP * footprint(near)
    axes[2].imshow(np.where(near.mask & (lines > least), 1.0, np.where(near.mask, 0.12, 0.0)), cmap="Greys")
    if truth is not None:
        off = errors_of(near, np.asarray(truth)[near.window])
        drawn = axes[3].imshow(off, cmap="inferno", vmin=0.0, vmax=error_limit([off]))
        made.colorbar(drawn, ax=axes[3], label="error, unit of the truth", shrink=0.8)
    return made


def error_chart(objects: Sequence[str], errors: Mapping[str, Sequence[float]]) -> Any:
    """A matplotlib figure with a group of bars per object and a bar per method, errors in pixels."""
    plots = _matplotlib()
    made = plots.Figure(figsize=(max(4.0, 0.5 * len(objects) * len(errors) + 1.5), 3.0), layout="constrained")
    axis = made.subplots()
    places, width = np.arange(len(objects)), 0.8 / max(len(errors), 1)
    for k, (name, values) in enumerate(errors.items()):
        axis.bar(places + (k + 0.5) * width - 0.4, values, width, label=name, color=PALETTE[k % len(PALETTE)] / 255)
    axis.set_xticks(places, objects, rotation=45, ha="right")
    axis.set_ylabel("mean absolute depth error, px")
    axis.legend(frameon=False)
    axis.spines[["top", "right"]].set_visible(False)
    return made


def sheet_figure(rows: Rows) -> Any:
    """A matplotlib figure of the panels of a sheet: the pictures as they are, the texts as text."""
    plots = _matplotlib()
    count = max(len(row) for row in rows)
    made = plots.Figure(figsize=(2.2 * count, 2.4 * len(rows)), layout="constrained")
    axes = made.subplots(len(rows), count, squeeze=False)
    for line, row in zip(axes, rows, strict=True):
        for axis, panel in itertools.zip_longest(line, row):
            axis.set_axis_off()
            if panel is not None and panel.bar is not None:
                bar = made.colorbar(plots.scale(panel.bar.table), ax=axis, location="left", fraction=0.1, shrink=0.8)
                bar.set_ticks([place for place, _ in panel.bar.ticks], labels=[text for _, text in panel.bar.ticks])
                bar.set_label(panel.bar.title)
            elif panel is not None and panel.picture.size > 3:
                axis.imshow(panel.picture, interpolation="none")
                axis.set_title(panel.title, fontsize=8, parse_math=False)
    return made


def require_matplotlib() -> None:
    """Refuse to draw figures where matplotlib is not installed."""
    _matplotlib()


class _matplotlib:
    """The parts of matplotlib that figures use, imported on first use."""

    def __init__(self) -> None:
        try:
            from matplotlib.cm import ScalarMappable
            from matplotlib.colors import ListedColormap
            from matplotlib.figure import Figure
        except ImportError:
            raise ImportError("figures need matplotlib: pip install 'crevasse[plot]'") from None
        self.Figure: Any = Figure
        self._map: Any = ListedColormap
        self._scale: Any = ScalarMappable

    def palette(self, name: str, colours: Any) -> Any:
        """A colour map of these colours."""
        return self._map(colours, name=name)

    def scale(self, colours: Any) -> Any:
        """The mappable of a colour bar from 0 to 1."""
        return self._scale(cmap=self.palette("crevasse", colours / 255))
