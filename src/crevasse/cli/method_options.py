"""Options that the methods' settings make."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, fields
from typing import Any, TypeVar

import click

from crevasse.methods import METHODS
from crevasse.methods.settings import setting_meanings

Function = TypeVar("Function", bound=Callable[..., Any])


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
    known = ", ".join(f"{name} (default)" if name == "graduated" else name for name in METHODS)
    return click.option("--method", type=names, default="graduated", metavar="NAME", help=f"{known}.")(function)


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
