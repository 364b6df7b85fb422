"""Options that the methods' settings make."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, TypeVar

import click

from crevasse.methods.registry import DEFAULT, METHODS, describe, make

Function = TypeVar("Function", bound=Callable[..., Any])


class Shared(NamedTuple):
    """A setting that one or more methods have: its type, its meaning, and their defaults."""

    kind: type[Any]
    about: str
    defaults: dict[str, Any]
    """By the name of the method."""

    @property
    def note(self) -> str:
        """The methods that have it, and their defaults: one where they agree."""
        values = [str(value) for value in self.defaults.values()]
        told = values if len(set(values)) > 1 else values[:1]
        return f"{', '.join(self.defaults)}; default: {', '.join(told)}"


def method_options(function: Function) -> Function:
    """--method, and an option for each setting of each method."""
    for name, setting in reversed(all_settings().items()):
        text = f"{setting.about} [{setting.note}]"
        option = click.option(f"--{name.replace('_', '-')}", name, type=setting.kind, default=None, help=text)
        function = option(function)
    known = ", ".join(f"{name} (default)" if name == DEFAULT else name for name in METHODS)
    names = click.Choice(list(METHODS))
    return click.option("--method", type=names, default=DEFAULT, metavar="NAME", help=f"{known}.")(function)


@cache
def all_settings() -> dict[str, Shared]:
    """The settings of all methods by name."""
    found: dict[str, Shared] = {}
    for method, cls in METHODS.items():
        for setting in describe(cls).settings:
            entry = found.setdefault(setting.name, Shared(type(setting.default), setting.about, {}))
            entry.defaults[method] = setting.default
    return found


def make_method(name: str, settings: dict[str, Any]) -> Any:
    """The method object with the settings that were given."""
    owned = {setting.name for setting in describe(METHODS[name]).settings}
    given = {key: settings[key] for key in all_settings() if settings.get(key) is not None}
    strange = [f"--{key.replace('_', '-')}" for key in given if key not in owned]
    if strange:
        raise click.UsageError(f"{', '.join(strange)} is not a setting of the method {name}")
    if settings.get("weights") is not None and "weights" not in METHODS[name].accepts:
        able = ", ".join(other for other, cls in METHODS.items() if "weights" in cls.accepts)
        raise click.UsageError(f"--weights is of no use to the method {name}; those that use them: {able}")
    try:
        return make(name, given)
    except (ValueError, TypeError) as error:
        raise click.UsageError(str(error)) from None
