"""Figures of matplotlib as files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from crevasse.files.errors import BadOutput
from crevasse.files.write import replacing

FORMATS = (".svg", ".pdf", ".png")


def write_figure(path: Path, figure: Any) -> None:
    """Write a figure by the path's suffix."""
    if path.suffix.lower() not in FORMATS:
        raise BadOutput(f"{path} has no suffix of a figure; give one of {', '.join(FORMATS)}")
    with replacing(path) as temporary:
        figure.savefig(temporary, format=path.suffix.lower()[1:], dpi=200)
