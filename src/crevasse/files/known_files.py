"""Read what is known besides the normals: rough depth, points, fixed depths."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from crevasse.files.arrays import to_doubles
from crevasse.files.camera_files import read_text
from crevasse.files.errors import BadInput
from crevasse.files.map_folder import known_files
from crevasse.files.samples import read_pixels
from crevasse.knowledge import Prior

Array = NDArray[np.float64]

ASPECT = 0.02
"""Relative difference of the aspect ratios up to which depth of another size belongs to a map."""
MOST_LINES = 1_000_000
HEADER = "row,column,depth[,sigma]"


class Options(Protocol):
    """The options that say what is known (`files.normal_map.ReadOptions`)."""

    @property
    def prior(self) -> str | Path | None: ...
    @property
    def prior_sigma(self) -> float | None: ...
    @property
    def prior_unknown(self) -> str: ...
    @property
    def points(self) -> str | Path | None: ...
    @property
    def fixed(self) -> str | Path | None: ...
    @property
    def max_memory(self) -> int | None: ...


def read_known(options: Options, folder: Path | None, shape: tuple[int, int]) -> dict[str, Any]:
    """What is known besides the normals: the files given, else those of the folder."""
    own = known_files(folder) if folder is not None else {}
    prior, points = options.prior or own.get("prior"), options.points or own.get("points")
    given = options.prior_sigma, options.prior_unknown, options.max_memory
    return {
        "prior": None if prior is None else read_prior(Path(prior), shape, *given),
        "points": None if points is None else read_points(Path(points)),
        "fixed": None if options.fixed is None else read_fixed(Path(options.fixed), shape, options.max_memory),
    }


def read_prior(
    path: Path, shape: tuple[int, int], sigma: float | None, unknown: str, max_memory: int | None
) -> Prior:
    """Rough depth for a map of this shape: NaN or infinite where it is not known, in integer images 0.

    Depth of another size is spread over the map, each sample over the pixels that it covers.
    """
    return Prior(_spread(_read_depth(path, max_memory), shape, path), sigma, unknown)


def read_fixed(path: Path, shape: tuple[int, int], max_memory: int | None) -> Array:
    """Depths that must come out, NaN where they are free; they must have the shape of the map."""
    depth = _read_depth(path, max_memory)
    if depth.shape != shape:
        raise BadInput(f"{path} has shape {depth.shape} but the map has {shape}; they must agree")
    return depth


def read_points(path: Path) -> Array:
    """Points (N, 3) or (N, 4): a line each, with or without a header; # begins a comment."""
    rows: list[list[float]] = []
    named = False
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        words = line.split("#")[0].replace(",", " ").replace(";", " ").split()
        if not words:
            continue
        try:
            rows.append([float(word) for word in words])
        except ValueError:
            if rows or named:
                raise BadInput(f"{path}, line {number}: {line.strip()!r:.60} is not {HEADER}") from None
            named = True
            continue
        if len(rows[-1]) not in (3, 4) or len(rows[-1]) != len(rows[0]):
            raise BadInput(f"{path}, line {number}: {len(rows[-1])} numbers; give {HEADER} in all lines")
        if len(rows) > MOST_LINES:
            raise BadInput(f"{path} has more than {MOST_LINES:,} points; give a depth map as the prior")
    if not rows:
        raise BadInput(f"{path} holds no points; give lines of {HEADER}")
    return np.array(rows)


def _read_depth(path: Path, max_memory: int | None) -> Array:
    values = read_pixels(path, max_memory, "prior").values
    if values.shape[2] > 1 and not np.array_equal(values[..., 0], values[..., 1]):
        raise BadInput(f"{path} has {values.shape[2]} different channels; give depth in one channel")
    depth = to_doubles(values[..., 0])
    if values.dtype.kind in "iub":
        depth = np.where(values[..., 0] == 0, np.nan, depth)
    if not np.isfinite(depth).any():
        raise BadInput(f"{path} holds no depth: it is zero or not finite everywhere")
    return np.asarray(depth)


def _spread(depth: Array, shape: tuple[int, int], path: Path) -> Array:
    """Depth of another size on the pixels of a map."""
    if depth.shape == shape:
        return depth
    ratio = (depth.shape[0] * shape[1]) / (depth.shape[1] * shape[0])
    if abs(ratio - 1) > ASPECT:
        sizes = [f"{size[1]} x {size[0]}" for size in (depth.shape, shape)]
        raise BadInput(f"{path} has {sizes[0]} pixels but the map has {sizes[1]}: crop it to the same view")
    places = [((np.arange(n) + 0.5) * m / n).astype(int) for n, m in zip(shape, depth.shape, strict=True)]
    return np.asarray(depth[np.ix_(*places)])
