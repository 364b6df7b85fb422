"""crevasse integrate: turn a normal map into depth and a mesh."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from crevasse.cli.console import show, show_json, warn
from crevasse.cli.help import Grouped
from crevasse.cli.options import FILE, camera_choice, input_options, make_method, method_options
from crevasse.cli.output_options import output_options, wanted_outputs
from crevasse.cli.place import Place, names_a_mesh
from crevasse.cli.reading import read_checked
from crevasse.cli.run import plan_of, run_map
from crevasse.cli.run_report import ASSUMED
from crevasse.files.identity import Identity, identify
from crevasse.files.map_folder import input_files
from crevasse.files.names import plain_text, safe_name
from crevasse.files.write import no_empty_folder
from crevasse.progress import show_progress

__all__ = ["command", "output_options", "read_checked", "wanted_outputs"]


READING = (
    *("frame", "slopes", "srgb", "centre", "layer"),
    *("prior_sigma", "prior_unknown"),
    *("focal", "center", "fov", "focal_mm", "sensor_width", "pixel_size", "distance", "ruler"),
)
"""Options that say how a map is read and scaled; mask, camera and photograph count by their content."""


def reading_options(settings: dict[str, Any]) -> dict[str, Any]:
    """The subset of the options that determine how a map is read."""
    reading = {name: settings[name] for name in READING} | {"frame": settings["frame"] or "auto"}
    return reading | {"prior_unknown": None if settings["prior_unknown"] == "nothing" else settings["prior_unknown"]}


def inputs_of(source: Path, settings: dict[str, Any]) -> dict[str, Path]:
    """The files that a run reads, by role."""
    given = settings["mask"], settings["camera"], settings["texture"], settings["weights"], settings["hints"]
    return input_files(source, *given, known_options(settings))


def known_options(settings: dict[str, Any]) -> dict[str, Path | None]:
    """The files of what is known besides the normals, by role."""
    return {name: settings[name] for name in ("prior", "points", "fixed")}


def identity_of(source: Path, settings: dict[str, Any]) -> Identity:
    """Everything that the result of these options depends on."""
    reading = reading_options(settings)
    method = make_method(settings["method"], settings)
    given = settings["mask"], settings["camera"]
    beside = settings["weights"], settings["hints"]
    return identify(source, *given, reading, method, wanted_outputs(settings), *beside, known_options(settings))


def default_folder(source: Path, name: str) -> Path:
    """The default folder for results: here, named after the input, and never inside the input's folder."""
    here = Path.cwd()
    if source.is_dir() and here.is_relative_to(source.resolve()):
        raise click.UsageError(f"the results would land in the input folder {source}; name another one with -o")
    name = safe_name(name)
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

    INPUT is an image, NPY, NPZ or MAT file, or a folder with normal_map.png.

    \b
    Examples:
      crevasse integrate bust.png
      crevasse integrate scan/ -o result --mesh-format glb
      crevasse integrate coin.png --pixel-size .02mm --solid -o coin.stl
    """
    method = make_method(settings["method"], settings)
    camera_choice(settings)
    single = output is not None and names_a_mesh(output)
    if single and (settings["sigma"] or settings["report"]):
        raise click.UsageError(f"--sigma and --report need a folder for their files; {output} names a single mesh")
    # Compute this before reading the map: if a file changes meanwhile, the result must not pass as up to date.
    identity = identity_of(input, settings)
    wanted = wanted_outputs(settings)
    title = plain_text(input.resolve().name)
    with show_progress(title, as_json, plan_of(method, wanted)) as report_progress:
        report_progress("reading", 0.0)
        found, _ = read_checked(input, settings)
        place = Place(
            folder=output or default_folder(input, found.name),
            wanted=wanted,
            inputs=tuple(inputs_of(input, settings).values()),
            identity=identity,
            overwrite=settings["overwrite"],
            single=single,
        )
        threads, most = settings["threads"], settings["max_memory"]
        with no_empty_folder(place.folder):
            _, report = run_map(found, method, place, report_progress, threads=threads, max_memory=most)
    warn(report["warnings"])
    if as_json:
        show_json(report)
        return
    for line in summary_lines(report):
        show(line)


def summary_lines(report: dict[str, Any]) -> list[str]:
    """Summary lines of a run."""
    lines = [
        report["status"],
        f"{report['pixels']} pixels, {counted(report['iterations'], 'iteration')}, {report['seconds']:.2f} s",
        "Depth has " + report["unit"] if report["unit"].startswith("no unit") else f"Unit of depth: {report['unit']}",
    ]
    if report["camera_assumed"]:
        lines.append(f"Camera: {ASSUMED}")
    lines.append(jumps_line(report))
    if "sigma" in report:
        lines.append(report["sigma"]["words"])
    if "mesh" in report:
        mesh = report["mesh"]
        trimmed = f"; {mesh['trimmed']:,} sliver pixels at silhouettes left out" if mesh["trimmed"] else ""
        parts = counted(mesh["components"], "part")
        lines.append(f"Mesh: {mesh['vertices']:,} vertices, {mesh['faces']:,} faces, {parts}{trimmed}")
        if mesh["upright"]:
            lines.append(f"PLY and STL: {mesh['upright']}")
        if mesh["metres"]:
            lines.append(f"GLB: {mesh['metres']}")
    if "solid" in report:
        lines.append(solid_line(report["solid"]))
    if any(kind.startswith("height") for kind in report["outputs"]):
        words = report["displacement"]["words"]
        lines.append(words[0].upper() + words[1:])
    return [*lines, *report["outputs"].values()]


def jumps_line(report: dict[str, Any]) -> str:
    """How much of the surface jumps separate.

    >>> jumps_line({"cuts": 0, "islands": 1}), jumps_line({"cuts": 120, "islands": 2})
    ('Jumps: none found', 'Jumps: 120 pairs of neighbouring pixels, 2 islands')
    """
    if not report["cuts"]:
        return "Jumps: none found"
    islands = f", {counted(report['islands'], 'island')}" if report["islands"] else ""
    return f"Jumps: {report['cuts']:,} pairs of neighbouring pixels{islands}"


def solid_line(solid: dict[str, Any]) -> str:
    """The size of a solid, and what a slicer makes of it."""
    size = " x ".join(f"{side:.4g}" for side in solid["size"])
    advice = "" if solid["metric"] else "; slicers read that as millimetres: pass --pixel-size"
    return f"Solid: {size} {solid['unit']}, {solid['triangles']:,} triangles{advice}"


def counted(count: int, thing: str) -> str:
    """A number of things.

    >>> counted(1, "part"), counted(2, "part")
    ('1 part', '2 parts')
    """
    return f"{count} {thing}{'s' * (count != 1)}"
