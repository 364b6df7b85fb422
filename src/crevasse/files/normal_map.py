"""Normal maps from files and folders."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Orthographic, Perspective
from crevasse.files.camera_files import CameraChoice
from crevasse.files.companions import pixels_inside, read_truth, read_weights
from crevasse.files.decode import LENGTH_TOLERANCE, MOST_VIOLATIONS, Decoded, decode, from_srgb
from crevasse.files.errors import BadInput
from crevasse.files.frames import Frame
from crevasse.files.hint_files import read_hints
from crevasse.files.known_files import read_known
from crevasse.files.map_folder import Viewpoint, find_file, look_into, read_footprint, truth_unit
from crevasse.files.pixels import Pixels, is_folder
from crevasse.files.samples import read_pixels
from crevasse.knowledge import Prior

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class NormalMap:
    """A normal map, ready to be integrated.

    Attributes
    ----------
    normals : (H, W, 3) array, unit vectors in the OpenGL frame, 0 where there is none
    mask : (H, W) array of bool
    camera : `Orthographic()` unless a camera is given
    depth : (H, W) array, the true depth, or None where it is not known
    name, source : a short name, and the file that was read
    bits, encoding : how the file stores its numbers
    frame : the frame the file was read in
    warnings : sentences that the caller should see
    """

    normals: Array
    mask: NDArray[np.bool_]
    camera: Orthographic | Perspective
    depth: Array | None
    name: str
    source: Path
    bits: int
    encoding: str
    frame: str
    warnings: tuple[str, ...]
    pixels: Pixels
    decoded: Decoded
    srgb: bool = False
    footprint: float | None = None
    """Width of a pixel on the surface in depth units, if the folder's meta.json states it."""
    truth_unit: str = "px"
    """Unit of the true depth, if the folder states it."""
    unit: str | None = None
    """Unit of integrated depths, where it is known."""
    distance: float | None = None
    """Millimetres from the camera to the object's centre."""
    ruler: tuple[float, ...] | None = None
    """Row, column, row, column of two pixels, and the millimetres between them."""
    weights: Array | None = None
    """(H, W) confidence of the normals, where it is known; 0 or larger."""
    hints: NDArray[np.int8] | None = None
    """(H, W) what the user knows about jumps, as `integrate` takes it."""
    camera_assumed: bool = False
    """Whether nobody gave a camera, so that parallel rays were assumed."""
    prior: Prior | None = None
    """Rough depth, where it is known."""
    points: Array | None = None
    """(N, 3) or (N, 4): row, column, depth and its standard deviation of measured points."""
    fixed: Array | None = None
    """(H, W) depth that must come out, NaN where it is free."""

    def __repr__(self) -> str:
        height, width = self.shape
        pixels, camera = np.count_nonzero(self.mask), type(self.camera).__name__
        return f"NormalMap({self.name!r}, {height} x {width}, {pixels:,} pixels, {camera}, {self.frame})"

    @property
    def shape(self) -> tuple[int, int]:
        return self.mask.shape[0], self.mask.shape[1]


@dataclass(frozen=True)
class ReadOptions:
    """How to read a map.

    Attributes
    ----------
    mask : a file, non-zero inside; None is the alpha channel, or the pixels that hold a normal
    camera : None is orthographic
    frame : "auto", "opengl", "directx", "opencv", or three signed axes such as "-x,y,z"
    slopes : whether the file holds (p, q), the rise towards the viewer per pixel to the right and upwards
    srgb : whether the colours went through the sRGB curve, which is undone then
    centre : the 8-bit value that means 0: "127.5", "128", or "auto" for what the data show
    layer : the EXR layer or the variable of an array file to take, where there are several
    max_memory : bytes that may be used; None is what is free
    weights : a file, the confidence of the normals; None is the folder's own, or none
    hints : a file, strokes or an array of what is known about jumps
    prior : a file, rough depth; None is the folder's own, or none
    prior_sigma, prior_unknown : as of `crevasse.Prior`
    points : a file, a line of row, column, depth[, sigma] per point; None is the folder's own, or none
    fixed : a file, depths that must come out
    """

    mask: str | Path | None = None
    camera: Viewpoint = None
    frame: str = "auto"
    slopes: bool = False
    srgb: bool = False
    centre: str = "auto"
    layer: str | None = None
    max_memory: int | None = None
    weights: str | Path | None = None
    hints: str | Path | None = None
    prior: str | Path | None = None
    prior_sigma: float | None = None
    prior_unknown: str = "nothing"
    points: str | Path | None = None
    fixed: str | Path | None = None


def read_map(path: str | Path, options: ReadOptions) -> NormalMap:
    """Read a map from a file or a folder; the frame "auto" is read as OpenGL here and settled later."""
    mask, camera, max_memory = options.mask, options.camera, options.max_memory
    folder = Path(path) if is_folder(Path(path)) else None
    source = Path(path)
    if folder is not None:
        source, mask, camera = look_into(folder, mask, camera)
    turn = Frame.parse("opengl" if options.frame == "auto" else options.frame)
    pixels = read_pixels(source, max_memory, "normals", options.layer)
    decoded = decode(pixels, options.slopes, str(source), options.srgb, options.centre)
    inside, notes = pixels_inside(pixels, decoded, mask, max_memory, source)
    inside, hints = _with_hints(options, inside)
    _refuse_photographs(pixels, decoded, inside, source)
    normals = turn.apply(decoded.vectors)
    normals[~inside] = 0.0
    height, width = inside.shape
    assumed = camera is None or (isinstance(camera, CameraChoice) and not camera.given)
    seen = camera.resolve(height, width) if isinstance(camera, CameraChoice) else camera or Orthographic()
    return NormalMap(
        normals=normals,
        mask=inside,
        camera=seen,
        depth=None if folder is None else read_truth(folder, inside, source, max_memory),
        name=source.stem if folder is None else folder.resolve().name or "map",
        source=source,
        bits=pixels.bits,
        encoding=decoded.encoding,
        frame=turn.name,
        warnings=decoded.notes + notes,
        pixels=pixels,
        decoded=decoded,
        srgb=options.srgb,
        footprint=None if folder is None else read_footprint(folder),
        truth_unit=truth_unit(folder, seen),
        weights=read_weights(options.weights or (folder and find_file(folder, "weights")), inside, max_memory),
        camera_assumed=assumed,
        hints=hints,
        **read_known(options, folder, (height, width)),
    )


def _with_hints(options: ReadOptions, inside: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], NDArray[np.int8] | None]:
    """The mask without the pixels that the hints leave out, and what the hints say about jumps."""
    if options.hints is None:
        return inside, None
    painting = read_hints(Path(options.hints), (inside.shape[0], inside.shape[1]), options.max_memory)
    left = inside & ~painting.excluded
    if not left.any():
        raise BadInput(f"{options.hints} leaves out every pixel of the map")
    return left, painting.hints if painting.hints.any() else None


def _refuse_photographs(pixels: Pixels, decoded: Decoded, inside: NDArray[np.bool_], source: Path) -> None:
    """Refuse colours that are no normals, unless the sRGB curve explains them (the checks warn of that)."""
    unlike = np.count_nonzero(inside & (np.abs(decoded.lengths - 1) > LENGTH_TOLERANCE)) / np.count_nonzero(inside)
    background = float(np.mean(~decoded.mask))
    if unlike < MOST_VIOLATIONS and not (unlike > MOST_VIOLATIONS / 2 and background > 0.02):
        return
    if pixels.values.dtype.kind in "iu" and pixels.values.shape[2] == 3:
        lengths = np.sqrt(np.square(from_srgb(pixels.values)[inside]).sum(axis=-1))
        if float(np.median(np.abs(lengths - 1))) < 0.05:
            return
    raise BadInput(
        f"{source} looks like a colour photograph, not like a normal map: {unlike:.0%} of its colours are far from "
        "unit length when decoded as normals; give the normal map"
    )
