"""The record of a batch: its settings, and a line for each map that is finished, kept whole through any crash."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from crevasse.files.camera_files import read_text
from crevasse.files.errors import BadOutput
from crevasse.files.pixels import describe
from crevasse.files.write import write_bytes, write_json
from crevasse.notices import Notice, Setting

NAME = "manifest.jsonl"
SETTINGS = "batch.json"
INDEX = "index.html"
KEPT = (NAME, SETTINGS, INDEX)
"""Files of a batch's folder, which no result may be called."""

Entry = dict[str, Any]


def read_manifest(folder: Path) -> list[Entry]:
    """Complete lines of a manifest, the last one of each input; a line that a crash cut short is left out."""
    try:
        data = (folder / NAME).read_bytes()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise BadOutput(f"{folder / NAME} cannot be read: {describe(error)}") from None
    entries: dict[str, Entry] = {}
    for line in data.split(b"\n"):
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if (
            isinstance(entry, dict)
            and isinstance(entry.get("input"), str)
            and entry.get("state") in ("done", "failed")
        ):
            entries[entry["input"]] = entry
    return list(entries.values())


def write_manifest(folder: Path, entries: list[Entry]) -> None:
    """Replace a manifest atomically."""
    write_bytes(folder / NAME, b"".join(_line(entry) for entry in entries))


def append_manifest(folder: Path, entry: Entry) -> None:
    """Append a line, and flush it to the disk before anything else happens.

    A line is written in one piece at the end of the file, so that several processes can append.
    """
    try:
        with open(folder / NAME, "a+b", buffering=0) as stream:
            start = b"" if _ends_whole(stream) else b"\n"
            stream.write(start + _line(entry))
            os.fsync(stream.fileno())
    except OSError as error:
        raise BadOutput(f"{folder / NAME} cannot be written: {describe(error)}") from None


def _ends_whole(stream: Any) -> bool:
    """Whether a file ends with a line break, or is empty: a killed process may have left half a line."""
    length = stream.seek(0, os.SEEK_END)
    if length == 0:
        return True
    stream.seek(length - 1)
    return bool(stream.read(1) == b"\n")


def _line(entry: Entry) -> bytes:
    return json.dumps(entry).encode() + b"\n"


def read_settings(folder: Path) -> Any:
    """The settings that a batch was begun with, or None where they are not known."""
    try:
        return json.loads(read_text(folder / SETTINGS)) if (folder / SETTINGS).exists() else None
    except (OSError, ValueError, RecursionError):
        raise BadOutput(
            Notice(
                f"{folder / SETTINGS} cannot be read",
                Setting("overwrite", True),
                do="{} to start afresh",
                cure="remove it",
            )
        ) from None


def write_settings(folder: Path, settings: dict[str, Any]) -> None:
    """Keep the settings of a batch."""
    write_json(folder / SETTINGS, settings)
