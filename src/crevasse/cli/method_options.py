"""Make options from the settings of the methods."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, TypeVar

import click

from crevasse.cli.console import warn
from crevasse.methods.registry import DEFAULT, LITERATURE, METHODS, describe, make

HIDDEN: dict[str, Any] = {"hidden": True, "expose_value": False, "is_eager": True}
"""Options under old names: they are not in the help, and are read before the options with the new names."""

Function = TypeVar("Function", bound=Callable[..., Any])


class Shared(NamedTuple):
    """A setting of one or more methods: its type, its meaning, and its default in each."""

    kind: type[Any]
    about: str
    defaults: dict[str, Any]
    """By the name of the method."""

    @property
    def note(self) -> str:
        """The methods that have it, and their defaults: one where they agree."""
        values = [str(value) for value in self.defaults.values()]
        shown = values if len(set(values)) > 1 else values[:1]
        return f"{', '.join(self.defaults)}; default: {', '.join(shown)}"


def method_options(function: Function) -> Function:
    """--method, and an option for each setting of each method."""
    for name, setting in reversed(all_settings().items()):
        text = f"{setting.about} [{setting.note}]"
        option = click.option(_spelled(name), name, type=setting.kind, callback=_take_new, help=text)
        function = option(function)
    for old, new in old_names().items():
        kind = all_settings()[new].kind
        option = click.option(_spelled(old), old, type=kind, callback=_take_old, **HIDDEN)
        function = option(function)
    published = {cls.name for cls in LITERATURE}
    known = ", ".join(f"{name} (default)" if name == DEFAULT else name for name in METHODS if name not in published)
    about = f"{known}, or one of {len(published)} others (--help-method all)."
    return click.option("--method", type=click.Choice(list(METHODS)), default=DEFAULT, metavar="NAME", help=about)(
        function
    )


def _spelled(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _take_old(context: click.Context, parameter: click.Parameter, value: Any) -> None:
    """Keep a value given under a setting's old name for the option with the new name."""
    if value is not None and parameter.name:
        new = old_names()[parameter.name]
        warn([f"{_spelled(parameter.name)} is now called {_spelled(new)}"])
        context.meta[f"{__name__}.{new}"] = parameter.name, value


def _take_new(context: click.Context, parameter: click.Parameter, value: Any) -> Any:
    """The value of a setting, given under its new or its old name."""
    old, other = context.meta.get(f"{__name__}.{parameter.name}", (None, None))
    if old is not None and value is not None:
        raise click.UsageError(f"{_spelled(old)} is the old name of {parameter.opts[0]}; give one of them")
    return other if value is None else value


@cache
def old_names() -> dict[str, str]:
    """New names of the settings that used to have others, by the old one."""
    return {old: new for cls in METHODS.values() for old, new in getattr(cls, "renamed", {}).items()}


FILES = ("weights", "hints", "prior", "points", "fixed")
"""Options that name a file which only some methods use."""


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
    for option in FILES:
        if settings.get(option) is not None and option not in METHODS[name].accepts:
            able = ", ".join(other for other, cls in METHODS.items() if option in cls.accepts)
            raise click.UsageError(f"--{option} has no effect on the method {name}; methods that use it: {able}")
    try:
        return make(name, given)
    except (ValueError, TypeError) as error:
        raise click.UsageError(str(error)) from None
