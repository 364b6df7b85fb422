"""The one way in: read a map, check it, settle its frame."""

from __future__ import annotations

from pathlib import Path

from crevasse.files.checks import add_warnings, camera_warnings, encoding_warnings, settle_frame
from crevasse.files.detect import Detection
from crevasse.files.map_folder import Viewpoint
from crevasse.files.normal_map import NormalMap, ReadOptions, read_map
from crevasse.files.pixels import require_folder


def open_map(path: str | Path, options: ReadOptions) -> tuple[NormalMap, Detection]:
    """Read a map and settle its frame; returns it with all warnings, and the evidence for its frame."""
    found = read_map(path, options)
    found = add_warnings(found, [*encoding_warnings(found), *camera_warnings(found)])
    return settle_frame(found, options.frame)


def read_normals(
    path: str | Path,
    *,
    mask: str | Path | None = None,
    camera: Viewpoint = None,
    frame: str = "auto",
    slopes: bool = False,
    srgb: bool = False,
    centre: str = "auto",
    layer: str | None = None,
    max_memory: int | None = None,
) -> NormalMap:
    """Read a normal map from an image (PNG, TIFF, EXR, JPEG, WebP, TGA, BMP), an array file, or a folder.

    Parameters
    ----------
    path : the file, or a folder as `read_folder` takes
    mask : a file, non-zero inside; None is the alpha channel, or the pixels that hold a normal
    camera : None is orthographic
    frame : "opengl", "directx", "opencv", three signed axes such as "-x,y,z", or "auto": what the data show where
        they are sure, else "opengl"; `NormalMap.frame` and its warnings say which
    slopes : whether the file holds (p, q), the rise towards the viewer per pixel to the right and upwards
    srgb : whether the colours went through the sRGB curve, which is undone then
    centre : the 8-bit value that means 0: "127.5", "128", or "auto" for what the data show
    layer : the EXR layer or the variable of an array file to take, where there are several
    max_memory : bytes that may be used; None is what is free
    """
    options = ReadOptions(mask, camera, frame, slopes, srgb, centre, layer, max_memory)
    return open_map(path, options)[0]


def read_folder(
    path: str | Path,
    *,
    mask: str | Path | None = None,
    camera: Viewpoint = None,
    frame: str = "auto",
    slopes: bool = False,
    srgb: bool = False,
    centre: str = "auto",
    layer: str | None = None,
    max_memory: int | None = None,
) -> NormalMap:
    """Read a folder: normal_map.(png|tif|exr|npy|mat|...), and, where present, what belongs to it.

    That is mask.*, K.txt, depth_gt.npz, weights.*, depth_prior.* and points.csv.

    The parameters are those of `read_normals`; what is given replaces what the folder holds.
    """
    require_folder(Path(path))
    options = ReadOptions(mask, camera, frame, slopes, srgb, centre, layer, max_memory)
    return open_map(path, options)[0]
