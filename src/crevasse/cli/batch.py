"""crevasse batch: many maps, a process each."""

from __future__ import annotations

import glob
import json
import os
import time
from pathlib import Path
from typing import Any

import click

from crevasse.cli.console import ask_progress, say, show, show_json, table
from crevasse.cli.integrate import output_options, wanted_outputs
from crevasse.cli.main import SOME_FAILED, Failure
from crevasse.cli.options import FILE, Grouped, camera_choice, input_options, make_method, method_options
from crevasse.cli.work import Task, integrate_task
from crevasse.cli.workers import Finished, run_tasks
from crevasse.files.camera_files import read_text
from crevasse.files.errors import AlreadyThere, BadInput
from crevasse.files.manifest import NAME, append_manifest, read_manifest, write_manifest
from crevasse.files.normal_map import is_map_folder
from crevasse.files.outputs import REPORT
from crevasse.files.write import make_folder, sweep


@click.command("batch", cls=Grouped)
@click.argument("inputs", nargs=-1)
@click.option("-o", "--output", type=FILE, required=True, help="Folder for the results: a folder in it for each map.")
@click.option("--list", "list_file", type=FILE, help="File with an input a line, besides those given.")
@click.option("-j", "--jobs", type=click.IntRange(1), help="Maps at a time; default: one a core.")
@click.option("--resume", is_flag=True, help="Go on where an earlier run of the same batch ended.")
@click.option("--retry-failed", is_flag=True, help="With --resume: try the maps again that failed.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@output_options
@input_options
@method_options
def command(
    inputs: tuple[str, ...],
    output: Path,
    list_file: Path | None,
    jobs: int | None,
    resume: bool,
    retry_failed: bool,
    as_json: bool,
    **settings: Any,
) -> None:
    """Integrate many maps, several at a time; one that fails does not stop the others.

    INPUTS are files, folders, or patterns in quotes. The file manifest.jsonl in the output folder has a line for
    each finished map, so that a batch that was interrupted, in whatever way, goes on with --resume.

    \b
    Examples:
      crevasse batch scans/* -o results -j 4
      crevasse batch "textures/**/*_normal.png" -o results --frame directx
      crevasse batch scans/* -o results --resume
    """
    make_method(settings["method"], settings)
    camera_choice(settings)
    sources = find_inputs(inputs, list_file)
    entries = open_batch(output, resume, retry_failed, settings["overwrite"])
    tasks = plan(sources, output, entries, settings, resume)
    began = time.perf_counter()
    entries += claim_complete(tasks, output, resume)
    entries += run_batch(tasks, output, jobs, as_json)
    for entry in entries:
        # Workers of a killed run may have ended only after theirs was looked at.
        sweep(output / str(entry.get("output", "")))
    report = summarise(sources, entries, time.perf_counter() - began)
    if as_json:
        show_json(report)
    else:
        show(f"{report['done']} done, {report['failed']} failed, {report['seconds']:.1f} s; results in {output}")
    failed = [entry for entry in report["maps"] if entry["state"] == "failed"]
    if failed:
        say(table(["failed", "why"], [[entry["input"], entry["error"]] for entry in failed], left=True))
        raise Failure(f"{len(failed)} of {len(report['maps'])} maps failed", SOME_FAILED)


def find_inputs(inputs: tuple[str, ...], list_file: Path | None) -> list[str]:
    """The inputs, with patterns and folders of folders spread out, each once."""
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


def open_batch(output: Path, resume: bool, retry_failed: bool, overwrite: bool) -> list[dict[str, Any]]:
    """The manifest's entries to go on from, in an output folder that is ready."""
    make_folder(output, [], overwrite=True)
    entries = read_manifest(output)
    if (output / NAME).exists() and not resume and not overwrite:
        raise AlreadyThere(f"{output} already holds {NAME}; pass --resume to go on, or --overwrite to start afresh")
    entries = list({entry["input"]: entry for entry in entries}.values()) if resume else []
    if retry_failed:
        entries = [entry for entry in entries if entry.get("state") != "failed"]
    write_manifest(output, entries)
    return entries


def plan(
    sources: list[str], output: Path, entries: list[dict[str, Any]], settings: dict[str, Any], resume: bool
) -> list[Task]:
    """What is left to do, each with a folder of its own."""
    finished = {entry["input"] for entry in entries}
    taken = {str(entry.get("output")) for entry in entries}
    wanted, tasks = wanted_outputs(settings), []
    for source in sources:
        if source in finished:
            continue
        path = Path(source)
        base = (path.resolve().name if path.is_dir() else path.stem) or "map"
        if (output / base).resolve() == path.resolve():
            base = f"{base}-result"
        name, number = base, 2
        while name in taken:
            name, number = f"{base}-{number}", number + 1
        taken.add(name)
        tasks.append(Task(source, output / name, wanted, {**settings, "overwrite": resume or settings["overwrite"]}))
    return tasks


def claim_complete(tasks: list[Task], output: Path, resume: bool) -> list[dict[str, Any]]:
    """Take out the tasks whose results were complete when the earlier run was killed, and record them.

    A map's report is its last file. In a new batch, reports of older ones do not count and go away.
    """
    entries = []
    for task in list(tasks):
        report = task.folder / REPORT
        if resume and report.is_file():
            entries.append(_entry(task, Finished(0, {"seconds": _seconds(report), "error": None}, None)))
            append_manifest(output, entries[-1])
            tasks.remove(task)
        elif task.settings["overwrite"]:
            report.unlink(missing_ok=True)
    return entries


def _seconds(report: Path) -> float:
    try:
        return float(json.loads(report.read_text())["seconds"])
    except (OSError, ValueError, TypeError, KeyError):
        return 0.0


def run_batch(tasks: list[Task], output: Path, jobs: int | None, quiet: bool) -> list[dict[str, Any]]:
    """Do the tasks, and record each in the manifest as it ends."""
    count = jobs or os.cpu_count() or 1
    entries = []
    with ask_progress(len(tasks), "maps", quiet) as advance:
        for end in run_tasks(integrate_task, tasks, count):
            entry = _entry(tasks[end.task], end)
            append_manifest(output, entry)
            entries.append(entry)
            advance(f"{entry['input']}: {entry['error'] or 'done'} ({entry['seconds']:.1f} s)")
    return entries


def _entry(task: Task, end: Finished) -> dict[str, Any]:
    result = end.result or {"seconds": 0.0, "error": end.error}
    error = result["error"]
    return {
        "input": task.source,
        "state": "failed" if error else "done",
        "seconds": round(result["seconds"], 3),
        "error": error,
        "output": task.folder.name,
    }


def summarise(sources: list[str], entries: list[dict[str, Any]], seconds: float) -> dict[str, Any]:
    """What a batch says about itself: the maps of this call, in the order in which they were given."""
    by_input = {entry["input"]: entry for entry in entries}
    maps = [by_input[source] for source in sources if source in by_input]
    failed = sum(entry["state"] == "failed" for entry in maps)
    return {"done": len(maps) - failed, "failed": failed, "seconds": seconds, "maps": maps}
