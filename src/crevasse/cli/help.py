"""Help that fits one screen: everyday options in groups, the others on request."""

from __future__ import annotations

import textwrap
from typing import Any, ClassVar

import click

from crevasse.cli.method_options import all_settings
from crevasse.methods.registry import METHODS, describe

EVERYDAY = {
    "Input": ("mask", "frame", "camera", "focal", "fov"),
    "Scale": ("pixel_size", "distance", "ruler"),
    "Output": (
        "output",
        "mesh_kind",
        "mesh_format",
        "axes",
        "decimate",
        "solid",
        "texture",
        "height_format",
        "html",
        "report",
    ),
    "Compare": ("methods", "values", "reference", "views", "forms"),
    "Run": ("method", "overwrite", "as_json"),
}
"""Options that --help shows, by group."""
BATCH = {
    "Input": ("frame", "camera", "fov", "pixel_size"),
    "Output": ("output", "name", "mesh_format", "decimate", "height_format", "index"),
    "Batch": ("list_file", "jobs", "resume", "retry_failed", "shard"),
    "Run": ("method", "overwrite", "as_json"),
}
"""The same for a batch."""


EVERY = "all"
"""Argument of --help-method that lists the methods."""

WIDEST = 24
"""Characters of the column of options."""


class Grouped(click.Command):
    """A command whose help shows its everyday options in groups."""

    everyday: ClassVar[dict[str, tuple[str, ...]]] = EVERYDAY

    def get_params(self, context: click.Context) -> list[click.Parameter]:
        return [*super().get_params(context), *self._further(context)]

    def _further(self, context: click.Context) -> list[click.Parameter]:
        """--help-all, and --help-method where there are methods."""
        more: list[click.Parameter] = [
            click.Option(
                ["--help-all"],
                is_flag=True,
                expose_value=False,
                is_eager=True,
                callback=_show_all,
                help="All options.",
            )
        ]
        if any(parameter.name == "method" for parameter in self.params):
            more.append(
                click.Option(
                    ["--help-method"],
                    type=click.Choice([*METHODS, EVERY]),
                    metavar="NAME",
                    expose_value=False,
                    is_eager=True,
                    callback=_show_method,
                    help="Settings of a method; all lists them.",
                )
            )
        return more

    def format_options(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        records = {
            parameter.name: record
            for parameter in self.get_params(context)
            if isinstance(parameter, click.Option) and (record := parameter.get_help_record(context)) is not None
        }
        everything = bool(context.meta.get(__name__))
        settings = set(all_settings())
        groups = {
            title: [records[name] for name in names if name in records] for title, names in self.everyday.items()
        }
        shown = {name for names in self.everyday.values() for name in names}
        if everything:
            groups["More"] = [r for name, r in records.items() if name not in shown and name not in settings]
        else:
            groups["Help"] = [records[name] for name in ("help_all", "help_method") if name in records]
        width = max(len(first) for lines in groups.values() for first, _ in lines)
        formatter.write("\n")
        for title, lines in groups.items():
            if lines:
                formatter.write(f"{title}:\n")
                for first, second in lines:
                    _write_line(formatter, first, second, min(width, WIDEST))


class BatchGrouped(Grouped):
    """The same for the options of a batch."""

    everyday = BATCH


def _write_line(formatter: click.HelpFormatter, option: str, text: str, width: int) -> None:
    """An option and its meaning, in columns that all groups share."""
    indent = " " * (width + 4)
    first = f"  {option.ljust(width)}  " if len(option) <= width else f"  {option}\n{indent}"
    rows = textwrap.wrap(text, max(formatter.width - len(indent), 30)) or [""]
    formatter.write(first + f"\n{indent}".join(rows) + "\n")


def _show_all(context: click.Context, parameter: click.Parameter, value: bool) -> None:
    if value and not context.resilient_parsing:
        context.meta[__name__] = True
        click.echo(context.get_help())
        context.exit()


def _show_method(context: click.Context, parameter: click.Parameter, value: Any) -> None:
    if value and not context.resilient_parsing:
        click.echo(list_methods() if value == EVERY else method_help(value))
        context.exit()


def list_methods() -> str:
    """Every method with its sentence."""
    formatter = click.HelpFormatter(width=100)
    with formatter.section("Methods"):
        formatter.write_dl([(cls.name, f"{cls.title}. {cls.about}") for cls in METHODS.values()])
    return formatter.getvalue().rstrip()


def method_help(name: str) -> str:
    """The settings of a method: options, defaults, meanings."""
    method = METHODS[name]
    formatter = click.HelpFormatter(width=100)
    formatter.write_text((method.__doc__ or "").strip().splitlines()[0])
    groups: dict[str, list[tuple[str, str]]] = {f"Settings of {name}": [], "Advanced settings": []}
    for setting in describe(method).settings:
        option = f"--{setting.name.replace('_', '-')} {type(setting.default).__name__.upper()}"
        title = "Advanced settings" if setting.advanced else f"Settings of {name}"
        groups[title].append((option, f"{setting.about} [default: {setting.default}]"))
    for title, rows in groups.items():
        if rows:
            with formatter.section(title):
                formatter.write_dl(rows)
    return formatter.getvalue().rstrip()
