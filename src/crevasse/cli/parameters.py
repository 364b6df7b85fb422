"""Types of option values: numbers, sizes, frames, lengths."""

from __future__ import annotations

import math
import re
from typing import Any

import click

from crevasse.cli.parameter_type import ParameterType
from crevasse.files.frames import Frame
from crevasse.memory import parse_size

MILLIMETRES = {"um": 0.001, "µm": 0.001, "mm": 1.0, "cm": 10.0, "m": 1000.0, "in": 25.4}
"""Units of length; a number without one is millimetres."""


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
