"""Height maps for displacement: white is high."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from crevasse.files.depth_files import write_image
from crevasse.result import Integration

HEIGHT_FILES = {"png16": "height.png", "exr": "height.exr", "tif": "height.tif"}
"""Formats of height maps and the names of their files."""


class Displacement(NamedTuple):
    """The range of a height map, from its lowest to its highest point.

    Attributes
    ----------
    pixels : in pixels, by their width on the surface at its median depth
    length : in the unit of the depth
    unit : None where there is none
    """

    pixels: float
    length: float
    unit: str | None

    def __str__(self) -> str:
        metric = f" = {_plain(self.length)} {self.unit}" if self.unit else ""
        return f"displacement strength {_plain(self.pixels)} px{metric}"


def _plain(number: float) -> str:
    """A number with three digits, and without an exponent where people can read it.

    >>> _plain(18.24), _plain(3706.4), _plain(2e9)
    ('18.2', '3,706', '2e+09')
    """
    return f"{number:,.0f}" if 999.5 <= number < 1e7 else f"{number:.3g}"


def displacement(result: Integration) -> Displacement:
    """Height difference between the lowest and the highest point of the surface."""
    length = float(np.nanmax(result.depth) - np.nanmin(result.depth))
    return Displacement(length / result.footprint, length, result.unit)


def write_height(folder: Path, result: Integration, kind: str) -> Path:
    """Write a height map; the PNG spreads the range over its 16 bits, the others hold heights in depth units.

    The lowest point and everything outside are 0. The range is in the file's description.
    """
    path = folder / HEIGHT_FILES[kind]
    span = displacement(result)
    heights = np.where(result.mask, np.nanmax(result.depth) - result.depth, 0.0)
    facts: dict[str, Any] = {
        "height": "white is high, 0 is the lowest point and outside",
        "strength_px": span.pixels,
        "strength": span.length,
        "unit": result.unit_name,
        "words": str(span),
    }
    if kind == "png16":
        levels = np.rint(heights * (65535 / (span.length or 1.0))).astype(np.uint16)
        write_image(path, levels[..., None], {"Description": json.dumps(facts)})
    else:
        write_image(path, heights.astype(np.float32)[..., None], {"ImageDescription": json.dumps(facts)})
    return path
