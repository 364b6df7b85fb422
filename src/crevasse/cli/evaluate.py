"""crevasse evaluate: errors and seconds of the methods on folders with the true depth."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from crevasse.cli.chosen_methods import SetValue, compared_methods, make_methods
from crevasse.cli.console import say, show, show_json, warn
from crevasse.cli.main import SOME_FAILED, Failure
from crevasse.cli.options import FILE
from crevasse.cli.score_tables import as_text
from crevasse.cli.wording import command_text
from crevasse.files import BadInput, has_truth, read_folder
from crevasse.files.figure_files import require_figure, write_figure
from crevasse.files.map_folder import input_files
from crevasse.files.pixels import require_folder


@click.command("evaluate")
@click.argument("folder", type=FILE)
@compared_methods(default="graduated")
@click.option(
    "--views", type=click.IntRange(1, 4), default=1, metavar="N", help="2 to 4: means over mirror images too."
)
@click.option("--threads", type=click.IntRange(1), envvar="CREVASSE_THREADS", help="Threads; default: one per core.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "csv", "latex", "json"]),
    default="text",
    show_default=True,
    help="How to print the table.",
)
@click.option("--figure", type=FILE, metavar="FILE", help="Also draw the errors: an SVG, PDF or PNG file.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(
    folder: Path,
    methods: list[str],
    values: tuple[SetValue, ...],
    views: int,
    threads: int | None,
    form: str,
    figure: Path | None,
    as_json: bool,
) -> None:
    """Measure methods on maps whose true depth is known.

    FOLDER holds a folder for each map: normal_map.png, depth_gt.npz and, if there are any, mask.png and K.txt. The
    error is the mean absolute depth error after removing the offset (orthographic) or scale (perspective) that
    normals leave free; "aligned" removes it for each island separately. Means are in pixels where the maps' units
    differ. `crevasse compare` makes tables and pictures of any maps.

    \b
    Examples:
      crevasse evaluate data/diligent --methods graduated,poisson
      crevasse evaluate data --views 4 --json
      crevasse evaluate data --format latex > table.tex
    """
    from crevasse.comparison.comparing import Comparing

    quiet = as_json or form == "json"
    chosen = make_methods(methods, values)
    comparison = Comparing(chosen, views=views, sheets=False, threads=threads, quiet=quiet, word=command_text)
    if not quiet:
        comparison.on_row = say_row
    folders = find_objects(folder)
    if figure is not None:
        require_figure(figure, (file for path in folders for file in input_files(path).values()))
    for path in folders:
        try:
            comparison.add(read_folder(path), path.name)
        except BadInput as error:
            comparison.failed[path.name] = command_text(error)
    report(comparison.table(), "json" if quiet else form, views)
    if figure is not None and comparison.rows:
        draw_errors(figure, comparison.table())
    close(comparison.table(), len(folders))


def report(table: Any, form: str, views: int) -> None:
    """Print the results in a form; what a method could not do is left out, with a warning."""
    from crevasse.comparison.scores import EVALUATED

    done = [row for row in table.rows if row["state"] == "done"]
    warn(table.failed.values())
    warn(f"{row['object']}, {row['method']}: {row['status']}" for row in table.rows if row not in done)
    columns = (*EVALUATED, *(("views", "spread") if views > 1 else ()))
    finished = table.only(done)
    if form == "json":
        show_json({"objects": finished.entries(columns), **finished.mean_errors})
    elif form == "csv" and done:
        show(finished.to_csv(("object", "method", *columns)).rstrip("\n"))
    elif done:
        show(finished.to_latex() if form == "latex" else as_text(finished))


def close(table: Any, count: int) -> None:
    """Fail if any method failed on any map."""
    short = {row["object"] for row in table.rows if row["state"] != "done"} | set(table.failed)
    if short:
        raise Failure(f"{len(short)} of {count} maps failed", SOME_FAILED)


def say_row(row: dict[str, Any]) -> None:
    """Print a line on the row that was just finished."""
    what = f"{row['object']} {row['method']}"
    if row["state"] != "done":
        say(f"{what}: {row['status']}")
    elif row["made"] is None:
        say(f"{what}: done in {row['seconds']:.2f} s")
    else:
        say(f"{what}: {row['made']:.4g} {row['unit']} in {row['seconds']:.2f} s")


def draw_errors(path: Path, table: Any) -> None:
    """Draw the errors in pixels as bars."""
    from crevasse.pictures.figures import error_chart

    entries = table.entries(["made_px"])
    rows = [{name: row["made_px"] for name, row in entry.items()} for entry in entries.values()]
    errors = {name: [row.get(name) or 0.0 for row in rows] for name in table.methods}
    write_figure(path, error_chart(list(entries), errors))


def find_objects(folder: Path) -> list[Path]:
    """The folders with truth: those inside `folder`, or itself."""
    require_folder(folder)
    inside = sorted(path for path in folder.iterdir() if path.is_dir() and has_truth(path))
    found = [folder] if not inside and has_truth(folder) else inside
    if not found:
        raise BadInput(f"{folder} holds no folder with both normal_map.png and depth_gt.npz")
    return found
