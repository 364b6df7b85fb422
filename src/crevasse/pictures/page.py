"""A page of one file: the surface in 3D with its jumps, the pictures and the numbers; it needs no network."""

from __future__ import annotations

import json
from base64 import b64encode
from html import escape
from importlib import resources
from string import Template
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crevasse.cameras import Array
from crevasse.pictures import canvas, maps
from crevasse.pictures.colours import GROUND, SEQUENTIAL
from crevasse.pictures.drawable import Cropped, DrawableResult, Picture, step_to_fit, window_of
from crevasse.pictures.errors import error
from crevasse.pictures.relief import preview

SIDE = 420
"""Largest number of quadrilaterals along a side; larger surfaces are drawn with every second, third ... pixel."""
PICTURE = 720
STEEPEST = 2.0
"""Largest height of a corner above or below its pixel's centre that is drawn, in pixels."""


class SummarisedResult(DrawableResult, Protocol):
    """A result with cuts, warnings and a summary of its run."""

    @property
    def cuts(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]: ...
    @property
    def warnings(self) -> tuple[str, ...]: ...
    def summary(self) -> dict[str, str]: ...


def page(
    drawable: SummarisedResult,
    title: str,
    truth: ArrayLike | None = None,
    unit: str | None = None,
    animation: bytes | None = None,
    side: int = SIDE,
) -> str:
    """The text of an HTML file that shows a result and needs no other file.

    Parameters
    ----------
    drawable : an `Integration`
    title : title of the page
    truth : (H, W) true depth, NaN where it is not known, for a picture of the error
    unit : unit of depths; None takes it from the camera
    animation : bytes of an animated WebP (`Film.encode`)
    side : most quadrilaterals along a side of the surface in 3D
    """
    facts = drawable.summary()
    data = surface_data(drawable, side)
    step = int(data["origin"][2])
    return Template(_asset("page.html")).substitute(
        title=escape(title),
        css=_asset("page.css"),
        status=escape(facts.pop("status", "")),
        warnings="\n".join(f'<p class="warning">{escape(warning)}</p>' for warning in drawable.warnings),
        facts="".join(f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in facts.items()),
        reduced=f" Drawn with every {step}th pixel." if step > 1 else "",
        figures="\n".join(_figures(drawable, truth, unit, animation)),
        data=json.dumps(data),
        script=_asset("viewer.js"),
    )


def surface_data(drawable: SummarisedResult, side: int = SIDE) -> dict[str, Any]:
    """What the viewer draws: heights of the corners in pixels and which neighbours a jump separates."""
    window = window_of(drawable.mask, max(drawable.mask.shape))
    step = step_to_fit(drawable.mask[window].shape, side)
    corners, mask = _reduced_corners(drawable, window, step)
    right, down = _reduced_cuts(drawable.cuts, window, step)
    level, low, high = (float(np.nanpercentile(corners, share)) for share in (50, 1, 99))
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    origin = np.array([window[1].start, window[0].start], float) + (step - 1) / 2
    middle = origin + step * np.array([columns[0] + columns[-1], rows[0] + rows[-1]]) / 2
    lens = _lens(drawable)
    centre = [middle[0] - lens[2], lens[3] - middle[1], 0.0] if lens[0] else [middle[0], -middle[1], 0.0]
    return {
        "width": mask.shape[1],
        "height": mask.shape[0],
        "corners": _pack(corners.astype("<f4")),
        "right": _pack(right.astype(np.uint8)),
        "down": _pack(down.astype(np.uint8)),
        "table": _pack(SEQUENTIAL),
        "lens": lens,
        "origin": [*origin.tolist(), step],
        "centre": [float(c) for c in centre],
        "level": level,
        "range": [low, high],
        "radius": 0.5 * step * float(np.hypot(len(rows), len(columns))),
        "ground": (GROUND / 255).round(4).tolist(),
    }


def _lens(drawable: DrawableResult) -> list[float]:
    """fx, fy, cx, cy from the camera's rays; zeros for parallel rays."""
    if drawable.camera.curvature == 0:
        return [0.0, 0.0, 0.0, 0.0]
    here, there = drawable.camera.points([0, 1], [0, 1], [1.0, 1.0])
    fx, fy = 1 / (there[0] - here[0]), 1 / (there[1] - here[1])
    return [float(fx), float(fy), float(-here[0] * fx), float(-here[1] * fy)]


def _reduced_corners(
    drawable: DrawableResult, window: tuple[slice, slice], step: int
) -> tuple[Array, NDArray[np.bool_]]:
    """Corner heights of every `step`-th pixel's plane, extended over the pixels that it represents."""
    mask = drawable.mask[window][::step, ::step]
    rows, columns = (slice(2 * side.start, 2 * side.stop) for side in window)
    depth = drawable.corners[rows, columns]
    parts = [[depth[i :: 2 * step, j :: 2 * step] for j in (0, 1)] for i in (0, 1)]
    heights = np.array([[drawable.camera.to_heights(np.where(mask, part, 1.0)) for part in pair] for pair in parts])
    centre = heights.mean(axis=(0, 1))
    # A pixel at a contour may be so steep that its corners show as spikes: clip them.
    stretched = centre + step * np.clip(heights - centre, -STEEPEST, STEEPEST)
    corners = np.full((2 * mask.shape[0], 2 * mask.shape[1]), np.nan)
    for i in (0, 1):
        for j in (0, 1):
            corners[i::2, j::2] = np.where(mask, stretched[i, j], np.nan)
    return corners, mask


def _reduced_cuts(
    cuts: tuple[NDArray[np.bool_], NDArray[np.bool_]], window: tuple[slice, slice], step: int
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Cuts between the pixels that are drawn: any cut between two of them counts."""
    rows, columns = window
    right = cuts[0][rows, columns.start : columns.stop - 1][::step]
    down = cuts[1][rows.start : rows.stop - 1, columns][:, ::step]
    return _any_of(right, step, axis=1), _any_of(down, step, axis=0)


def _any_of(cuts: NDArray[np.bool_], step: int, axis: int) -> NDArray[np.bool_]:
    count = cuts.shape[axis] // step
    whole = np.moveaxis(cuts, axis, 0)[: count * step]
    return np.moveaxis(np.logical_or.reduce(whole.reshape(count, step, -1), axis=1), 0, axis)


def _figures(
    drawable: SummarisedResult, truth: ArrayLike | None, unit: str | None, animation: bytes | None
) -> list[str]:
    near = Cropped(drawable)
    pictures = {
        ("Shaded relief", "light from the upper left"): preview(near),
        ("Depth", "near is light"): maps.depth(near, unit=unit),
        ("Jumps", "orange where depth grows to the right or downwards, blue where it falls"): maps.jumps(
            near, unit=unit
        ),
    }
    if getattr(drawable, "island_count", int(drawable.islands.max(initial=0)) - 1) > 0:
        story = "each colour is a part that jumps separate; the normals do not determine its offset"
        pictures["Islands", story] = maps.islands(near)
    if truth is not None:
        pictures["Error", "after the gauge is fixed"] = error(near, np.asarray(truth)[near.window], unit=unit)
    figures = [_figure(_png(picture), name, story) for (name, story), picture in pictures.items()]
    if animation is not None:
        source = "data:image/webp;base64," + b64encode(animation).decode()
        figures.append(_figure(source, "The run", "the surface opens along its jumps"))
    return figures


def _png(picture: Picture) -> str:
    return canvas.to_data_address(canvas.fit(picture, PICTURE))


def _figure(source: str, name: str, story: str) -> str:
    return f'<figure><img alt="{name}" src="{source}"><figcaption><b>{name}</b>: {story}</figcaption></figure>'


def _pack(array: NDArray[Any]) -> str:
    return b64encode(np.ascontiguousarray(array).tobytes()).decode()


def _asset(name: str) -> str:
    return resources.files("crevasse.pictures").joinpath("assets", name).read_text("utf-8")
