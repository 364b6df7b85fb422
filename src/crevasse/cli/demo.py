"""crevasse demo: integrate a built-in scene from start to end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from crevasse.cli.console import show, show_json, warn
from crevasse.cli.options import FILE
from crevasse.cli.place import Place
from crevasse.cli.run import integrate_map, plan_of, run_map
from crevasse.files.identity import identify_scene
from crevasse.files.outputs import Wanted
from crevasse.files.scene_maps import scene_map
from crevasse.progress import show_progress

WANTED = Wanted(mesh=("ply", "glb"), pictures=True, html=True)


@click.command("demo")
@click.option("-o", "--output", type=FILE, default=Path("demo"), show_default=True, help="Folder for the results.")
@click.option("--overwrite", is_flag=True, help="Replace results that are there already.")
@click.option("--threads", type=click.IntRange(1), envvar="CREVASSE_THREADS", help="Threads; default: one per core.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(output: Path, overwrite: bool, threads: int | None, as_json: bool) -> None:
    """Integrate a built-in scene, compare the result with its true depth, and write its normal map to try out.

    \b
    Example:
      crevasse demo -o demo
    """
    import numpy as np

    from crevasse import scenes
    from crevasse.methods import Bilateral, Graduated, Poisson
    from crevasse.metrics import made
    from crevasse.pictures import normals, sheet
    from crevasse.pictures.drawable import footprint

    found = scene_map(scenes.demo())
    truth: Any = found.depth
    identity = identify_scene(found.name, Graduated(), WANTED)
    place = Place(output, WANTED, identity=identity, overwrite=overwrite)
    plain = integrate_map(found, Poisson(), threads)

    def draw(result: Any) -> Any:
        bilateral = integrate_map(found, Bilateral(), threads)
        return sheet({"Poisson": plain, "BiNI": bilateral, "crevasse": result}, truth)

    def draw_input(_: Any) -> Any:
        # Black pixels are read as outside the mask.
        return np.where(found.mask[..., None], normals(found.normals), 0).astype(np.uint8)

    drawings = {"sheet": draw, "normal_map": draw_input}
    with show_progress(found.name, as_json, plan_of(Graduated(), WANTED)) as report_progress:
        result, report = run_map(found, Graduated(), place, report_progress, threads=threads, drawings=drawings)
    report["made"] = made(result.depth, truth, found.camera)
    report["made_poisson"] = made(plain.depth, truth, found.camera)
    if as_json:
        show_json(report)
        return
    warn(report["warnings"])
    # The result is known up to a scale; the errors are in the unit of the truth.
    pixel = footprint(result) * float(np.nanmedian(truth / result.depth))
    for line in summary_lines(found.name, report, pixel):
        show(line)


def summary_lines(name: str, report: dict[str, Any], pixel: float) -> list[str]:
    """The summary of a demo, given the width of a pixel in the unit of the errors."""
    lines = [
        f"Integrated the scene {name} ({report['pixels']} pixels) in {report['seconds']:.2f} s.",
        report["status"],
        "Mean absolute depth error, in pixels (1 = the width of a pixel on the surface):",
        f"  crevasse  {report['made'] / pixel:.2f}",
        f"  Poisson   {report['made_poisson'] / pixel:.2f}",
    ]
    if report["islands"]:
        lines.append("Guessed distances of islands count, too; on a map of your own nothing shows their error.")
    files = [f"  {path}" for path in report["outputs"].values()]
    return [*lines, "The files:", *files, f"Open this one in a browser: {report['outputs']['page']}"]
