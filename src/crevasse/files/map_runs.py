"""Run a method on a map that was read, with the mask, camera, weights and hints that belong to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from crevasse.files.normal_map import NormalMap
from crevasse.integration import iterate
from crevasse.result import State


def run_states(
    found: NormalMap, method: Any, threads: int | None = None, max_memory: int | None = None
) -> Iterator[State]:
    """The run of a method on a map, step by step; weights and hints go to the methods that use them."""
    weights = found.weights if uses_weights(method) else None
    hints = found.hints if uses_hints(method) else None
    return iterate(
        found.normals,
        found.mask,
        found.camera,
        method,
        hints=hints,
        weights=weights,
        threads=threads,
        max_memory=max_memory,
    )


def uses_weights(method: Any) -> bool:
    """Whether a method uses the confidence of the normals."""
    return "weights" in getattr(method, "accepts", ())


def uses_hints(method: Any) -> bool:
    """Whether a method uses what the user knows about jumps."""
    return "hints" in getattr(method, "accepts", ())
