"""The record of a batch: a line for each map that is finished, kept whole through any crash."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from crevasse.files.errors import BadOutput
from crevasse.files.pixels import describe
from crevasse.files.write import write_bytes

NAME = "manifest.jsonl"


def read_manifest(folder: Path) -> list[dict[str, Any]]:
    """The whole lines of a manifest; a line that a crash cut short is left out."""
    try:
        data = (folder / NAME).read_bytes()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise BadOutput(f"{folder / NAME} cannot be read: {describe(error)}") from None
    entries = []
    for line in data.split(b"\n"):
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if isinstance(entry, dict) and isinstance(entry.get("input"), str):
            entries.append(entry)
    return entries


def write_manifest(folder: Path, entries: list[dict[str, Any]]) -> None:
    """Replace a manifest, as a whole."""
    write_bytes(folder / NAME, b"".join(_line(entry) for entry in entries))


def append_manifest(folder: Path, entry: dict[str, Any]) -> None:
    """Add a line, and see it onto the disk before anything else happens."""
    try:
        with open(folder / NAME, "ab") as stream:
            stream.write(_line(entry))
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as error:
        raise BadOutput(f"{folder / NAME} cannot be written: {describe(error)}") from None


def _line(entry: dict[str, Any]) -> bytes:
    return json.dumps(entry).encode() + b"\n"
