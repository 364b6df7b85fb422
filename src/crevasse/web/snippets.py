"""Write scripts and commands that reproduce a surface of the page exactly."""

from __future__ import annotations

import shlex
from typing import Any

from crevasse.cameras import Camera, Perspective
from crevasse.web.opening import ENCODINGS, Source
from crevasse.web.scale import Scale
from crevasse.web.taken import Taken
from crevasse.web.upload_folder import role_of

HINTS = "hints.json"
"""Name under which the page saves strokes."""
BESIDE = {"prior": "depth_prior", "points": "points", "weights": "weights"}
"""Roles of the files that hold an argument of `integrate`."""


def snippets(taken: Taken) -> dict[str, Any]:
    """A Python script, a command (None where it cannot reproduce the surface, with the reason), and their files."""
    why = _obstacle(taken)
    return {
        "python": _python(taken),
        "command": None if why else _command(taken),
        "why": why,
        "files": _needed(taken),
    }


def _obstacle(taken: Taken) -> str | None:
    """Why the command line cannot reproduce a surface."""
    if "example" in taken.source.made:
        return "The command line has no examples; use Python."
    if taken.run.stopped_at is not None:
        return "The command line cannot stop at an iteration; use Python."
    if taken.run.moves:
        return "The command line cannot move parts; use Python."
    hints = taken.run.painting.hints.any()
    if hints and "hints" not in taken.run.result.method.accepts:
        return f"The method {taken.run.result.method.name} does not use what was painted about jumps; use Python."
    return None


def _needed(taken: Taken) -> list[str]:
    """Files beside the script: the user's own, and what was painted."""
    names = [name for file, name in taken.source.made.get("files", {}).items() if not file.startswith("depth_gt")]
    return [*names, HINTS] if taken.run.painting.strokes else names


def _python(taken: Taken) -> str:
    run, source = taken.run, taken.source
    arguments = ["source.normals", "source.mask", "source.camera", _construct(run.result.method, run.settings)]
    lines = ["import crevasse", "", _read_source(source)]
    if run.painting.strokes:
        lines.append(f'known = crevasse.files.read_hints("{HINTS}", source.mask.shape)')
        arguments[1] = "source.mask & ~known.excluded"
        if run.painting.hints.any():
            arguments.append("hints=known.hints")
    arguments += [f"{name}=source.{name}" for name in _used(taken)]
    call = ", ".join(arguments)
    if run.stopped_at is None:
        lines.append(f"result = crevasse.integrate({call})")
    else:
        lines += [
            f"for state in crevasse.iterate({call}):",
            f"    if state.iteration == {run.stopped_at}:",
            "        break",
            "result = state.result()",
        ]
    lines += [f"result = result.moved({label}, {pixels!r})" for label, pixels in run.moves]
    return "\n".join([*lines, *_measure(taken), "depth = result.depth", ""])


def _measure(taken: Taken) -> list[str]:
    """The line that gives the surface its unit."""
    scale = taken.scale
    if scale.pixel_size is not None:
        factor = scale.pixel_size / taken.run.result.footprint
        return [f'result = result.scaled({factor!r}, "mm")']
    if scale.distance is not None:
        return [f"result = result.at_distance({scale.distance!r})"]
    return [] if scale.ruler is None else [f"result = result.measured({scale.ruler!r})"]


def _construct(method: Any, settings: dict[str, Any]) -> str:
    inside = ", ".join(f"{name}={value!r}" for name, value in settings.items())
    return f"crevasse.{type(method).__name__}({inside})"


def _names(source: Source) -> dict[str, str]:
    """The user's names of the files, by role."""
    return {role_of(file): name for file, name in source.made["files"].items()}


def _used(taken: Taken) -> list[str]:
    """Arguments of `integrate` that came from files beside the map, and that the method used."""
    return [name for name in BESIDE if name in taken.source.beside and name in taken.run.result.method.accepts]


def _read_source(source: Source) -> str:
    if "example" in source.made:
        return f"source = crevasse.scenes.SCENES[{source.made['example']!r}]()"
    names = _names(source)
    arguments = [f"mask={names['mask']!r}"] if "mask" in names else []
    arguments.append(f"camera={_camera(source.camera)}")
    arguments.append(f"frame={source.recognised['used_frame']!r}")
    arguments += [f"{name}={value!r}" for name, value in _encoding(source).items()]
    if not source.beside:
        return f"source = crevasse.read_normals({', '.join([repr(names['normal_map']), *arguments])})"
    arguments += [f"{name}={names[role]!r}" for name, role in BESIDE.items() if name in source.beside]
    options = f"options = crevasse.files.ReadOptions({', '.join(arguments)})"
    return f"{options}\nsource, _ = crevasse.files.open_map({names['normal_map']!r}, options)"


def _encoding(source: Source) -> dict[str, Any]:
    return ENCODINGS[source.made["options"].get("encoding", "auto")]


def _camera(camera: Camera) -> str:
    parameters = camera.to_dict()
    del parameters["model"]
    return f"crevasse.{type(camera).__name__}({', '.join(repr(float(value)) for value in parameters.values())})"


def _command(taken: Taken) -> str:
    source, run = taken.source, taken.run
    names = _names(source)
    words = ["crevasse", "integrate", names["normal_map"]]
    words += ["--mask", names["mask"]] if "mask" in names else []
    for name in _used(taken):
        words += [f"--{name}", names[BESIDE[name]]]
    words += ["--hints", HINTS] if run.painting.strokes else []
    if isinstance(source.camera, Perspective):
        camera = source.camera
        words += ["--focal", f"{camera.fx!r},{camera.fy!r}", "--center", f"{camera.cx!r},{camera.cy!r}"]
    words += _scale_options(taken.scale)
    words += ["--frame", source.recognised["used_frame"]]
    for name, value in _encoding(source).items():
        words += [f"--{name}"] if value is True else [f"--{name}", str(value)]
    words += ["--method", run.result.method.name]
    for name, value in run.settings.items():
        option = name.replace("_", "-")
        words += [f"--{option}", str(value).lower() if isinstance(value, bool) else repr(value)]
    return shlex.join(words)


def _scale_options(scale: Scale) -> list[str]:
    if scale.pixel_size is not None:
        return ["--pixel-size", f"{scale.pixel_size!r}mm"]
    if scale.distance is not None:
        return ["--distance", f"{scale.distance!r}mm"]
    return [] if scale.ruler is None else ["--ruler", ",".join(map(repr, scale.ruler))]
