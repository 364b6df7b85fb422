"""Check and describe the settings of methods, and accept their old names."""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Callable
from dataclasses import fields
from functools import wraps
from typing import Any, TypeVar

import numpy as np

Cls = TypeVar("Cls", bound=type[Any])
PASSED = ("crevasse", "dataclasses")
"""Packages skipped when a warning is attributed to the user's code."""


def check_settings(method: Any, **bounds: tuple[float, float]) -> None:
    """Refuse settings outside their bounds, by name."""
    for setting in fields(method):
        value = getattr(method, setting.name)
        if setting.type == "bool" and not isinstance(value, bool | np.bool_):
            raise ValueError(f"{setting.name} is {value!r}; it must be True or False")
        if setting.name not in bounds:
            continue
        low, high = bounds[setting.name]
        number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
        # Python's whole numbers have no limit, but the methods compute with floats.
        beyond = isinstance(value, int) and abs(value) > sys.float_info.max
        if not number or beyond or not low <= value <= high:
            raise ValueError(f"{setting.name} is {value!r}; it must be a number from {low:g} to {high:g}")
        if setting.type == "int" and value != int(value):
            raise ValueError(f"{setting.name} is {value!r}; it must be a whole number")


def renamed_settings(**names: str) -> Callable[[Cls], Cls]:
    """Class decorator: accept the old name of each setting (old=new) with a DeprecationWarning."""

    def decorate(cls: Cls) -> Cls:
        init = cls.__init__

        @wraps(init)
        def accept(self: Any, *args: Any, **given: Any) -> None:
            # `dataclasses.replace` passes every field along with the changes, so there an old name is the change.
            replacing = {setting.name for setting in fields(cls) if setting.init} <= given.keys()
            for old in names.keys() & given.keys():
                if names[old] in given and not replacing:
                    raise TypeError(f"{old} is the old name of {names[old]}; give one of them")
                _warn(cls, old, names[old])
                given[names[old]] = given.pop(old)
            init(self, *args, **given)

        cls.__init__ = accept
        cls.renamed = names
        for old, new in names.items():
            setattr(cls, old, property(_reader(cls, old, new)))
        return cls

    return decorate


def _reader(cls: type[Any], old: str, new: str) -> Callable[[Any], Any]:
    def read(self: Any) -> Any:
        _warn(cls, old, new)
        return getattr(self, new)

    return read


def _warn(cls: type[Any], old: str, new: str) -> None:
    """Warn at the line that uses an old name: Python shows it only where that belongs to the user's own script."""
    message = f"{cls.__name__}.{old} is now called {new}"
    warnings.warn(message, DeprecationWarning, stacklevel=_frames_to_the_user() + 1)


def _frames_to_the_user() -> int:
    """Frames from the caller of this function to the first one outside this package and `dataclasses`."""
    frame, count = sys._getframe(1), 0
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] in PASSED:
        frame, count = frame.f_back, count + 1
    return count


def setting_meanings(method: type[Any]) -> dict[str, str]:
    """What the Attributes section of a method's docstring says, and those of the classes it inherits from."""
    meanings: dict[str, str] = {}
    for cls in reversed(method.__mro__):
        meanings |= _meanings_in(cls.__doc__ or "")
    return meanings


def _meanings_in(docstring: str) -> dict[str, str]:
    """The lines `name : meaning` of a docstring's Attributes section, continued lines joined."""
    meanings: dict[str, str] = {}
    names: list[str] = []
    for line in docstring.partition("Attributes")[2].splitlines():
        match = re.match(r"\s{4}(\w[\w, ]*?) : (.*)", line)
        if match:
            names = [name.strip() for name in match[1].split(",")]
            meanings |= {name: match[2].strip() for name in names}
        elif names and line.startswith(" " * 8):
            meanings |= {name: f"{meanings[name]} {line.strip()}" for name in names}
        elif not line.strip():
            names = []
    return meanings
