"""A page of one file: the surface in 3D with its jumps, the pictures and the numbers; it needs no network."""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from html import escape
from importlib import resources
from string import Template
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crevasse.pictures import canvas, maps
from crevasse.pictures.drawable import Cropped, DrawableResult, Picture, unit_of
from crevasse.pictures.errors import error
from crevasse.pictures.relief import preview
from crevasse.pictures.sampling import Sampling
from crevasse.pictures.viewed import MOST, level_of, octahedral, view
from crevasse.surface import Surface

PICTURE = 720
PARTS = 1024
"""Parts of a pixel in which heights are stored."""


class SummarisedResult(DrawableResult, Protocol):
    """A result with cuts, warnings and a summary of its run."""

    @property
    def surface(self) -> Surface: ...
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
    most: int = MOST,
) -> str:
    """The text of an HTML file that shows a result and needs no other file.

    Parameters
    ----------
    drawable : an `Integration`
    title : title of the page
    truth : (H, W) true depth, NaN where it is not known, for a picture of the error
    unit : unit of depths; None takes it from the camera
    animation : bytes of an animated WebP (`Film.encode`)
    most : pixels that are drawn in 3D; of a larger surface every second, third ... in each direction
    """
    facts = drawable.summary()
    data = surface_data(drawable, most, unit)
    step = data["step"]
    return Template(_asset("page.html")).substitute(
        title=escape(title),
        css=_asset("viewer.css") + _asset("page.css"),
        status=escape(facts.pop("status", "")),
        warnings="\n".join(f'<p class="warning">{escape(warning)}</p>' for warning in drawable.warnings),
        facts="".join(f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in facts.items()),
        reduced=f" Drawn with every {step}th pixel." if step > 1 else "",
        figures="\n".join(_figures(drawable, truth, unit, animation)),
        data=json.dumps(data),
        script=_asset("viewer.js"),
    )


def surface_data(drawable: SummarisedResult, most: int = MOST, unit: str | None = None) -> dict[str, Any]:
    """What the viewer draws: heights of pixels and shared corners, links between neighbours, and normals."""
    sampling = Sampling.around(drawable.mask, most)
    viewed = view(drawable.surface, sampling, drawable.cuts)
    level = level_of(viewed.heights, None)
    arrays = viewed.arrays(level)
    camera = drawable.camera.to_dict()
    return {
        "camera": {"kind": camera.pop("model"), **camera},
        "size": list(drawable.mask.shape),
        "window": [*sampling.origin, *sampling.shape],
        "step": sampling.step,
        "level": level,
        "unit": unit_of(drawable, unit),
        "parts": PARTS,
        "arrays": {
            "heights": _pack(_parts(np.where(viewed.mask, arrays["heights"], 0.0))),
            "points": _pack(_parts(arrays["points"])),
            "links": _pack(arrays["links"]),
            "normals": _pack(octahedral(sampling.of(drawable.normals)), channels=2),
        },
    }


def _parts(heights: NDArray[Any]) -> NDArray[np.int32]:
    """Heights in parts of a pixel; what is absurdly far away stays far away."""
    return np.asarray(np.rint(np.clip(heights, -(2.0**20), 2.0**20) * PARTS), np.int32)


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


def _pack(numbers: NDArray[np.integer[Any]], channels: int = 1) -> dict[str, Any]:
    """Numbers as their differences, by planes of bytes, deflated: neighbours are alike."""
    flat = np.ascontiguousarray(numbers).reshape(-1, channels)
    apart = np.diff(flat, axis=0, prepend=np.zeros((1, channels), flat.dtype)).ravel()
    planes = apart.astype(apart.dtype.newbyteorder("<")).view(np.uint8).reshape(len(apart), -1).T
    data = b64encode(zlib.compress(planes.tobytes())).decode()
    return {"data": data, "type": flat.dtype.name, "channels": channels}


def _asset(name: str) -> str:
    return resources.files("crevasse.pictures").joinpath("assets", name).read_text("utf-8")
