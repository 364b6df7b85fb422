"""Plan a batch: its inputs, the names of their results, and which of them are done."""

from __future__ import annotations

import glob
import os
from dataclasses import dataclass
from pathlib import Path
from string import Formatter
from typing import Any

import click

from crevasse.cli.integrate import identity_of, inputs_of
from crevasse.files.camera_files import read_text
from crevasse.files.errors import BadInput
from crevasse.files.identity import Identity, content_hash, differences
from crevasse.files.manifest import KEPT, Entry
from crevasse.files.map_folder import input_files, is_map_folder
from crevasse.files.names import safe_name
from crevasse.files.result_folder import read_report

FIELDS = ("stem", "parent", "name")


@dataclass(frozen=True)
class Item:
    """A map of a batch.

    Attributes
    ----------
    source : the input as it is given
    folder : for its result
    entry : its line in the manifest, or None
    """

    source: str
    folder: Path
    entry: Entry | None


@dataclass(frozen=True)
class Verdict:
    """Whether a map's result exists: its `report`, else the reason to make it again (None for a new map)."""

    report: dict[str, Any] | None
    reason: str | None


def find_inputs(inputs: tuple[str, ...], list_file: Path | None) -> list[str]:
    """The inputs, with patterns and nested folders expanded, without duplicates."""
    words = list(inputs)
    if list_file is not None:
        words += [line.strip() for line in read_text(list_file).splitlines() if line.strip()]
    found: list[str] = []
    for word in words:
        if not os.path.exists(word) and glob.has_magic(word):
            matches = sorted(glob.glob(word, recursive=True))
            if not matches:
                raise BadInput(f"no file fits the pattern {word!r}")
            found += matches
        else:
            found += _maps_of(Path(word)) or [word]
    if not found:
        raise click.UsageError("no inputs; name files, folders, a pattern in quotes, or --list FILE")
    return list(dict.fromkeys(os.path.normpath(path) for path in found))


def _maps_of(folder: Path) -> list[str]:
    """The folders with maps in a folder that holds none itself."""
    if not folder.is_dir() or is_map_folder(folder):
        return []
    return sorted(str(path) for path in folder.iterdir() if is_map_folder(path))


def check_pattern(pattern: str) -> None:
    """Refuse a pattern of names with unknown fields."""
    try:
        used = [field for _, field, _, _ in Formatter().parse(pattern) if field is not None]
    except ValueError as error:
        raise click.UsageError(f"--name is {pattern!r}: {error}") from None
    strange = [field for field in used if field not in FIELDS]
    if strange or not used:
        fields = ", ".join(f"{{{field}}}" for field in FIELDS)
        raise click.UsageError(f"--name is {pattern!r}; it must use {fields} and nothing else in braces")


def base_name(source: str, pattern: str) -> str:
    """Name a result after its input, before the name is made unique.

    >>> base_name("scans/bust.png", "{parent}-{stem}")
    'scans-bust'
    """
    path = Path(source)
    whole = path.resolve()
    stem = whole.name if path.is_dir() else path.stem
    return safe_name(pattern.format(stem=stem, name=whole.name, parent=whole.parent.name))


def lay_out(sources: list[str], output: Path, entries: list[Entry], pattern: str, overwrite: bool) -> list[Item]:
    """Assign each map a folder of its own, the same in every process that works on the batch.

    A complete result of another input is not replaced unless overwriting is asked for.
    """
    by_input = {entry["input"]: entry for entry in entries}
    taken = {name.casefold() for name in KEPT} | {str(entry.get("output")).casefold() for entry in entries}
    items = []
    for source in sources:
        entry = by_input.get(source)
        if entry is not None and entry.get("output"):
            items.append(Item(source, output / safe_name(str(entry["output"])), entry))
            continue
        base = base_name(source, pattern)
        if (output / base).resolve() == Path(source).resolve():
            base = f"{base}-result"
        name, number = base, 2
        while name.casefold() in taken or not (overwrite or _is_free(output / name, source)):
            name, number = f"{base}-{number}", number + 1
        taken.add(name.casefold())
        items.append(Item(source, output / name, entry))
    return items


def _is_free(folder: Path, source: str) -> bool:
    """Whether a folder holds no complete result, or one of this input: the same file, or the same content."""
    report = read_report(folder)
    if report is None:
        return True
    try:
        path = input_files(Path(source))["normal map"]
        inputs = (report.get("identity") or {}).get("inputs", {})
        return report.get("input") == str(path) or inputs.get("normal map") == content_hash(path)
    except (BadInput, AttributeError):
        return True


def inputs_within(folder: Path, sources: list[str], settings: dict[str, Any]) -> tuple[Path, ...]:
    """Files that the maps of a batch are read from and that lie in a folder, where results go."""
    found, whole = [], folder.resolve()
    for source in sources:
        try:
            files = inputs_of(Path(source), settings).values()
        except BadInput:
            # An unreadable input is reported when it is read.
            continue
        found += [path for path in files if whole in path.resolve().parents]
    return tuple(dict.fromkeys(found))


def judge(item: Item, settings: dict[str, Any]) -> Verdict:
    """Whether a map's result exists and was made from the input's present content with these settings."""
    identity = readable_identity(item.source, settings)
    if identity is None:
        # An unreadable input is reported when it is integrated.
        return Verdict(None, None)
    report = read_report(item.folder)
    if report is None:
        return Verdict(None, "its result is gone" if item.entry is not None else None)
    reasons = differences(report.get("identity"), identity)
    reasons += [f"{name} is gone" for name in _outputs(report) if not (item.folder / name).is_file()]
    return Verdict(None, "; ".join(reasons)) if reasons else Verdict(report, None)


def judge_failure(item: Item, settings: dict[str, Any]) -> Verdict:
    """Whether a map that failed stays so: it is tried again if anything that it is made of changed."""
    assert item.entry is not None
    before, now = item.entry.get("identity"), readable_identity(item.source, settings)
    if before == now:
        return Verdict({}, None)
    if before is None or now is None:
        return Verdict(None, f"it failed, and its files can {'now' if now else 'no longer'} be read")
    return Verdict(None, f"it failed, and {'; '.join(differences(before, now))}")


def readable_identity(source: str, settings: dict[str, Any]) -> Identity | None:
    """Identity of an input's result; None where its files cannot be read."""
    try:
        return identity_of(Path(source), settings)
    except BadInput:
        return None


def _outputs(report: dict[str, Any]) -> list[str]:
    outputs = report.get("outputs")
    return [str(name) for name in outputs.values()] if isinstance(outputs, dict) else []
