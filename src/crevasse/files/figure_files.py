"""Figures of matplotlib as files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from crevasse.files.errors import AlreadyThere, BadOutput
from crevasse.files.write import replacing

FORMATS = (".svg", ".pdf", ".png")


def require_figure(path: Path, inputs: Iterable[Path] = ()) -> None:
    """Refuse a path whose suffix is not a figure's, or that is an input of the run."""
    if path.suffix.lower() not in FORMATS:
        raise BadOutput(f"{path} has no suffix of a figure; give one of {', '.join(FORMATS)}")
    if path.exists() and any(source.exists() and path.samefile(source) for source in inputs):
        raise AlreadyThere(f"{path} is an input of this run and would be replaced; choose another file")


def write_figure(path: Path, figure: Any) -> None:
    """Write a figure by the path's suffix."""
    require_figure(path)
    with replacing(path) as temporary:
        figure.savefig(temporary, format=path.suffix.lower()[1:], dpi=200)
