"""What an integration leaves in its folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crevasse.files.depth_files import DEPTH_FILES, write_depth, write_picture
from crevasse.files.mesh_files import write_mesh, write_points
from crevasse.files.write import write_json, write_npy
from crevasse.result import Integration


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
    """

    depth: tuple[str, ...] = ("tif",)
    mesh: tuple[str, ...] = ("ply",)
    torn: bool = True
    solid: bool = False
    points: bool = False
    arrays: bool = False

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
        return names | {"report": "result.json"}


def write_outputs(folder: Path, result: Integration, wanted: Wanted, report: dict[str, Any]) -> dict[str, str]:
    """Write what is wanted of a result; kinds and paths."""
    names = wanted.names()
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
    _write_pictures(folder, result, names)
    outputs = {
        kind: str(folder / name) for kind, name in names.items() if kind == "report" or (folder / name).exists()
    }
    write_json(folder / "result.json", {**report, "outputs": {k: Path(v).name for k, v in outputs.items()}})
    return outputs


def _write_pictures(folder: Path, result: Integration, names: dict[str, str]) -> None:
    try:
        from crevasse import pictures
    except ImportError:
        return
    write_picture(folder / "jumps.png", pictures.jumps(result))
    write_picture(folder / "preview.png", pictures.preview(result))
    if "islands_picture" in names:
        write_picture(folder / "islands.png", pictures.islands(result))
