"""Options for output files."""

from __future__ import annotations

import math
from typing import Any

import click

from crevasse.assessed import NORMAL_ERRORS
from crevasse.cli.options import FILE
from crevasse.cli.parameter_type import ParameterType
from crevasse.files.axes import Axes
from crevasse.files.depth_files import DEPTH_FILES
from crevasse.files.height_files import HEIGHT_FILES
from crevasse.files.mesh_files import MESH_FORMATS
from crevasse.files.outputs import Wanted
from crevasse.mesh import KINDS, TRIM


class Ratio(click.FloatRange):
    """A number that is not negative; `float` itself takes "nan", which no range refuses."""

    def __init__(self) -> None:
        super().__init__(0)

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        number = super().convert(value, parameter, context)
        return self.fail(f"{value!r} is not a number", parameter, context) if math.isnan(number) else number


class Count(ParameterType):
    """A number of triangles, or a share such as 10%."""

    name = "count"

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        text = str(value).strip()
        try:
            number = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
        except ValueError:
            number = 0.0
        fits = 0 < number < 1 if text.endswith("%") else number >= 1 and number.is_integer()
        if not fits:
            self.fail(f"{value!r} is neither a number of triangles nor a share such as 10%", parameter, context)
        return number


class AxesName(ParameterType):
    """Names of axes, or signed axes."""

    name = "axes"

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        try:
            Axes.parse(str(value))
        except ValueError as error:
            self.fail(str(error), parameter, context)
        return str(value)


OUTPUT_OPTIONS = (
    click.option(
        "--depth-format",
        type=click.Choice(list(DEPTH_FILES)),
        multiple=True,
        default=["tif"],
        help="Besides depth.npy; may be repeated. Default: tif.",
    ),
    click.option(
        "--height-format",
        type=click.Choice(list(HEIGHT_FILES)),
        multiple=True,
        metavar="KIND",
        help="Height map, white is high: png16, exr or tif.",
    ),
    click.option(
        "--mesh",
        "mesh_kind",
        type=click.Choice([*KINDS, "none"]),
        default="welded",
        metavar="KIND",
        help="welded (one surface, default), quads, pixel or none.",
    ),
    click.option(
        "--mesh-format",
        type=click.Choice(list(MESH_FORMATS)),
        multiple=True,
        default=["ply"],
        metavar="KIND",
        help="ply (default), glb, obj or stl; may be repeated.",
    ),
    click.option("--torn/--bridged", default=True, help="Leave the mesh open at jumps (default), or bridge them."),
    click.option(
        "--trim",
        type=Ratio(),
        default=TRIM,
        show_default=True,
        metavar="RATIO",
        help="Leave out faces at silhouettes longer than this many times their width; 0 keeps all.",
    ),
    click.option("--decimate", type=Count(), metavar="N|PERCENT", help="Triangles to keep: 20000 or 10%."),
    click.option("--texture", type=FILE, metavar="PHOTO", help="Photograph of the same view, as texture."),
    click.option(
        "--axes",
        type=AxesName(),
        default="opengl",
        metavar="AXES",
        help="Of PLY, STL: meshlab (default), blender, x,-y,-z.",
    ),
    click.option("--solid", is_flag=True, help="Close it with a base plate to print: solid.stl."),
    click.option("--point-cloud", "point_cloud", is_flag=True, help="Also write points.ply, one point per pixel."),
    click.option("--arrays", is_flag=True, help="Also write corners, jumps and islands as NPY."),
    click.option("--sigma", is_flag=True, help="Also how sure the depth is; takes about two more runs."),
    click.option("--report", is_flag=True, help="Also report.html: what to trust, and what to do."),
    click.option(
        "--normal-error",
        type=click.FloatRange(*NORMAL_ERRORS),
        metavar="DEGREES",
        help="Smooth error of the normals, for sigma; default: 5 where it shows.",
    ),
    click.option("--overwrite", is_flag=True, help="Replace results that are there already."),
)


def output_options(function: Any) -> Any:
    """Add the options for output files."""
    for option in reversed(OUTPUT_OPTIONS):
        function = option(function)
    return function


def wanted_outputs(settings: dict[str, Any]) -> Wanted:
    """The outputs that the options ask for."""
    return Wanted(
        depth=tuple(settings["depth_format"]),
        height=tuple(settings["height_format"]),
        mesh=tuple(settings["mesh_format"]),
        kind=settings["mesh_kind"],
        torn=settings["torn"],
        trim=settings["trim"] or None,
        decimate=settings["decimate"],
        axes=settings["axes"],
        photo=settings["texture"],
        solid=settings["solid"],
        points=settings["point_cloud"],
        arrays=settings["arrays"],
        pictures=True,
        animate=settings.get("animate", False),
        html=settings.get("html", False),
        sigma=settings["sigma"],
        report=settings["report"],
        normal_error=settings["normal_error"],
    )
