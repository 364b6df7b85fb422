"""Options that commands share."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from crevasse.cli.help import Grouped
from crevasse.cli.method_options import all_settings, make_method, method_options
from crevasse.cli.parameter_type import ParameterType
from crevasse.cli.scale import check_scale
from crevasse.cli.wording import command_text
from crevasse.files.camera_files import CameraChoice
from crevasse.files.decode import CENTRES
from crevasse.files.frames import Frame
from crevasse.memory import parse_size

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


class Numbers(ParameterType):
    """One or more numbers separated by commas."""

    name = "number,number"

    def __init__(self, least: int, most: int) -> None:
        self.least, self.most = least, most

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        if isinstance(value, tuple):
            return value
        try:
            numbers = tuple(float(word) for word in str(value).split(","))
        except ValueError:
            numbers = ()
        if not self.least <= len(numbers) <= self.most:
            wanted = str(self.least) if self.least == self.most else f"{self.least} or {self.most}"
            self.fail(f"{value!r} is not {wanted} numbers separated by commas", parameter, context)
        return numbers


class Size(ParameterType):
    """A number of bytes such as 4G."""

    name = "size"

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        try:
            return value if isinstance(value, int) else parse_size(str(value))
        except ValueError as error:
            self.fail(str(error), parameter, context)


class FrameName(ParameterType):
    """A frame's name, auto, or signed axes."""

    name = "frame"

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        if str(value).lower() == "auto":
            return "auto"
        try:
            return Frame.parse(str(value)).name
        except ValueError as error:
            self.fail(str(error), parameter, context)

    def shell_complete(self, context: click.Context, parameter: click.Parameter, incomplete: str) -> list[Any]:
        names = ("opengl", "directx", "opencv", "auto")
        return [click.shell_completion.CompletionItem(name) for name in names if name.startswith(incomplete)]


class Length(ParameterType):
    """A length in millimetres: .02, .02mm, 20um, 2cm."""

    name = "length"

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        if isinstance(value, float):
            return value
        match = re.fullmatch(r"\s*([-+.\deE]+?)\s*(um|µm|mm|cm|m|in)?\s*", str(value))
        try:
            number = float(match[1]) * MILLIMETRES[match[2] or "mm"] if match else 0.0
        except ValueError:
            number = 0.0
        if not (math.isfinite(number) and number > 0):
            self.fail(f"{value!r} is not a positive length; write for instance 0.02mm", parameter, context)
        return number


MILLIMETRES = {"um": 0.001, "µm": 0.001, "mm": 1.0, "cm": 10.0, "m": 1000.0, "in": 25.4}
"""Units of length; a number without one is millimetres."""


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
