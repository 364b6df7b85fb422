"""Side-by-side sheets of several methods' results on one scale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from crevasse.cameras import Array
from crevasse.pictures import canvas
from crevasse.pictures.colours import HEAT, PAPER, colour, scale_to
from crevasse.pictures.drawable import (
    LIMIT,
    Drawable,
    DrawableResult,
    Given,
    Picture,
    footprint,
    heights_of,
    step_to_fit,
    window_of,
)
from crevasse.pictures.maps import error_limit, error_ticks, error_title, errors_of, jumps, normals
from crevasse.pictures.oblique import FINE, Box, fit_box, oblique

GAP = 8
Panel = tuple[str, Picture]


def sheet(
    results: Mapping[str, DrawableResult], truth: ArrayLike | None = None, unit: str | None = None, size: int = 300
) -> Picture:
    """The normal map, each result from the side, the truth; below them each error (or jump map) on one scale.

    Parameters
    ----------
    results : titles and results of the same normal map, in the order to show them
    truth : (H, W) true depth, NaN where it is not known; None shows the jumps instead of errors
    unit : unit beside errors; None takes it from the camera
    size : longest side of a panel

    Examples
    --------
    >>> import numpy as np, crevasse
    >>> slope = np.zeros((40, 50, 3)) + [0.6, 0.0, 0.8]
    >>> result = crevasse.integrate(slope, method=crevasse.Poisson())
    >>> crevasse.pictures.sheet({"Poisson": result}).shape[2]
    3
    """
    if not results:
        raise ValueError("results is empty; give at least one titled result")
    first = next(iter(results.values()))
    drawables: dict[str, Drawable] = dict(results)
    if truth is not None:
        drawables["truth"] = Given(np.where(first.mask, np.asarray(truth, float), np.nan), first.camera)
    box = _shared_box(list(drawables.values()), size)
    window = window_of(first.mask)
    above: list[Panel] = [("normal map", canvas.fit(normals(first.normals, first.mask)[window], size))]
    above += [(title, oblique(each, size=size, box=box)) for title, each in drawables.items()]
    if truth is None:
        return grid([above, _jump_row(results, window, size)])
    errors = {title: errors_of(each, truth) for title, each in results.items()}
    return grid([above, _error_row(errors, window, error_title(first, unit), size)])


def _error_row(errors: Mapping[str, Array], window: tuple[slice, slice], title: str, size: int) -> list[Panel]:
    unit = title.partition(", ")[2]
    most = error_limit(list(errors.values()))
    row: list[Panel] = [("", canvas.blank(1, 1))]
    for off in errors.values():
        step = step_to_fit(off.shape, LIMIT)
        picture = colour(scale_to(off[::step, ::step][window], (0.0, most)), HEAT)
        row.append((f"mean error {np.nanmean(off):.3g} {unit}".strip(), canvas.fit(picture, size)))
    # The scale stands where the truth's own error would.
    blank = canvas.blank(row[-1][1].shape[0], 1)
    return [*row, ("", canvas.add_bar(blank, HEAT, error_ticks(most), title))]


def _jump_row(results: Mapping[str, DrawableResult], window: tuple[slice, slice], size: int) -> list[Panel]:
    largest = max(np.nanmax(np.abs(j), initial=0.0) for each in results.values() for j in each.jumps)
    largest = max(float(largest), footprint(next(iter(results.values()))))
    row: list[Panel] = [("", canvas.blank(1, 1))]
    for title, each in results.items():
        whole = jumps(each, largest, bar=False)
        row.append((f"{title}: jumps", canvas.fit(whole[window], size)))
    return row


def _shared_box(drawables: Sequence[Drawable], size: int) -> Box:
    boxes = [fit_box(*heights_of(each, FINE * size, cropped=True)) for each in drawables]
    return Box(max(b.height for b in boxes), max(b.width for b in boxes))


def grid(rows: Sequence[Sequence[Panel]]) -> Picture:
    """Panels in rows, each with its title above it."""
    size = int(np.clip(max(picture.shape[1] for _, picture in rows[0]) // 18, 12, 20))
    titled = size + GAP
    widths = [
        max(max(row[i][1].shape[1], canvas.text_width(row[i][0], size)) for row in rows if i < len(row))
        for i in range(max(len(row) for row in rows))
    ]
    heights = [max(picture.shape[0] for _, picture in row) for row in rows]
    whole = canvas.blank(
        sum(heights) + (titled + GAP) * len(rows) + GAP, sum(widths) + GAP * (len(widths) + 1), PAPER
    )
    top = GAP
    for row, height in zip(rows, heights, strict=True):
        left = GAP
        for (title, picture), width in zip(row, widths, strict=False):
            above = top + titled + (height - picture.shape[0]) // 2
            canvas.paste(whole, picture, above, left + (width - picture.shape[1]) // 2)
            if title:
                whole = canvas.write_text(whole, title, top + size // 4, left + width // 2, size, anchor="ma")
            left += width + GAP
        top += height + titled + GAP
    return whole
