"""What a worker of a batch does with one map."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, NamedTuple

from crevasse.files.outputs import Wanted


class Task(NamedTuple):
    """A map of a batch: where it is, where its results go, and the command's options."""

    source: str
    folder: Path
    wanted: Wanted
    settings: dict[str, Any]


def integrate_task(task: Task) -> dict[str, Any]:
    """Integrate one map with one kernel thread; seconds, and the sentence on what went wrong, or None."""
    from crevasse.cli.integrate import read_checked
    from crevasse.cli.main import sentence_of
    from crevasse.cli.options import make_method
    from crevasse.cli.run import run_map

    began = time.perf_counter()
    error = None
    try:
        found, _ = read_checked(Path(task.source), task.settings)
        run_map(
            found,
            make_method(task.settings["method"], task.settings),
            task.folder,
            task.wanted,
            overwrite=task.settings["overwrite"],
            threads=task.settings["threads"] or 1,
            max_memory=task.settings["max_memory"],
            quiet=True,
        )
    except Exception as problem:  # One bad map does not stop the others.
        error = sentence_of(problem)
    return {"seconds": time.perf_counter() - began, "error": error}
