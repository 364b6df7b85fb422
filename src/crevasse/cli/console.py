"""Print messages and progress to stderr, and data to stdout."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from crevasse.files.names import plain_text


def say(text: str) -> None:
    """Print a message on stderr."""
    click.echo(_shown(text), err=True)


def warn(sentences: Iterable[str]) -> None:
    """Print warnings on stderr, one per line."""
    for sentence in sentences:
        click.secho(_shown(f"Warning: {sentence}"), fg="yellow", err=True, color=colours(sys.stderr))


def show(text: str = "") -> None:
    """Print a line of the answer on stdout."""
    click.echo(_shown(text))


def _shown(text: str) -> str:
    """Text without control characters, which file names and their contents can contain."""
    return "\n".join(plain_text(line) for line in text.split("\n"))


def show_json(data: Any) -> None:
    """Print the answer as a single JSON document."""
    click.echo(json.dumps(plain_data(data), indent=1, allow_nan=False))


def colours(stream: Any) -> bool:
    """Whether to write colours to a stream: on a terminal, unless NO_COLOR is set."""
    import os

    return bool(stream.isatty()) and not os.environ.get("NO_COLOR")


def plain_data(data: Any) -> Any:
    """Replace NaN, which JSON does not have, by null."""
    if isinstance(data, dict):
        return {str(key): plain_data(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [plain_data(value) for value in data]
    if isinstance(data, float):
        return data if math.isfinite(data) else None
    return data


@contextmanager
def ask_progress(total: int, title: str, quiet: bool) -> Iterator[Callable[[str], None]]:
    """Yield a function to call with a line per finished item: it shows a bar on a terminal, else the lines."""
    if quiet or not sys.stderr.isatty():
        yield (lambda line: None) if quiet else say
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(title, total=total)

        def advance(line: str) -> None:
            progress.console.print(_shown(line), markup=False, highlight=False)
            progress.advance(task)

        yield advance
