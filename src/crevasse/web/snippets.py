"""Write scripts and commands that reproduce a surface of the page exactly."""

from __future__ import annotations

import shlex
from typing import Any

from crevasse.cameras import Camera, Perspective
from crevasse.files.strokes import Painting
from crevasse.web.opening import Source


def snippets(
    source: Source, method: Any, settings: dict[str, Any], painting: Painting, stopped_at: int | None
) -> dict[str, Any]:
    """A Python script, a command line (None where it cannot reproduce the surface), and the files they need."""
    files = _needed(source, painting)
    return {
        "python": _python(source, method, settings, painting, stopped_at),
        "command": _command(source, method, settings, painting, stopped_at),
        "files": files,
    }


def _needed(source: Source, painting: Painting) -> list[str]:
    """Files beside the script: the user's own, and what was painted."""
    names = [name for file, name in source.made.get("files", {}).items() if not file.startswith("depth_gt")]
    if painting.excluded.any():
        names = [*names, "mask.png"]
    return [*names, "hints.npy"] if painting.hints.any() else names


def _python(source: Source, method: Any, settings: dict[str, Any], painting: Painting, stopped_at: int | None) -> str:
    arguments = ["source.normals", "source.mask", "source.camera", _construct(method, settings)]
    lines = ["import crevasse"]
    if painting.hints.any():
        lines.append("import numpy as np")
        arguments.append('hints=np.load("hints.npy")')
    lines += ["", _read_source(source, painting)]
    if "example" in source.made and painting.excluded.any():
        lines.append('mask = crevasse.files.read_mask("mask.png")')
        arguments[1] = "mask"
    call = ", ".join(arguments)
    if stopped_at is None:
        lines.append(f"result = crevasse.integrate({call})")
    else:
        lines += [
            f"for state in crevasse.iterate({call}):",
            f"    if state.iteration == {stopped_at}:",
            "        break",
            "result = state.result()",
        ]
    return "\n".join([*lines, "depth = result.depth", ""])


def _construct(method: Any, settings: dict[str, Any]) -> str:
    inside = ", ".join(f"{name}={value!r}" for name, value in settings.items())
    return f"crevasse.{type(method).__name__}({inside})"


def _read_source(source: Source, painting: Painting) -> str:
    if "example" in source.made:
        return f"source = crevasse.scenes.SCENES[{source.made['example']!r}]()"
    names = {file.partition(".")[0]: name for file, name in source.made["files"].items()}
    arguments = [repr(names["normal_map"])]
    if painting.excluded.any():
        arguments.append('mask="mask.png"')
    elif "mask" in names:
        arguments.append(f"mask={names['mask']!r}")
    arguments.append(f"camera={_camera(source.camera)}")
    arguments.append(f"frame={source.recognised['used_frame']!r}")
    return f"source = crevasse.read_normals({', '.join(arguments)})"


def _camera(camera: Camera) -> str:
    parameters = camera.to_dict()
    del parameters["model"]
    return f"crevasse.{type(camera).__name__}({', '.join(repr(float(value)) for value in parameters.values())})"


def _command(
    source: Source, method: Any, settings: dict[str, Any], painting: Painting, stopped_at: int | None
) -> str | None:
    if "example" in source.made or painting.hints.any() or stopped_at is not None:
        return None
    names = {file.partition(".")[0]: name for file, name in source.made["files"].items()}
    words = ["crevasse", "integrate", names["normal_map"]]
    if painting.excluded.any() or "mask" in names:
        words += ["--mask", "mask.png" if painting.excluded.any() else names["mask"]]
    if isinstance(source.camera, Perspective):
        camera = source.camera
        words += ["--focal", f"{camera.fx!r},{camera.fy!r}", "--center", f"{camera.cx!r},{camera.cy!r}"]
    elif source.camera.pixel_size != 1:
        words += ["--pixel-size", repr(source.camera.pixel_size)]
    words += ["--frame", source.recognised["used_frame"], "--method", method.name]
    for name, value in settings.items():
        option = name.replace("_", "-")
        words += [f"--{option}", str(value).lower() if isinstance(value, bool) else repr(value)]
    return shlex.join(words)
