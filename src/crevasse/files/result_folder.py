"""Write a result folder atomically, by one process at a time."""

from __future__ import annotations

import json
import os
import secrets
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from crevasse.files.camera_files import read_text
from crevasse.files.errors import AlreadyThere, BadOutput
from crevasse.files.locks import locked
from crevasse.files.pixels import describe
from crevasse.files.write import make_folder
from crevasse.notices import Notice, Setting

REPORT = "result.json"
"""Written last: if it exists, the other files are complete and belong to it."""
LOCK = ".crevasse.lock"
COMPLETE = ".complete"
"""Holds a complete result that is being moved into place. If its process is killed, the next one finishes it."""


@contextmanager
def claimed(
    folder: Path, names: Iterable[str], overwrite: bool, inputs: Iterable[Path] = (), patience: float = 0.0
) -> Iterator[None]:
    """Lock a folder for writing a result; refuse, before any work, names that could not be written.

    Parameters
    ----------
    names : files of the result
    overwrite : whether an earlier result may be replaced
    inputs : files that are read, which no output may replace
    patience : seconds to wait for another process that holds the folder
    """
    make_folder(folder)
    refusal = f"{folder} is being written by another process; wait for it, or choose another place"
    with locked(folder / LOCK, refusal, patience=patience):
        finish(folder)
        present = _present(folder, names, inputs)
        if present and not overwrite:
            raise AlreadyThere(_in_the_way(f"{folder} already holds {', '.join(present)}"))
        yield


@contextmanager
def claimed_file(
    path: Path, names: Iterable[str], overwrite: bool, inputs: Iterable[Path] = (), patience: float = 0.0
) -> Iterator[None]:
    """Lock a single file for writing; the parameters are those of `claimed`.

    Its folder may hold other things, and other processes may write other files there.
    """
    make_folder(path.parent)
    refusal = f"{path} is being written by another process; wait for it, or choose another place"
    with locked(path.with_name(f".{path.name}{LOCK}"), refusal, patience=patience):
        present = _present(path.parent, names, inputs)
        if present and not overwrite:
            listed = ", ".join(str(path.with_name(name)) for name in present)
            verb = "exist" if len(present) > 1 else "exists"
            raise AlreadyThere(_in_the_way(f"{listed} already {verb}"))
        yield


def _in_the_way(found: str) -> Notice:
    return Notice(found, Setting("overwrite", True), cure="choose another place")


def _present(folder: Path, names: Iterable[str], inputs: Iterable[Path]) -> list[str]:
    """The names that exist already; refuses a name of an input."""
    present = [name for name in names if (folder / name).exists()]
    _refuse_inputs(folder, present, inputs)
    return present


def _refuse_inputs(folder: Path, present: list[str], inputs: Iterable[Path]) -> None:
    for source in inputs:
        for name in present:
            if source.exists() and (folder / name).samefile(source):
                raise AlreadyThere(
                    f"{folder / name} is an input of this run and would be replaced; choose another place"
                )


@contextmanager
def staged(folder: Path) -> Iterator[Path]:
    """A temporary folder for a result's files, which replace the earlier result if the block succeeds.

    The earlier result stays as it is until then.
    """
    staging = folder / f".{os.getpid()}-{secrets.token_hex(4)}.part"
    try:
        staging.mkdir()
        yield staging
        os.replace(staging, folder / COMPLETE)
    except BadOutput as error:
        shutil.rmtree(staging, ignore_errors=True)
        raise type(error)(str(error).replace(str(staging), str(folder))) from None
    except OSError as error:
        shutil.rmtree(staging, ignore_errors=True)
        raise BadOutput(f"{folder} cannot be written: {describe(error)}") from None
    except BaseException:
        shutil.rmtree(staging, ignore_errors=True)
        raise
    finish(folder)


def finish(folder: Path) -> None:
    """Move a complete result into place that a killed process left on its way."""
    complete = folder / COMPLETE
    try:
        if not complete.is_dir():
            return
        names = sorted(os.listdir(complete), key=lambda name: name == REPORT)
        if REPORT in names:
            for name in _old_outputs(folder) - set(names):
                (folder / name).unlink(missing_ok=True)
            (folder / REPORT).unlink(missing_ok=True)
        for name in names:
            os.replace(complete / name, folder / name)
        complete.rmdir()
    except OSError as error:
        raise BadOutput(f"{folder} cannot be written: {describe(error)}") from None


def read_report(folder: Path) -> dict[str, Any] | None:
    """The report of the complete result in a folder, or None where there is none that can be read."""
    try:
        report = json.loads(read_text(folder / REPORT))
    except (OSError, ValueError, RecursionError):
        return None
    return report if isinstance(report, dict) else None


def _old_outputs(folder: Path) -> set[str]:
    """Names of the files that belong to the result in a folder."""
    outputs = (read_report(folder) or {}).get("outputs")
    names = outputs.values() if isinstance(outputs, dict) else ()
    plain = {name for name in names if isinstance(name, str) and Path(name).name == name != REPORT}
    return {name for name in plain if (folder / name).is_file()}
