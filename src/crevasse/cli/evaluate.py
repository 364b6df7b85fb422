"""crevasse evaluate: errors and seconds of the methods on folders with the true depth."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import click

from crevasse.cli.console import say, show, show_json, warn
from crevasse.cli.main import SOME_FAILED, Failure
from crevasse.cli.options import FILE
from crevasse.cli.run import integrate_map
from crevasse.cli.score_tables import as_csv, as_latex, as_text, summarise
from crevasse.files import BadInput, NormalMap, has_truth, read_folder
from crevasse.files.figure_files import require_figure, write_figure
from crevasse.files.normal_map import input_files
from crevasse.files.pixels import require_folder
from crevasse.methods import METHODS


class MethodNames(click.ParamType[Any]):
    """Names of methods with commas between."""

    name = "methods"

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        names = [name.strip() for name in str(value).split(",") if name.strip()]
        strange = [name for name in names if name not in METHODS]
        if strange or not names:
            self.fail(f"{', '.join(strange) or 'nothing'} is not a method; there are {', '.join(METHODS)}")
        return names


@click.command("evaluate")
@click.argument("folder", type=FILE)
@click.option("--methods", type=MethodNames(), default="graduated", show_default=True, help="Which, with commas.")
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
    folder: Path, methods: list[str], threads: int | None, form: str, figure: Path | None, as_json: bool
) -> None:
    """Compare methods on maps whose true depth is known.

    FOLDER holds a folder for each map: normal_map.png, depth_gt.npz and, if there are any, mask.png and K.txt. The
    error is the mean absolute depth error after the offset (orthographic) or scale (perspective) that no normal map
    fixes is taken out; "aligned" also takes it out for each island. Means are in pixels where the maps' units
    differ.

    \b
    Examples:
      crevasse evaluate data/diligent --methods graduated,poisson
      crevasse evaluate data --format latex > table.tex
    """
    quiet = as_json or form == "json"
    objects: dict[str, dict[str, Any]] = {}
    failed: dict[str, str] = {}
    folders = find_objects(folder)
    if figure is not None:
        require_figure(figure, (file for path in folders for file in input_files(path).values()))
    for path in folders:
        try:
            found = read_folder(path)
            objects[path.name] = {name: evaluate_map(found, name, threads, quiet) for name in methods}
        except BadInput as error:
            failed[path.name] = str(error)
    warn(failed.values())
    if quiet:
        show_json({"objects": objects, **summarise(objects, methods)})
    elif objects:
        show({"text": as_text, "csv": as_csv, "latex": as_latex}[form](objects, methods))
    if figure is not None and objects:
        draw_errors(figure, objects, methods)
    if failed:
        raise Failure(f"{len(failed)} of {len(failed) + len(objects)} maps failed", SOME_FAILED)


def draw_errors(path: Path, objects: dict[str, dict[str, Any]], methods: list[str]) -> None:
    """Draw the errors in pixels as bars."""
    from crevasse.pictures.figures import error_chart

    errors = {name: [entries[name]["made_px"] for entries in objects.values()] for name in methods}
    write_figure(path, error_chart(list(objects), errors))


def find_objects(folder: Path) -> list[Path]:
    """The folders with truth: those inside `folder`, or itself."""
    require_folder(folder)
    inside = sorted(path for path in folder.iterdir() if path.is_dir() and has_truth(path))
    found = [folder] if not inside and has_truth(folder) else inside
    if not found:
        raise BadInput(f"{folder} holds no folder with both normal_map.png and depth_gt.npz")
    return found


def evaluate_map(found: NormalMap, name: str, threads: int | None, quiet: bool) -> dict[str, Any]:
    """Errors and seconds of one method on one map."""
    from crevasse import metrics

    began = time.perf_counter()
    result = integrate_map(found, METHODS[name](), threads, quiet)
    seconds = time.perf_counter() - began
    assert found.depth is not None
    against = (result.depth, found.depth, found.camera)
    error = metrics.made(*against)
    jumps = metrics.jump_scores(result.cuts, metrics.true_jumps(found.depth, found.normals, found.camera))
    entry: dict[str, Any] = {
        "made": error,
        "made_px": error / (found.footprint or metrics.footprint(found.depth, found.camera)),
        "unit": found.truth_unit,
        "made_aligned": metrics.made_aligned(*against, result.islands),
        "rmse": metrics.rmse(*against),
        "median": metrics.median_error(*against),
        "angle": metrics.angular_error(*against),
        "jump_precision": jumps.precision,
        "jump_recall": jumps.recall,
        "seconds": seconds,
        "pixels": result.pixels,
        "iterations": result.iterations,
        "status": str(result.status),
    }
    if not quiet:
        say(f"{found.name} {name}: {error:.4g} {found.truth_unit} in {seconds:.2f} s")
    return entry
