"""crevasse evaluate: errors and seconds of the methods on folders with the true depth."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import click

from crevasse.cli.console import say, show, show_json, table, warn
from crevasse.cli.main import SOME_FAILED, Failure
from crevasse.cli.options import FILE
from crevasse.cli.run import integrate_map
from crevasse.files import BadInput, NormalMap, has_truth, read_folder
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
@click.option("--threads", type=click.IntRange(1), envvar="CREVASSE_THREADS", help="Threads; default: one a core.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(folder: Path, methods: list[str], threads: int | None, as_json: bool) -> None:
    """Compare methods on maps whose true depth is known.

    FOLDER holds a folder for each map: normal_map.png, depth_gt.npz and, if there are any, mask.png and K.txt. The
    error is the mean absolute depth error after the offset (orthographic) or scale (perspective) that no normal map
    fixes is taken out; "aligned" also takes it out for each island.

    \b
    Example:
      crevasse evaluate data/diligent --methods graduated,poisson
    """
    objects: dict[str, dict[str, Any]] = {}
    failed: dict[str, str] = {}
    for path in find_objects(folder):
        try:
            found = read_folder(path)
            objects[path.name] = {name: evaluate_map(found, name, threads, as_json) for name in methods}
        except BadInput as error:
            failed[path.name] = str(error)
    warn(failed.values())
    means = {name: _mean([entry[name]["made"] for entry in objects.values()]) for name in methods}
    if as_json:
        show_json({"objects": objects, "mean": means})
    elif objects:
        show(_table(objects, means, methods))
    if failed:
        raise Failure(f"{len(failed)} of {len(failed) + len(objects)} maps failed", SOME_FAILED)


def find_objects(folder: Path) -> list[Path]:
    """The folders with truth: those inside `folder`, or itself."""
    require_folder(folder)
    inside = sorted(path for path in folder.iterdir() if path.is_dir() and has_truth(path))
    found = [folder] if not inside and has_truth(folder) else inside
    if not found:
        raise BadInput(f"{folder} holds no folder with both normal_map.png and depth_gt.npz")
    return found


def evaluate_map(found: NormalMap, name: str, threads: int | None, quiet: bool) -> dict[str, Any]:
    """Error and seconds of one method on one map."""
    from crevasse.metrics import made, made_aligned

    began = time.perf_counter()
    result = integrate_map(found, METHODS[name](), threads, quiet)
    seconds = time.perf_counter() - began
    assert found.depth is not None
    error = made(result.depth, found.depth, found.camera)
    entry: dict[str, Any] = {
        "made": error,
        "made_aligned": made_aligned(result.depth, found.depth, found.camera, result.islands),
        "seconds": seconds,
        "pixels": result.pixels,
        "iterations": result.iterations,
        "status": str(result.status),
    }
    if found.footprint is not None:
        entry["made_pixels"] = error / found.footprint
    if not quiet:
        say(f"{found.name} {name}: {error:.4g} in {seconds:.2f} s")
    return entry


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else float("nan")


def _table(objects: dict[str, dict[str, Any]], means: dict[str, float], methods: list[str]) -> str:
    """A line an object; for each method its error, in pixels where that is known, aligned, and seconds."""
    pixels = any("made_pixels" in entry for methods_of in objects.values() for entry in methods_of.values())
    heads = ["object"]
    for name in methods:
        heads += [name, *(["pixels"] if pixels else []), "aligned", "seconds"]
    rows = []
    for title, entries in objects.items():
        row = [title]
        for name in methods:
            entry = entries[name]
            row.append(f"{entry['made']:.4g}")
            if pixels:
                row.append(f"{entry['made_pixels']:.3f}" if "made_pixels" in entry else "-")
            row += [f"{entry['made_aligned']:.4g}", f"{entry['seconds']:.2f}"]
        rows.append(row)
    last = ["mean"]
    for name in methods:
        seconds = _mean([entries[name]["seconds"] for entries in objects.values()])
        last += [f"{means[name]:.4g}", *([""] if pixels else []), "", f"{seconds:.2f}"]
    return table(heads, [*rows, last])
