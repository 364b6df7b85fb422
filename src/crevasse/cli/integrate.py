"""crevasse integrate: a normal map into depth and a mesh."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from crevasse.cli.console import show, show_json, warn
from crevasse.cli.help import Grouped
from crevasse.cli.options import FILE, input_options, make_method, method_options
from crevasse.cli.output_options import output_options, wanted_outputs
from crevasse.cli.reading import read_checked
from crevasse.cli.run import run_map

__all__ = ["command", "output_options", "read_checked", "wanted_outputs"]


def default_folder(source: Path, name: str) -> Path:
    """Where results go unless said: a folder here, named after the input, and never in the input's own folder."""
    here = Path.cwd()
    if source.is_dir() and here.is_relative_to(source.resolve()):
        raise click.UsageError(f"the results would land in the input folder {source}; name another one with -o")
    taken = (here / name).exists() and (source.resolve() == (here / name).resolve())
    return Path(f"{name}-result" if taken else name)


@click.command("integrate", cls=Grouped)
@click.argument("input", type=FILE)
@click.option("-o", "--output", type=FILE, metavar="PATH", help="Folder for the results, or one mesh: coin.stl.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.option("--animate", is_flag=True, help="Also write animation.webp: the surface opening along its jumps.")
@click.option("--html", is_flag=True, help="Also page.html: 3D view and pictures.")
@output_options
@input_options
@method_options
def command(input: Path, output: Path | None, as_json: bool, **settings: Any) -> None:
    """Turn a normal map into depth and a mesh.

    INPUT is an image, an NPY, NPZ or MAT file, or a folder with normal_map.png (and mask.png, K.txt).

    \b
    Examples:
      crevasse integrate bust.png
      crevasse integrate scan/ -o result --mesh-format glb
      crevasse integrate coin.png --pixel-size .02mm --solid -o coin.stl
    """
    method = make_method(settings["method"], settings)
    found, _ = read_checked(input, settings)
    folder = output or default_folder(input, found.name)
    _, report = run_map(
        found,
        method,
        folder,
        wanted_outputs(settings),
        overwrite=settings["overwrite"],
        threads=settings["threads"],
        max_memory=settings["max_memory"],
        quiet=as_json,
    )
    warn(report["warnings"])
    if as_json:
        show_json(report)
        return
    for line in summary_lines(report):
        show(line)


def summary_lines(report: dict[str, Any]) -> list[str]:
    """What a person is told at the end."""
    lines = [
        report["status"],
        f"{report['pixels']} pixels, {report['iterations']} iterations, {report['seconds']:.2f} s",
        f"Unit of depth: {report['unit']}",
    ]
    if "mesh" in report:
        mesh = report["mesh"]
        trimmed = f", {mesh['trimmed']:,} silhouette pixels trimmed" if mesh["trimmed"] else ""
        parts = f"{mesh['components']} part{'s' * (mesh['components'] != 1)}"
        lines.append(f"Mesh: {mesh['vertices']:,} vertices, {mesh['faces']:,} faces, {parts}{trimmed}")
    words = report["displacement"]["words"]
    return [*lines, words[0].upper() + words[1:], *report["outputs"].values()]
