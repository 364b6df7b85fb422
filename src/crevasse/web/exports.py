"""Files that the page offers for download."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from crevasse.files.depth_files import DEPTH_FILES, write_depth, write_picture
from crevasse.files.height_files import HEIGHT_FILES, write_height
from crevasse.files.mesh_files import MESH_FORMATS
from crevasse.files.wanted import Wanted
from crevasse.files.write import write_bytes, write_npy
from crevasse.mesh import KINDS
from crevasse.web.taken import Taken

MEDIA_TYPES = {
    ".ply": "application/octet-stream",
    ".glb": "model/gltf-binary",
    ".obj": "text/plain",
    ".stl": "model/stl",
    ".npy": "application/octet-stream",
    ".tif": "image/tiff",
    ".exr": "image/x-exr",
    ".png": "image/png",
    ".html": "text/html",
    ".webp": "image/webp",
    ".json": "application/json",
    ".zip": "application/zip",
}
PICTURES = ("preview", "jumps", "islands", "depth")
PAINTED = ("mask", "hints", "strokes")


def export(taken: Taken, what: str, folder: Path, shape: dict[str, Any]) -> Path:
    """Write one file of a result; returns its path.

    Parameters
    ----------
    what : a kind and a form: mesh-ply, depth-tif, height-png16, picture-jumps, painted-mask, solid-stl, points-ply,
        page-html, animation-webp, everything-zip
    shape : of the mesh: torn (bool), mesh ("welded", "quads" or "pixel"), keep (percent of its triangles)
    """
    kind, _, form = what.partition("-")
    writers: dict[str, tuple[Any, Callable[[], Path]]] = {
        "mesh": (MESH_FORMATS, lambda: _mesh(taken, folder / f"mesh.{form}", mesh_wanted(shape))),
        "depth": (DEPTH_FILES, lambda: write_depth(folder, taken.result.depth, form, taken.result.unit_name)),
        "height": (HEIGHT_FILES, lambda: write_height(folder, taken.result, form)),
        "picture": (PICTURES, lambda: _picture(taken, form, folder)),
        "painted": (PAINTED, lambda: _painted(taken, form, folder)),
        "solid": (("stl",), lambda: _mesh(taken, folder / "solid.stl", Wanted(solid=True))),
        "points": (("ply",), lambda: _points(taken, folder / "points.ply")),
        "page": (("html",), lambda: _page(taken, folder / "page.html")),
        "animation": (("webp",), lambda: _animation(taken, folder / "animation.webp")),
        "everything": (("zip",), lambda: _everything(taken, folder, shape)),
    }
    forms, write = writers.get(kind, ((), lambda: folder))
    if form not in forms:
        raise ValueError(f"there is no download {what!r}")
    return write()


def mesh_wanted(shape: dict[str, Any]) -> Wanted:
    """The mesh that the page asks for."""
    kind, keep = str(shape.get("mesh", "welded")), float(shape.get("keep", 100))
    if kind not in KINDS or not 0 < keep <= 100:
        raise ValueError(
            f"the mesh is {kind!r} with {keep:g} % of its triangles; give {', '.join(KINDS)} and 1 to 100"
        )
    return Wanted(kind=kind, torn=bool(shape.get("torn", True)), decimate=None if keep == 100 else keep / 100)


def _mesh(taken: Taken, path: Path, wanted: Wanted) -> Path:
    from crevasse.files.outputs import write_single

    write_single(path, taken.result, wanted)
    return path


def _points(taken: Taken, path: Path) -> Path:
    from crevasse.files.mesh_files import Style, write_points

    write_points(path, taken.result.mesh("pixel"), Style(unit=taken.result.unit))
    return path


def _page(taken: Taken, path: Path) -> Path:
    from crevasse import pictures

    write_bytes(path, pictures.page(taken.result, taken.name, taken.source.truth).encode())
    return path


def _animation(taken: Taken, path: Path) -> Path:
    if taken.run.film is None:
        raise ValueError("this surface was made in one step; there is nothing to animate")
    write_bytes(path, taken.run.film.encode())
    return path


def _everything(taken: Taken, folder: Path, shape: dict[str, Any]) -> Path:
    from crevasse.web.archive import write_archive

    return write_archive(taken, folder, mesh_wanted(shape))


def _picture(taken: Taken, form: str, folder: Path) -> Path:
    from crevasse import pictures

    path = folder / f"{form}.png"
    write_picture(path, getattr(pictures, form)(taken.result))
    return path


def _painted(taken: Taken, form: str, folder: Path) -> Path:
    painting, mask = taken.run.painting, taken.result.mask
    if form == "hints":
        write_npy(folder / "hints.npy", painting.hints)
        return folder / "hints.npy"
    if form == "strokes":
        from crevasse.files.hint_files import strokes_text

        shape = mask.shape[0], mask.shape[1]
        write_bytes(folder / "hints.json", strokes_text(painting.strokes, shape).encode())
        return folder / "hints.json"
    write_picture(folder / "mask.png", np.repeat(np.uint8(255) * mask[..., None], 3, axis=-1).astype(np.uint8))
    return folder / "mask.png"
