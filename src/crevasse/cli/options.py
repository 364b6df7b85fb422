"""Options that commands share, and those that the methods' settings make."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, TypeVar

import click

from crevasse.files.camera_files import CameraChoice
from crevasse.files.frames import Frame
from crevasse.memory import parse_size
from crevasse.methods import METHODS
from crevasse.methods.settings import setting_meanings

Function = TypeVar("Function", bound=Callable[..., Any])


class Numbers(click.ParamType[Any]):
    """One or more numbers with commas between."""

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
            self.fail(f"{value!r} is not {wanted} numbers with a comma between", parameter, context)
        return numbers


class Size(click.ParamType[Any]):
    """A number of bytes such as 4G."""

    name = "size"

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        try:
            return value if isinstance(value, int) else parse_size(str(value))
        except ValueError as error:
            self.fail(str(error), parameter, context)


class FrameName(click.ParamType[Any]):
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


class Grouped(click.Command):
    """A command whose help shows its options in groups."""

    def format_options(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        reading = {option.name for option in _made(input_options)}
        settings = set(all_settings())
        groups: dict[str, list[tuple[str, str]]] = {
            "Options": [],
            "How to read the map": [],
            "Settings of methods": [],
        }
        for parameter in self.get_params(context):
            record = parameter.get_help_record(context)
            if record is not None and isinstance(parameter, click.Option):
                title = "Options"
                title = "How to read the map" if parameter.name in reading else title
                title = "Settings of methods" if parameter.name in settings else title
                groups[title].append(record)
        for title, records in groups.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)


def _made(decorator: Callable[[Any], Any]) -> list[click.Parameter]:
    """The parameters that a decorator adds."""

    def bare() -> None: ...

    made: list[click.Parameter] = getattr(decorator(bare), "__click_params__", [])
    return made


FILE = click.Path(path_type=Path)

INPUT_OPTIONS = (
    click.option("--mask", type=FILE, help="Mask file, non-zero inside. Default: mask.png of the folder, or alpha."),
    click.option("--camera", type=FILE, help="K.txt (3 x 3), transforms.json or COLMAP's cameras.txt."),
    click.option("--focal", type=Numbers(1, 2), metavar="FX[,FY]", help="Focal length in pixels."),
    click.option("--center", type=Numbers(2, 2), metavar="CX,CY", help="Principal point; default: the middle."),
    click.option("--fov", type=float, metavar="DEGREES", help="Vertical field of view."),
    click.option("--focal-mm", type=float, metavar="MM", help="Focal length in mm; needs --sensor-width."),
    click.option("--sensor-width", type=float, metavar="MM", help="Width of the sensor in mm."),
    click.option("--pixel-size", type=float, metavar="MM", help="Parallel rays: mm per pixel on the surface."),
    click.option(
        "--frame",
        type=FrameName(),
        metavar="FRAME",
        help="opengl (y up, the default), directx (y down), opencv (y down, z away), auto, or right, up and viewer "
        "as signed axes such as -x,y,z. Without it the map is read as opengl and checked.",
    ),
    click.option("--slopes", is_flag=True, help="The file holds slopes (p, q): rise to the right and upwards."),
    click.option("--srgb", is_flag=True, help="The colours went through the sRGB curve: undo it."),
    click.option("--layer", help="EXR layer, or variable of an NPZ or MAT file, where there are several."),
    click.option("--max-memory", type=Size(), metavar="SIZE", help="Refuse maps that need more, e.g. 4G."),
    click.option(
        "--threads", type=click.IntRange(1), envvar="CREVASSE_THREADS", help="Threads; default: one a core."
    ),
)


def input_options(function: Function) -> Function:
    """The options that say how to read a map."""
    for option in reversed(INPUT_OPTIONS):
        function = option(function)
    return function


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
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    return choice


def method_options(function: Function) -> Function:
    """--method, and an option for each setting of each method."""
    for name, settings in reversed(all_settings().items()):
        owners = ", ".join(settings["owners"])
        text = settings["meaning"] or name.replace("_", " ")
        function = click.option(
            f"--{name.replace('_', '-')}",
            name,
            type=settings["type"],
            default=None,
            help=f"{text} [{owners}; default: {settings['default']}]",
        )(function)
    names = click.Choice(list(METHODS))
    return click.option("--method", type=names, default="graduated", show_default=True, help="How to integrate.")(
        function
    )


def all_settings() -> dict[str, dict[str, Any]]:
    """The settings of all methods by name: type, defaults, meaning, and the methods that have them."""
    found: dict[str, dict[str, Any]] = {}
    for method, cls in METHODS.items():
        meanings = setting_meanings(cls)
        for field in fields(cls):
            if not field.init or field.default is MISSING:
                continue
            entry = found.setdefault(field.name, {"owners": [], "default": [], "meaning": "", "type": str})
            entry["owners"].append(method)
            entry["type"] = type(field.default) if field.default is not None else float
            entry["default"] = [*entry["default"], f"{field.default}"]
            entry["meaning"] = entry["meaning"] or meanings.get(field.name, "")
    for entry in found.values():
        defaults = dict.fromkeys(entry["default"])
        entry["default"] = ", ".join(entry["default"] if len(defaults) > 1 else defaults)
    return found


def make_method(name: str, settings: dict[str, Any]) -> Any:
    """The method object with the settings that were given."""
    cls = METHODS[name]
    owned = {field.name for field in fields(cls)}
    given = {key: settings[key] for key in all_settings() if settings.get(key) is not None}
    strange = [f"--{key.replace('_', '-')}" for key in given if key not in owned]
    if strange:
        raise click.UsageError(f"{', '.join(strange)} is not a setting of the method {name}")
    try:
        return cls(**given)
    except (ValueError, TypeError) as error:
        raise click.UsageError(str(error)) from None
