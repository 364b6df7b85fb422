"""Draw the results of several methods side by side on one scale."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, cast

import numpy as np
from numpy.typing import ArrayLike

from crevasse.cameras import Array
from crevasse.pictures import canvas
from crevasse.pictures.colours import HEAT, colour, scale_to
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
from crevasse.pictures.errors import error_limit, error_ticks, errors_of
from crevasse.pictures.maps import jumps, normals
from crevasse.pictures.oblique import FINE, Box, fit_box, oblique
from crevasse.pictures.panels import NOTHING, Bar, Panel, Rows, grid

WIDEST = 7
"""Panels side by side up to which a sheet has one band."""
BAND = 6
"""Panels side by side at most in a sheet of several bands."""
OUTLYING = 1.5
"""The view that all surfaces share is at most this many times as large as the median surface needs."""
LOWEST = 0.1
"""Smallest top of the scale of differences, in pixels, so that invisible differences stay dark."""


class Mapped(Drawable, Protocol):
    """A surface with the normals that it was made from."""

    @property
    def normals(self) -> Array: ...


def sheet(
    results: Mapping[str, Mapped],
    truth: ArrayLike | None = None,
    unit: str | None = None,
    size: int = 300,
    reference: str | None = None,
) -> Picture:
    """The normal map, each result from the side, the truth; below them each error (or jump map) on one scale.

    Parameters
    ----------
    results : titles and results of the same normal map, in the order to show them; many take several bands
    truth : (H, W) true depth, NaN where it is not known; None shows differences or jumps instead of errors
    unit : unit of the truth, to be written beside errors; None converts errors to pixels on the surface
    size : longest side of a panel
    reference : title of the result that differences are taken from; without truth, None shows jumps

    Examples
    --------
    >>> import numpy as np, crevasse
    >>> slope = np.zeros((40, 50, 3)) + [0.6, 0.0, 0.8]
    >>> result = crevasse.integrate(slope, method=crevasse.Poisson())
    >>> crevasse.pictures.sheet({"Poisson": result}).shape[2]
    3
    """
    return grid(sheet_panels(results, truth, unit, size, reference))


def sheet_panels(
    results: Mapping[str, Mapped],
    truth: ArrayLike | None = None,
    unit: str | None = None,
    size: int = 300,
    reference: str | None = None,
) -> Rows:
    """The panels of `sheet`, row by row."""
    if not results:
        raise ValueError("results is empty; give at least one titled result")
    first = next(iter(results.values()))
    drawables: dict[str, Drawable] = dict(results)
    if truth is not None:
        drawables["truth"] = Given(np.where(first.mask, np.asarray(truth, float), np.nan), first.camera)
    box = _shared_box(list(drawables.values()), size)
    window = window_of(first.mask)
    above = [Panel("normal map", canvas.fit(normals(first.normals, first.mask)[window], size))]
    above += [Panel(title, oblique(each, size=size, box=box)) for title, each in drawables.items()]
    if truth is not None:
        # Without a unit, errors are counted in pixels as those of an orthographic map are.
        pixel = footprint(drawables["truth"]) if unit is None else 1.0
        errors = {title: errors_of(each, truth) / pixel for title, each in results.items()}
        # The scale takes the place of the truth's error.
        below, bar = _error_row(errors, window, f"error, {unit or 'px'}", size)
        return _bands([NOTHING, *below, bar], above)
    if reference is not None:
        below, bar = _error_row(
            _differences(results, reference), window, f"difference from {reference}, px", size, LOWEST
        )
        return _bands([bar, *below], above)
    return _bands(_jump_row(cast("Mapping[str, DrawableResult]", results), window, size), above)


def _bands(below: list[Panel], above: list[Panel]) -> Rows:
    """Both rows, cut into bands of about equal length if they are long."""
    count = len(above)
    bands = 1 if count <= WIDEST else -(-count // BAND)
    length = -(-count // bands)
    return [row[k : k + length] for k in range(0, count, length) for row in (above, below)]


def _differences(results: Mapping[str, Mapped], reference: str) -> dict[str, Array]:
    """Absolute differences from one of the results in pixels, after the gauge is fixed."""
    other = results[reference]
    return {title: errors_of(each, other.depth) / footprint(other) for title, each in results.items()}


def _error_row(
    errors: Mapping[str, Array], window: tuple[slice, slice], title: str, size: int, least: float = 0.0
) -> tuple[list[Panel], Panel]:
    """The errors in colours of one scale, and its bar."""
    what, _, unit = title.partition(", ")
    most = max(error_limit(list(errors.values())), least)
    row = []
    for off in errors.values():
        step = step_to_fit(off.shape, LIMIT)
        picture = colour(scale_to(off[::step, ::step][window], (0.0, most)), HEAT)
        number = f"{'mean error' if what == 'error' else 'mean'} {np.nanmean(off):.3g} {unit}"
        row.append(Panel(number.strip(), canvas.fit(picture, size)))
    blank = canvas.blank(row[-1].picture.shape[0], 1)
    return row, Panel("", blank, Bar(HEAT, error_ticks(most), title))


def _jump_row(results: Mapping[str, DrawableResult], window: tuple[slice, slice], size: int) -> list[Panel]:
    largest = max(np.nanmax(np.abs(j), initial=0.0) for each in results.values() for j in each.jumps)
    largest = max(float(largest), footprint(next(iter(results.values()))))
    row = [NOTHING]
    for title, each in results.items():
        whole = jumps(each, largest, bar=False)
        row.append(Panel(f"{title}: jumps", canvas.fit(whole[window], size)))
    return row


def _shared_box(drawables: Sequence[Drawable], size: int) -> Box:
    boxes = [fit_box(*heights_of(each, FINE * size, cropped=True)) for each in drawables]
    return Box(_most(box.height for box in boxes), _most(box.width for box in boxes))


def _most(sides: Iterable[float]) -> float:
    """The longest side, unless one outlier would shrink the others to specks."""
    ordered = sorted(sides)
    return min(ordered[-1], OUTLYING * ordered[len(ordered) // 2])
