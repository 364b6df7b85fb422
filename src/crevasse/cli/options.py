"""Options that commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from crevasse.cli.help import Grouped
from crevasse.cli.method_options import all_settings, make_method, method_options
from crevasse.cli.parameters import FrameName, Length, Numbers, Size
from crevasse.cli.scale import check_scale
from crevasse.cli.wording import command_text
from crevasse.files.camera_files import CameraChoice
from crevasse.files.decode import CENTRES

__all__ = [
    "FILE",
    "Grouped",
    "all_settings",
    "camera_choice",
    "input_options",
    "make_method",
    "method_options",
]

Function = TypeVar("Function", bound=Callable[..., Any])

FILE = click.Path(path_type=Path)

UNKNOWN = {"nothing": "nothing", "scale": "scale", "affine": "scale and shift", "disparity": "disparity"}
"""What may be unknown of a prior, by its name on the command line."""

READING_OPTIONS = (
    click.option("--mask", type=FILE, help="Mask, non-zero inside; default: mask.png, or alpha."),
    click.option("--weights", type=FILE, help="Confidence of the normals, 0 or more; default: weights.npy or .png."),
    click.option("--hints", type=FILE, help="Known jumps: strokes saved on the page (JSON), or an array."),
    click.option("--prior", type=FILE, help="Rough depth; default: depth_prior.npy, .npz, .tif, .exr or .png."),
    click.option(
        "--prior-sigma",
        type=click.FloatRange(0, min_open=True),
        metavar="S",
        help="Its standard deviation; default: estimated.",
    ),
    click.option(
        "--prior-unknown",
        type=click.Choice(list(UNKNOWN)),
        default="nothing",
        help="What is unknown of it: its scale, scale and shift (affine), those of 1 / depth.",
    ),
    click.option("--points", type=FILE, help="CSV of row, column, depth[, sigma]; default: points.csv."),
    click.option("--fixed", type=FILE, help="Depth that must come out, NaN where it is free."),
    click.option("--camera", type=FILE, help="K.txt, transforms.json or COLMAP's cameras.txt."),
    click.option("--focal", type=Numbers(1, 2), metavar="FX[,FY]", help="Focal length in pixels."),
    click.option("--center", type=Numbers(2, 2), metavar="CX,CY", help="Principal point; default: the middle."),
    click.option("--fov", type=float, metavar="DEGREES", help="Vertical field of view."),
    click.option("--focal-mm", type=float, metavar="MM", help="Focal length in mm; needs --sensor-width."),
    click.option("--sensor-width", type=float, metavar="MM", help="Width of the sensor in mm."),
    click.option("--pixel-size", type=Length(), metavar="LENGTH", help="Side of a pixel, for parallel rays: .02mm."),
    click.option(
        "--frame",
        type=FrameName(),
        metavar="FRAME",
        help="auto (default), opengl, directx, opencv or -x,y,z.",
    ),
    click.option("--slopes", is_flag=True, help="The file holds slopes (p, q): rise to the right and upwards."),
    click.option("--srgb", is_flag=True, help="The colours are sRGB-encoded: decode them."),
    click.option(
        "--centre",
        type=click.Choice(CENTRES),
        default="auto",
        help="The 8-bit value that means 0: 127.5 or 128; auto detects it.",
    ),
    click.option("--layer", help="EXR layer, or variable of an NPZ or MAT file, if it has several."),
    click.option("--max-memory", type=Size(), metavar="SIZE", help="Refuse maps that need more, e.g. 4G."),
    click.option(
        "--threads", type=click.IntRange(1), envvar="CREVASSE_THREADS", help="Threads; default: one per core."
    ),
)
SCALE_OPTIONS = (
    click.option("--distance", type=Length(), metavar="LENGTH", help="From camera to object's centre: 400mm."),
    click.option(
        "--ruler",
        type=Numbers(5, 5),
        metavar="R,C,R,C,MM",
        help="A known length: its two ends, and mm.",
    ),
)


def reading_options(function: Function) -> Function:
    """The options that say how to read a map."""
    for option in reversed(READING_OPTIONS):
        function = option(function)
    return function


def input_options(function: Function) -> Function:
    """The options that say how to read a map, and the scale of what it shows."""
    for option in reversed(SCALE_OPTIONS):
        function = option(function)
    return reading_options(function)


def camera_choice(settings: dict[str, Any]) -> CameraChoice:
    """The camera that the options describe."""
    choice = CameraChoice(
        file=settings["camera"],
        focal=settings["focal"],
        center=settings["center"],
        field_of_view=settings["fov"],
        focal_mm=settings["focal_mm"],
        sensor_width=settings["sensor_width"],
        pixel_size=settings["pixel_size"],
    )
    try:
        choice.check()
        if choice.file is None:
            choice.resolve(1, 1)
        check_scale(settings)
    except ValueError as error:
        raise click.UsageError(command_text(error)) from None
    return choice
