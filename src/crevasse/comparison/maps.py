"""Collect maps of any kind and give each a name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from crevasse.files import NormalMap, read_normals
from crevasse.files.map_folder import is_map_folder
from crevasse.files.names import plain_text
from crevasse.files.scene_maps import array_map, scene_map
from crevasse.scenes import Scene


def titled_maps(maps: Any) -> Iterator[tuple[str, NormalMap]]:
    """The maps with a name for each; those of files are read one by one."""
    taken: list[str] = []
    named = maps.items() if isinstance(maps, Mapping) else [(None, maps)]
    for title, source in named:
        for found in _each_map(source):
            taken.append(free_title(found.name if title is None else str(title), taken))
            yield taken[-1], found


def free_title(name: str, taken: Iterable[str]) -> str:
    """A printable name, with a number if it is taken."""
    used = {title.casefold() for title in taken}
    base = title = plain_text(name)
    number = 2
    while title.casefold() in used:
        title, number = f"{base}-{number}", number + 1
    return title


def _each_map(source: Any) -> Iterator[NormalMap]:
    if isinstance(source, NormalMap):
        yield source
    elif isinstance(source, Scene):
        yield scene_map(source)
    elif isinstance(source, str | Path):
        for path in map_paths(Path(source)):
            yield read_normals(path)
    elif isinstance(source, np.ndarray):
        yield array_map(source)
    elif isinstance(source, Iterable):
        for each in source:
            yield from _each_map(each)
    else:
        raise ValueError(f"maps is {source!r:.80}; give paths, normal maps, scenes or arrays of normals")


def map_paths(path: Path) -> list[Path]:
    """The folders with maps in a folder that holds none itself; or the path."""
    if not path.is_dir() or is_map_folder(path):
        return [path]
    return sorted(inside for inside in path.iterdir() if is_map_folder(inside)) or [path]
