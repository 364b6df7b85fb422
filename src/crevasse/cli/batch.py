"""crevasse batch: integrate many maps in parallel."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import click

from crevasse.cli.batch_plan import Item, check_pattern, find_inputs, inputs_within, judge, judge_failure, lay_out
from crevasse.cli.batch_report import close, describe_done, describe_end, summarise
from crevasse.cli.console import ask_progress, say
from crevasse.cli.help import BatchGrouped
from crevasse.cli.integrate import output_options, reading_options, wanted_outputs
from crevasse.cli.options import FILE, camera_choice, input_options, make_method, method_options
from crevasse.cli.shards import Shard, ShardName, writing
from crevasse.cli.work import Task, integrate_task
from crevasse.cli.workers import run_tasks
from crevasse.files.errors import AlreadyThere
from crevasse.files.identity import differences, settings_identity
from crevasse.files.manifest import (
    INDEX,
    NAME,
    Entry,
    append_manifest,
    read_manifest,
    read_settings,
    write_manifest,
    write_settings,
)
from crevasse.files.write import make_folder, sweep


@click.command("batch", cls=BatchGrouped)
@click.argument("inputs", nargs=-1)
@click.option("-o", "--output", type=FILE, required=True, help="Folder for all results.")
@click.option("--list", "list_file", type=FILE, help="File that lists further inputs, one per line.")
@click.option("-j", "--jobs", type=click.IntRange(1), metavar="N", help="Maps at a time; default: one per core.")
@click.option("--resume", is_flag=True, help="Continue where an earlier run ended.")
@click.option("--retry-failed", is_flag=True, help="With --resume: repeat failed maps, too.")
@click.option("--shard", type=ShardName(), metavar="I/N", help="Do only the I-th of N parts of the batch.")
@click.option(
    "--name",
    default="{stem}",
    metavar="PATTERN",
    help='{stem} (default), "{parent}-{stem}" ...: names of results.',
)
@click.option("--html", "index", is_flag=True, help=f"Also {INDEX}: all maps with pictures, sortable.")
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
    shard: Shard | None,
    name: str,
    index: bool,
    as_json: bool,
    **settings: Any,
) -> None:
    """Integrate many maps; one that fails does not stop the others.

    INPUTS are files, folders, or patterns in quotes. manifest.jsonl in the output folder has a line per finished
    map; --resume keeps the results that were made of the same files with the same settings.

    \b
    Examples:
      crevasse batch scans/* -o results -j 4
      crevasse batch "textures/**/*_normal.png" -o results --frame directx
      crevasse batch scans/* -o results --shard 2/8   (the second of eight)
    """
    check_pattern(name)
    if shard is not None and settings["overwrite"]:
        raise click.UsageError("--shard does not go with --overwrite; remove the old results first")
    shared = shared_settings(settings, name)
    sources = find_inputs(inputs, list_file)
    make_folder(output)
    began = time.perf_counter()
    with writing(output, shard):
        goes_on = resume or shard is not None
        entries = open_batch(output, goes_on, retry_failed, settings["overwrite"], shared, rewrite=shard is None)
        items = lay_out(sources, output, entries, name, settings["overwrite"])
        mine = items if shard is None else items[shard.number - 1 :: shard.parts]
        kept, left = sort_out(mine, output, settings, goes_on)
        overwrite = goes_on or settings["overwrite"]
        inside = inputs_within(output, sources, settings)
        tasks = [
            Task(item.source, item.folder, wanted_outputs(settings), {**settings, "overwrite": overwrite}, inside)
            for item in left
        ]
        done = kept + run_batch(tasks, output, jobs, as_json)
        for item in mine:
            # A worker of a killed run may have finished its result after that result was examined.
            sweep(item.folder)
        if index:
            write_page(output)
    close(summarise([item.source for item in mine], done, time.perf_counter() - began), output, as_json)


def write_page(output: Path) -> None:
    """Write the index page of all maps in the manifest."""
    from crevasse.files.batch_page import write_index

    write_index(output, read_manifest(output))


def shared_settings(settings: dict[str, Any], name: str) -> dict[str, Any]:
    """Settings that all maps of a batch share, compared when it is resumed."""
    camera_choice(settings)
    method = make_method(settings["method"], settings)
    return {**settings_identity(reading_options(settings), method, wanted_outputs(settings)), "name": name}


def open_batch(
    output: Path, goes_on: bool, retry_failed: bool, overwrite: bool, shared: dict[str, Any], rewrite: bool
) -> list[Entry]:
    """The entries of the manifest to continue from.

    Parameters
    ----------
    goes_on : whether this continues a batch, or is a shard of one, that was begun before
    shared : settings that must be those that the batch was begun with
    rewrite : whether no other process adds to the manifest
    """
    if (output / NAME).exists() and not goes_on and not overwrite:
        raise AlreadyThere(
            f"{output} already holds {NAME}; pass --resume to continue, or --overwrite to start afresh"
        )
    before = read_settings(output) if goes_on else None
    if before is not None:
        found = differences(before, shared)
        if found:
            raise click.UsageError(
                f"the batch in {output} was begun with other settings: {'; '.join(found)}; pass the same settings, "
                "another -o, or --overwrite to start afresh"
            )
    entries = read_manifest(output) if goes_on else []
    if retry_failed:
        entries = [entry for entry in entries if entry["state"] != "failed"]
    if rewrite:
        write_manifest(output, entries)
    if before is None:
        write_settings(output, shared)
    return entries


def sort_out(
    items: list[Item], output: Path, settings: dict[str, Any], goes_on: bool
) -> tuple[list[Entry], list[Item]]:
    """Split the maps into entries of those that are done (or failed), and the remaining maps.

    A result that was complete when the earlier run was killed is entered now.
    """
    if not goes_on:
        return [], items
    kept, left = [], []
    for item in items:
        failed = item.entry is not None and item.entry["state"] == "failed"
        verdict = (judge_failure if failed else judge)(item, settings)
        if verdict.report is None:
            left.append(item)
            if verdict.reason is not None:
                say(f"{item.source}: made again, since {verdict.reason}")
        elif item.entry is not None:
            kept.append(item.entry)
        else:
            kept.append(describe_done(item.source, item.folder, verdict.report))
            append_manifest(output, kept[-1])
    return kept, left


def run_batch(tasks: list[Task], output: Path, jobs: int | None, quiet: bool) -> list[Entry]:
    """Run the tasks, and record each in the manifest when it ends."""
    count = jobs or os.cpu_count() or 1
    entries = []
    with ask_progress(len(tasks), "maps", quiet) as advance:
        for end in run_tasks(integrate_task, tasks, count):
            entry = describe_end(tasks[end.task], end)
            append_manifest(output, entry)
            entries.append(entry)
            advance(f"{entry['input']}: {entry['error'] or 'done'} ({entry['seconds']:.1f} s)")
    return entries
