"""crevasse compare: several methods on several maps, as a table and a sheet of pictures."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from crevasse.cli.batch_plan import find_inputs
from crevasse.cli.chosen_methods import SetValue, compared_methods, make_methods
from crevasse.cli.console import show, show_json, warn
from crevasse.cli.evaluate import say_row
from crevasse.cli.help import Grouped
from crevasse.cli.main import INTERRUPTED, NO_RESULT, SOME_FAILED, Failure, sentence_of
from crevasse.cli.options import FILE, camera_choice, reading_options
from crevasse.cli.reading import read_checked
from crevasse.cli.wording import command_text
from crevasse.files import BadInput
from crevasse.files.result_folder import REPORT, claimed
from crevasse.files.write import no_empty_folder

if TYPE_CHECKING:
    from crevasse.comparison import Comparison
    from crevasse.comparison.comparing import Comparing

SHEETS = ("png", "svg", "pdf", "none")


@click.command("compare", cls=Grouped)
@click.argument("inputs", nargs=-1, required=True)
@compared_methods(default="all")
@click.option("--reference", metavar="METHOD", help="For differences; default: graduated.")
@click.option(
    "--views", type=click.IntRange(1, 4), default=1, metavar="N", help="2 to 4: means over mirror images too."
)
@click.option("-o", "--output", type=FILE, metavar="DIR", help="Folder for the tables and sheets.")
@click.option("--overwrite", is_flag=True, help="Replace results that are there already.")
@click.option(
    "--sheet",
    "forms",
    type=click.Choice(SHEETS),
    multiple=True,
    default=["png"],
    metavar="KIND",
    help="Sheets: png (default), svg, pdf or none.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@reading_options
def command(inputs: tuple[str, ...], **settings: Any) -> None:
    """Compare methods on any maps: a table of scores, and a sheet of pictures per map.

    INPUTS are maps, folders with normal_map.png (and mask.png, K.txt, depth_gt.npz), folders of such folders, or
    patterns in quotes. Where the true depth is known the table holds errors, else differences from the reference
    method, in pixels, and angles to the given normals. The tables go to the terminal and, also as CSV, LaTeX and
    JSON, with the sheets into a folder; Ctrl-C keeps what is finished.

    \b
    Examples:
      crevasse compare bust.png
      crevasse compare data/diligent --methods poisson,graduated -o table1
      crevasse compare scan/ --methods all --set bilateral.k=4 --sheet pdf
    """
    from crevasse.cli.compare_outputs import output_names, write_comparison
    from crevasse.cli.compare_plan import files_of, result_folder, titled_paths

    camera_choice(settings)
    comparing = begin(settings)
    maps = titled_paths(find_inputs(inputs, None))
    folder = settings["output"] or result_folder(maps)
    forms = [form for form in settings["forms"] if form != "none"]
    require_plots(forms)
    names = output_names(maps, forms)
    about = {"inputs": {title: str(path) for title, path in maps.items()}, **describe(comparing)}
    place = claimed(folder, names.values(), settings["overwrite"], files_of(maps, settings))
    with no_empty_folder(folder), place:
        interrupted = run(comparing, maps, settings)
        table = comparing.table(interrupted)
        if table.rows:
            report(table, settings["as_json"])
        if interrupted and (folder / REPORT).exists():
            warn([f"{folder} keeps the earlier comparison, because this one was interrupted"])
        elif table.rows:
            for path in write_comparison(folder, table, names, forms, about | {"interrupted": interrupted}):
                if not settings["as_json"]:
                    show(str(path))
    close(table, len(maps))


def begin(settings: dict[str, Any]) -> Comparing:
    """The comparison that the options describe, before any map."""
    from crevasse.comparison.comparing import Comparing

    values: tuple[SetValue, ...] = settings["values"]
    reference, quiet = settings["reference"], settings["as_json"]
    try:
        comparing = Comparing(
            make_methods(settings["methods"], values),
            reference,
            settings["views"],
            tuple(settings["forms"]) != ("none",),
            settings["threads"],
            settings["max_memory"],
            quiet,
            word=command_text,
        )
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    if not quiet:
        comparing.on_row = say_row
    return comparing


def describe(comparing: Comparing) -> dict[str, Any]:
    """What was compared, for the report."""
    methods = {name: asdict(method) for name, method in comparing.methods.items()}  # type: ignore[call-overload]
    return {"methods": methods, "reference": comparing.reference, "views": comparing.views}


def require_plots(forms: list[str]) -> None:
    """Refuse vector sheets before any work if matplotlib is not installed."""
    if set(forms) - {"png"}:
        from crevasse.pictures.figures import require_matplotlib

        require_matplotlib()


def run(comparing: Comparing, maps: dict[str, Path], settings: dict[str, Any]) -> bool:
    """Compare on each map; whether it was interrupted. A map that cannot be read does not stop the others."""
    try:
        for title, path in maps.items():
            try:
                found, _ = read_checked(path, settings)
            except BadInput as error:
                if len(maps) == 1:
                    raise
                comparing.failed[title] = sentence_of(error)
                warn([comparing.failed[title]])
                continue
            warn(f"{title}: {command_text(sentence)}" for sentence in found.warnings)
            comparing.add(found, title)
    except KeyboardInterrupt:
        return True
    return False


def report(table: Comparison, as_json: bool) -> None:
    """Print the table."""
    if as_json:
        show_json(table.to_dict())
        return
    show(table.to_text())
    show()


def close(table: Comparison, count: int) -> None:
    """Set the exit code: interrupted, no result at all, or some failed."""
    if table.interrupted:
        raise Failure("interrupted; what was finished is in the table" if table.rows else "interrupted", INTERRUPTED)
    if not any(row["state"] == "done" for row in table.rows):
        raise Failure("no method gave a result on any map", NO_RESULT)
    broken = {f"{row['method']} on {row['object']}" for row in table.rows if row["state"] == "failed"}
    if table.failed or broken:
        problems = [f"{len(table.failed)} of {count} maps failed"] if table.failed else []
        raise Failure("; ".join([*problems, *sorted(broken)]), SOME_FAILED)
