"""Plan a comparison: the files that it reads and the folder that it writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from crevasse.cli.batch_plan import base_name
from crevasse.cli.integrate import default_folder, known_options
from crevasse.comparison.maps import free_title
from crevasse.files import BadInput
from crevasse.files.map_folder import input_files


def titled_paths(sources: list[str]) -> dict[str, Path]:
    """The inputs by unique printable names."""
    found: dict[str, Path] = {}
    for source in sources:
        found[free_title(base_name(source, "{stem}"), found)] = Path(source)
    return found


def result_folder(maps: dict[str, Path]) -> Path:
    """The default folder for the results: here, named after the input, and never inside an input's folder."""
    name = next(iter(maps)) if len(maps) == 1 else next(iter(maps.values())).resolve().parent.name
    folders = [default_folder(path, f"{name}-comparison") for path in maps.values()]
    return folders[0]


def files_of(maps: dict[str, Path], settings: dict[str, Any]) -> list[Path]:
    """The files that are read, which no output may replace."""
    found: list[Path] = []
    for path in maps.values():
        try:
            given = settings["mask"], settings["camera"], None, settings["weights"], settings["hints"]
            found += input_files(path, *given, known_options(settings)).values()
        except BadInput:
            continue
    return found
