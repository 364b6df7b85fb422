"""Everything that the command can write of a surface, in one ZIP file, with the commands that make it again."""

from __future__ import annotations

import shutil
import zipfile
from dataclasses import asdict, replace
from pathlib import Path

from crevasse.files.depth_files import DEPTH_FILES
from crevasse.files.errors import BadInput
from crevasse.files.height_files import HEIGHT_FILES
from crevasse.files.hint_files import strokes_text
from crevasse.files.mesh_files import MESH_FORMATS
from crevasse.files.names import safe_name
from crevasse.files.outputs import describe_run, write_outputs
from crevasse.files.wanted import Wanted
from crevasse.web.snippets import snippets
from crevasse.web.taken import Taken

EVERYTHING = Wanted(
    depth=tuple(DEPTH_FILES),
    height=tuple(HEIGHT_FILES),
    mesh=tuple(MESH_FORMATS),
    solid=True,
    points=True,
    arrays=True,
    pictures=True,
    animate=True,
    html=True,
)


def write_archive(taken: Taken, folder: Path, mesh: Wanted) -> Path:
    """Write all files of a result into a ZIP file; `mesh` says of what shape the mesh is."""
    name = safe_name(taken.name)
    inside = folder / "files" / name
    wanted = replace(EVERYTHING, kind=mesh.kind, torn=mesh.torn, decimate=mesh.decimate)
    _write(taken, inside, wanted)
    texts = snippets(taken)
    (inside / "reproduce.py").write_text(texts["python"])
    if texts["command"] is not None:
        (inside / "reproduce.sh").write_text(texts["command"] + "\n")
    strokes = taken.run.painting.strokes
    if strokes:
        shape = taken.result.mask.shape
        (inside / "hints.json").write_text(strokes_text(strokes, (shape[0], shape[1])))
    path = folder / f"{name}.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for file in sorted(inside.iterdir()):
            archive.write(file, f"{name}/{file.name}")
    shutil.rmtree(folder / "files")
    return path


def _write(taken: Taken, inside: Path, wanted: Wanted) -> None:
    result = taken.result
    seconds = float(result.history["seconds"][-1]) if len(result.history) else 0.0
    report = {
        **describe_run(result, seconds),
        "name": taken.name,
        "camera": result.camera.to_dict(),
        "method": result.method.name,
        "settings": asdict(result.method),
        "identity": None,
    }
    inside.mkdir(parents=True)
    try:
        write_outputs(inside, result, wanted, report, taken.run.film, taken.source.truth)
    except BadInput:
        # Not every surface can be made solid.
        write_outputs(inside, result, replace(wanted, solid=False), report, taken.run.film, taken.source.truth)
