"""crevasse integrate: a normal map into depth and a mesh."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from crevasse.cli.console import show, show_json, warn
from crevasse.cli.options import FILE, Grouped, camera_choice, input_options, make_method, method_options
from crevasse.cli.run import Place, run_map
from crevasse.files.checks import add_warnings, encoding_warnings, settle_frame
from crevasse.files.depth_files import DEPTH_FILES
from crevasse.files.detect import Detection
from crevasse.files.identity import Identity, identify
from crevasse.files.mesh_files import MESH_FORMATS
from crevasse.files.names import safe_name
from crevasse.files.normal_map import NormalMap, input_files, read_normals
from crevasse.files.outputs import Wanted


def output_options(function: Any) -> Any:
    """The options that say what to write."""
    options = (
        click.option(
            "--depth-format",
            type=click.Choice(list(DEPTH_FILES)),
            multiple=True,
            default=["tif"],
            help="Besides depth.npy; may be repeated. Default: tif.",
        ),
        click.option(
            "--mesh-format",
            type=click.Choice(list(MESH_FORMATS)),
            multiple=True,
            default=["ply"],
            help="May be repeated. Default: ply.",
        ),
        click.option(
            "--torn/--bridged", default=True, help="Leave the mesh open at jumps (default), or bridge them."
        ),
        click.option("--solid", is_flag=True, help="Also write solid.stl, closed by a base plate, for 3D printing."),
        click.option("--points", is_flag=True, help="Also write points.ply, a point for each pixel."),
        click.option("--arrays", is_flag=True, help="Also write corners, jumps and islands as NPY."),
        click.option("--overwrite", is_flag=True, help="Replace results that are there already."),
    )
    for option in reversed(options):
        function = option(function)
    return function


def wanted_outputs(settings: dict[str, Any]) -> Wanted:
    """The outputs that the options ask for."""
    return Wanted(
        depth=tuple(settings["depth_format"]),
        mesh=tuple(settings["mesh_format"]),
        torn=settings["torn"],
        solid=settings["solid"],
        points=settings["points"],
        arrays=settings["arrays"],
        pictures=True,
        animate=settings.get("animate", False),
        html=settings.get("html", False),
    )


def read_checked(path: Path, settings: dict[str, Any]) -> tuple[NormalMap, Detection]:
    """The map that the options describe, with warnings about its frame and encoding, and what its frame is."""
    requested = settings["frame"]
    found = read_normals(
        path,
        mask=settings["mask"],
        camera=camera_choice(settings),
        frame="opengl" if requested in (None, "auto") else requested,
        slopes=settings["slopes"],
        srgb=settings["srgb"],
        layer=settings["layer"],
        max_memory=settings["max_memory"],
    )
    return settle_frame(add_warnings(found, encoding_warnings(found)), requested)


READING = ("frame", "slopes", "srgb", "layer", "focal", "center", "fov", "focal_mm", "sensor_width", "pixel_size")
"""Options that say how a map is read; mask and camera files count by their content."""


def inputs_of(source: Path, settings: dict[str, Any]) -> dict[str, Path]:
    """The files that a run reads, by role."""
    return input_files(source, settings["mask"], settings["camera"])


def identity_of(source: Path, settings: dict[str, Any]) -> Identity:
    """What the result of these options depends on."""
    reading = {name: settings[name] for name in READING}
    method = make_method(settings["method"], settings)
    return identify(source, settings["mask"], settings["camera"], reading, method, wanted_outputs(settings))


def default_folder(source: Path, name: str) -> Path:
    """Where results go unless said: a folder here, named after the input, and never in the input's own folder."""
    here = Path.cwd()
    if source.is_dir() and here.is_relative_to(source.resolve()):
        raise click.UsageError(f"the results would land in the input folder {source}; name another one with -o")
    name = safe_name(name)
    taken = (here / name).exists() and (source.resolve() == (here / name).resolve())
    return Path(f"{name}-result" if taken else name)


@click.command("integrate", cls=Grouped)
@click.argument("input", type=FILE)
@click.option("-o", "--output", type=FILE, help="Folder for the results. Default: named after the input, here.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.option("--animate", is_flag=True, help="Also write animation.webp: the surface opening along its jumps.")
@click.option("--html", is_flag=True, help="Also write page.html: the surface in 3D and the pictures, in one file.")
@output_options
@input_options
@method_options
def command(input: Path, output: Path | None, as_json: bool, **settings: Any) -> None:
    """Turn a normal map into depth and a mesh.

    INPUT is a file (PNG, TIFF, EXR, NPY, NPZ, MAT) or a folder with normal_map.png and, if there are any, mask.png
    and K.txt.

    \b
    Examples:
      crevasse integrate bust.png
      crevasse integrate scan/ -o result --mesh-format glb
      crevasse integrate texture.png --frame directx --pixel-size 0.05
    """
    method = make_method(settings["method"], settings)
    camera_choice(settings)
    # Before the map is read: of a file that changes meanwhile, a result must not claim to be up to date.
    identity = identity_of(input, settings)
    found, _ = read_checked(input, settings)
    place = Place(
        folder=output or default_folder(input, found.name),
        wanted=wanted_outputs(settings),
        inputs=tuple(inputs_of(input, settings).values()),
        identity=identity,
        overwrite=settings["overwrite"],
    )
    threads, most = settings["threads"], settings["max_memory"]
    _, report = run_map(found, method, place, threads=threads, max_memory=most, quiet=as_json)
    warn(report["warnings"])
    if as_json:
        show_json(report)
        return
    show(report["status"])
    show(f"{report['pixels']} pixels, {report['iterations']} iterations, {report['seconds']:.2f} s")
    for path in report["outputs"].values():
        show(path)
