"""Arrange titled panels and colour bars in rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from crevasse.pictures import canvas
from crevasse.pictures.colours import PAPER
from crevasse.pictures.drawable import Picture

GAP = 8


class Bar(NamedTuple):
    """A colour bar: colours from bottom to top, places and texts of its ticks, a title."""

    table: Picture
    ticks: list[tuple[float, str]]
    title: str


class Panel(NamedTuple):
    """A picture of a sheet with the text above it; or a colour bar, in a blank picture as high as the others."""

    title: str
    picture: Picture
    bar: Bar | None = None

    def drawn(self) -> Picture:
        return self.picture if self.bar is None else canvas.add_bar(self.picture, *self.bar)


Rows = list[list[Panel]]
NOTHING = Panel("", canvas.blank(1, 1))


def grid(rows: Sequence[Sequence[Panel]]) -> Picture:
    """Panels in rows, each with its title above it."""
    size = int(np.clip(max(panel.picture.shape[1] for panel in rows[0]) // 18, 12, 20))
    titled = size + GAP
    drawn = [[(panel.title, panel.drawn()) for panel in row] for row in rows]
    widths = [
        max(max(row[i][1].shape[1], canvas.text_width(row[i][0], size)) for row in drawn if i < len(row))
        for i in range(max(len(row) for row in drawn))
    ]
    heights = [max(picture.shape[0] for _, picture in row) for row in drawn]
    whole = canvas.blank(
        sum(heights) + (titled + GAP) * len(rows) + GAP, sum(widths) + GAP * (len(widths) + 1), PAPER
    )
    top = GAP
    for row, height in zip(drawn, heights, strict=True):
        left = GAP
        for (title, picture), width in zip(row, widths, strict=False):
            above = top + titled + (height - picture.shape[0]) // 2
            canvas.paste(whole, picture, above, left + (width - picture.shape[1]) // 2)
            if title:
                whole = canvas.write_text(whole, title, top + size // 4, left + width // 2, size, anchor="ma")
            left += width + GAP
        top += height + titled + GAP
    return whole
