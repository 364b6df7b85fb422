"""Options that choose several methods and their settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import click

from crevasse.cli.method_options import all_settings, old_names
from crevasse.cli.parameter_type import ParameterType
from crevasse.methods.registry import METHODS, find, make

ALL = "all"
Function = TypeVar("Function", bound=Callable[..., Any])


class MethodNames(ParameterType):
    """Names of methods separated by commas, or all."""

    name = "methods"

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        if isinstance(value, list):
            return value
        names = [name.strip() for name in str(value).split(",") if name.strip()]
        try:
            chosen = [found for name in names for found in (METHODS if name == ALL else [find(name).name])]
        except ValueError as error:
            self.fail(_without_objects(error), parameter, context)
        if not chosen:
            self.fail(f"no method is named; give {ALL}, or some of {', '.join(METHODS)}", parameter, context)
        return list(dict.fromkeys(chosen))

    def shell_complete(self, context: click.Context, parameter: click.Parameter, incomplete: str) -> list[Any]:
        before, comma, last = incomplete.rpartition(",")
        names = [name for name in (ALL, *METHODS) if name.startswith(last)]
        return [click.shell_completion.CompletionItem(before + comma + name) for name in names]


class SetValue(NamedTuple):
    """A setting of one method."""

    method: str
    setting: str
    value: Any


class SetValues(ParameterType):
    """A setting of one method, such as bilateral.k=4."""

    name = "method.setting=value"

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        if isinstance(value, SetValue):
            return value
        target, equals, text = str(value).partition("=")
        method, dot, setting = target.strip().partition(".")
        if not (equals and dot):
            self.fail(f"{value!r} is not a setting such as bilateral.k=4", parameter, context)
        setting = setting.replace("-", "_")
        setting = old_names().get(setting, setting)
        try:
            find(method)
            known = all_settings().get(setting)
            kind: click.ParamType[Any] = click.types.convert_type(known.kind if known else str)
            made = SetValue(method, setting, kind.convert(text, parameter, context))
            make(method, {setting: made.value})
        except (ValueError, TypeError) as error:
            self.fail(_without_objects(error), parameter, context)
        return made


def _without_objects(error: Exception) -> str:
    """The sentence without the clause on objects, which the command line does not have."""
    return str(error).removesuffix(", or an object")


def compared_methods(default: str) -> Callable[[Function], Function]:
    """Options --methods, with this default, and --set."""

    def decorate(function: Function) -> Function:
        text = f"Names separated by commas, or {ALL} (integrate --help-method {ALL} lists them)."
        function = click.option(
            "--set",
            "values",
            type=SetValues(),
            multiple=True,
            metavar="NAME.SETTING=VALUE",
            help="A setting of a method: bilateral.k=4.",
        )(function)
        return click.option("--methods", type=MethodNames(), default=default, show_default=True, help=text)(function)

    return decorate


def make_methods(names: list[str], values: tuple[SetValue, ...]) -> dict[str, Any]:
    """The methods with their settings, by name."""
    given: dict[str, dict[str, Any]] = {}
    for each in values:
        given.setdefault(each.method, {})[each.setting] = each.value
    strange = [name for name in given if name not in names]
    if strange:
        raise click.UsageError(f"--set names {strange[0]}, which is not among the methods {', '.join(names)}")
    try:
        return {name: make(name, given.get(name)) for name in names}
    except (ValueError, TypeError) as error:
        raise click.UsageError(str(error)) from None
