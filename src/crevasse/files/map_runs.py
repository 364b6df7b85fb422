"""Run a method on a map that was read, with the mask, the camera and all else that belongs to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from crevasse.files.normal_map import NormalMap
from crevasse.integration import iterate
from crevasse.state import State

BESIDE = ("weights", "hints", "prior", "points", "fixed")


def run_states(
    found: NormalMap, method: Any, threads: int | None = None, max_memory: int | None = None
) -> Iterator[State]:
    """The run of a method on a map, step by step; what lies beside the map goes to the methods that use it."""
    given = {name: value for name, value in beside(found).items() if uses(method, name)}
    return iterate(found.normals, found.mask, found.camera, method, **given, threads=threads, max_memory=max_memory)


def beside(found: NormalMap) -> dict[str, Any]:
    """What was read with a map and not every method can use, by argument."""
    known = {name: getattr(found, name) for name in BESIDE}
    return {name: value for name, value in known.items() if value is not None}


def uses(method: Any, argument: str) -> bool:
    """Whether a method uses an argument."""
    return argument in getattr(method, "accepts", ())
