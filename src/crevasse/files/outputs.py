"""What an integration leaves in its folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from crevasse.files.depth_files import DEPTH_FILES, write_depth, write_picture
from crevasse.files.mesh_files import write_mesh, write_points
from crevasse.files.names import plain_text
from crevasse.files.result_folder import REPORT, staged
from crevasse.files.write import write_bytes, write_json, write_npy
from crevasse.result import Integration

if TYPE_CHECKING:
    from crevasse.pictures import Film

Draw = Callable[[Integration], NDArray[np.uint8]]


@dataclass(frozen=True)
class Wanted:
    """Which files to write.

    Attributes
    ----------
    depth : formats of the depth map besides NPY
    mesh : formats of the mesh
    torn : whether the mesh stays open at jumps
    solid : whether to write a closed solid for 3D printing
    points : whether to write a point cloud
    arrays : whether to write corners, jumps and islands as NPY and the islands as a picture
    pictures : whether to write the depth in colours besides the preview and the jumps
    animate : whether to write an animation of the run
    html : whether to write a page of one file that shows the result
    """

    depth: tuple[str, ...] = ("tif",)
    mesh: tuple[str, ...] = ("ply",)
    torn: bool = True
    solid: bool = False
    points: bool = False
    arrays: bool = False
    pictures: bool = False
    animate: bool = False
    html: bool = False

    def names(self) -> dict[str, str]:
        """Kinds and file names, in the order in which they are written."""
        names = {"depth": "depth.npy"}
        names |= {f"depth_{kind}": DEPTH_FILES[kind] for kind in self.depth if kind != "npy"}
        for number, kind in enumerate(self.mesh):
            names[f"mesh_{kind}" if number else "mesh"] = f"mesh.{kind}"
        if self.solid:
            names["solid"] = "solid.stl"
        if self.points:
            names["points"] = "points.ply"
        names |= {"jumps": "jumps.png", "preview": "preview.png"}
        if self.arrays:
            names |= {
                "corners": "corners.npy",
                "jumps_right": "jumps_right.npy",
                "jumps_down": "jumps_down.npy",
                "islands": "islands.npy",
                "islands_picture": "islands.png",
            }
        names |= {"depth_picture": "depth_colours.png"} if self.pictures else {}
        names |= {"animation": "animation.webp"} if self.animate else {}
        names |= {"page": "page.html"} if self.html else {}
        return names | {"report": REPORT}


def write_outputs(
    folder: Path,
    result: Integration,
    wanted: Wanted,
    report: dict[str, Any],
    film: Film | None = None,
    truth: NDArray[np.float64] | None = None,
    drawings: Mapping[str, Draw] = MappingProxyType({}),
) -> dict[str, str]:
    """Write what is wanted of a result, as a whole; kinds and paths.

    Parameters
    ----------
    film : what an animation is drawn from
    truth : (H, W) true depth, for the page
    drawings : further pictures by kind, each drawn from the result into a PNG of that name
    """
    names = wanted.names()
    # What several files are made of, before they are made side by side.
    _ = result.depth, result.jumps
    with staged(folder) as staging:
        with ThreadPoolExecutor(1) as beside:
            drawn = beside.submit(_write_pictures, staging, result, names)
            _write_data(staging, result, wanted)
            drawn.result()
        title = plain_text(report["name"]) if wanted.html else None
        _write_shows(staging, result, film if wanted.animate else None, title, truth)
        for kind, draw in drawings.items():
            names[kind] = f"{kind}.png"
            write_picture(staging / names[kind], draw(result))
        written = {k: name for k, name in names.items() if k == "report" or (staging / name).exists()}
        write_json(staging / REPORT, {**report, "outputs": written})
    return {kind: str(folder / name) for kind, name in written.items()}


def _write_data(folder: Path, result: Integration, wanted: Wanted) -> None:
    write_depth(folder, result.depth, "npy")
    for kind in wanted.depth:
        if kind != "npy":
            write_depth(folder, result.depth, kind)
    if wanted.mesh:
        surface = result.mesh(torn=wanted.torn)
        for kind in wanted.mesh:
            write_mesh(folder / f"mesh.{kind}", surface)
    if wanted.solid:
        from crevasse.files.solid import solid_mesh

        write_mesh(folder / "solid.stl", solid_mesh(result.corners, result.mask, result.camera))
    if wanted.points:
        write_points(folder / "points.ply", result.mesh(per_pixel=True))
    if wanted.arrays:
        write_npy(folder / "corners.npy", result.corners)
        write_npy(folder / "jumps_right.npy", result.jumps.right)
        write_npy(folder / "jumps_down.npy", result.jumps.down)
        write_npy(folder / "islands.npy", result.islands)


def _write_pictures(folder: Path, result: Integration, names: dict[str, str]) -> None:
    from crevasse import pictures

    write_picture(folder / "jumps.png", pictures.jumps(result))
    write_picture(folder / "preview.png", pictures.preview(result))
    if "depth_picture" in names:
        write_picture(folder / names["depth_picture"], pictures.depth(result))
    if "islands_picture" in names:
        write_picture(folder / "islands.png", pictures.islands(result))


def _write_shows(
    folder: Path, result: Integration, film: Film | None, title: str | None, truth: NDArray[np.float64] | None
) -> None:
    """Write the animation of the run if there is a film, and the page if it has a title."""
    from crevasse import pictures

    animation = film.encode() if film is not None else None
    if animation is not None:
        write_bytes(folder / "animation.webp", animation)
    if title is not None:
        text = pictures.page(result, title, truth, animation=animation)
        write_bytes(folder / "page.html", text.encode())
