"""Report a run as plain data: what was read, what was found, the warnings."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from crevasse.cameras import Camera
from crevasse.cli.wording import command_text
from crevasse.files import NormalMap
from crevasse.files.descriptions import describe_run
from crevasse.files.map_runs import beside, uses
from crevasse.result import Integration

ASSUMED = "orthographic, assumed: for a lens close to the object give --focal, --fov or --camera"
"""What is said of the camera where none is given."""


def make_report(found: NormalMap, result: Integration, seconds: float) -> dict[str, Any]:
    """Report of a run, as `integrate --json` prints it."""
    report = describe_run(result, seconds)
    idle = [name for name in beside(found) if not uses(result.method, name)]
    notes = [f"The method {result.method.name} ignores the {name} beside the map." for name in idle]
    warnings = [command_text(warning) for warning in (*found.warnings, *notes, *result.warnings)]
    return {**report, "camera_assumed": found.camera_assumed, "warnings": warnings}


def facts(found: NormalMap, result: Integration) -> dict[str, Any]:
    """Further entries of the report in the result's folder: the input, the camera, the method's settings."""
    return {
        "name": found.name,
        "input": str(found.source),
        "frame": found.frame,
        "camera": describe_camera(result.camera),
        "method": result.method.name,
        "settings": asdict(result.method),
    }


def read_facts(found: NormalMap) -> dict[str, str]:
    """What was read, for the quality report."""
    return {
        "file": str(found.source),
        "encoding": f"{found.bits} bits, {found.encoding}",
        "frame": found.frame,
    }


def describe_camera(camera: Camera) -> dict[str, Any]:
    """A camera as plain data."""
    return {"model": type(camera).__name__.lower(), **vars(camera)}
