"""Integrate one map in a worker process of a batch."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, NamedTuple

from crevasse.files.identity import Identity
from crevasse.files.outputs import Wanted


class Task(NamedTuple):
    """A map of a batch: where it is, where its results go, the command's options, and inputs that must stay."""

    source: str
    folder: Path
    wanted: Wanted
    settings: dict[str, Any]
    kept: tuple[Path, ...] = ()


PATIENCE = 20.0
"""Seconds to wait for a result's folder: the workers of a killed batch may take a moment to end."""


def integrate_task(task: Task) -> dict[str, Any]:
    """Integrate one map with one kernel thread; seconds, the report, and what went wrong, or None.

    The identity of its inputs is None where they cannot be read.
    """
    from crevasse.cli.integrate import identity_of, inputs_of, read_checked
    from crevasse.cli.main import sentence_of
    from crevasse.cli.options import make_method
    from crevasse.cli.place import Place
    from crevasse.cli.run import run_map
    from crevasse.progress import silent

    began = time.perf_counter()
    source, settings = Path(task.source), task.settings
    error: str | None = None
    report: dict[str, Any] = {}
    identity: Identity | None = None
    try:
        identity, inputs = identity_of(source, settings), inputs_of(source, settings)
        found, _ = read_checked(source, settings)
        method = make_method(settings["method"], settings)
        place = Place(
            task.folder,
            task.wanted,
            (*inputs.values(), *task.kept),
            identity,
            settings["overwrite"],
            patience=PATIENCE,
        )
        threads, most = settings["threads"] or 1, settings["max_memory"]
        _, report = run_map(found, method, place, silent, threads=threads, max_memory=most)
    except Exception as problem:  # One bad map does not stop the others.
        error = sentence_of(problem)
    return {"seconds": time.perf_counter() - began, "error": error, "report": report, "identity": identity}
