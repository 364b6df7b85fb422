"""Files that the page offers for download."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from crevasse.files.mesh_files import MESH_FORMATS
from crevasse.files.strokes import Painting
from crevasse.result import Integration

MEDIA_TYPES = {
    ".ply": "application/octet-stream",
    ".glb": "model/gltf-binary",
    ".obj": "text/plain",
    ".stl": "model/stl",
    ".npy": "application/octet-stream",
    ".tif": "image/tiff",
    ".exr": "image/x-exr",
    ".png": "image/png",
}
DEPTHS = ("npy", "tif", "exr", "png16")
PICTURES = ("preview", "jumps", "islands")
PAINTED = ("mask", "hints")


def export(result: Integration, painting: Painting, what: str, folder: Path, torn: bool = True) -> Path:
    """Write one file of a result.

    Parameters
    ----------
    what : mesh-ply, mesh-glb, mesh-obj, mesh-stl, depth-npy, depth-tif, depth-exr, depth-png16, picture-preview,
        picture-jumps, picture-islands, painted-mask, painted-hints
    torn : whether the mesh stays open at jumps
    """
    kind, _, form = what.partition("-")
    if kind == "mesh" and form in MESH_FORMATS:
        from crevasse.files.mesh_files import Style, write_mesh

        path = folder / f"mesh.{form}"
        write_mesh(path, result.mesh_blocks(torn=torn), Style(unit=result.unit))
        return path
    if kind == "depth" and form in DEPTHS:
        from crevasse.files.depth_files import write_depth

        return write_depth(folder, result.depth, form, result.unit_name)
    if kind == "picture" and form in PICTURES:
        return _export_picture(result, form, folder)
    if kind == "painted" and form in PAINTED:
        return _export_painted(result, painting, form, folder)
    raise ValueError(f"there is no download {what!r}")


def _export_picture(result: Integration, form: str, folder: Path) -> Path:
    from crevasse import pictures
    from crevasse.files.depth_files import write_picture

    path = folder / f"{form}.png"
    if form == "jumps":
        write_picture(path, pictures.jumps(result))
    else:
        write_picture(path, pictures.islands(result) if form == "islands" else pictures.preview(result))
    return path


def _export_painted(result: Integration, painting: Painting, form: str, folder: Path) -> Path:
    from crevasse.files.depth_files import write_picture
    from crevasse.files.write import write_npy

    if form == "hints":
        path = folder / "hints.npy"
        write_npy(path, painting.hints)
        return path
    path = folder / "mask.png"
    write_picture(path, np.repeat(np.uint8(255) * result.mask[..., None], 3, axis=-1).astype(np.uint8))
    return path
