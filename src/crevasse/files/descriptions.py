"""What result.json says about a run and its files."""

from __future__ import annotations

from typing import Any

import numpy as np

from crevasse.files.glb import METRES
from crevasse.files.height_files import displacement
from crevasse.files.wanted import Wanted
from crevasse.mesh import Mesh, Welded
from crevasse.result import Integration


def describe_run(result: Integration, seconds: float) -> dict[str, Any]:
    """Describe a run for its report: status, warnings, camera, settings."""
    return {
        "status": str(result.status),
        "seconds": seconds,
        "iterations": result.iterations,
        "pixels": result.pixels,
        "regions": result.regions,
        "islands": result.island_count,
        "cuts": int(sum(np.count_nonzero(cut) for cut in result.cuts)),
        "unit": result.unit_name,
        "metric": result.metric,
        "noise": None if result.noise is None else result.noise._asdict(),
        "outputs": {},
        "warnings": list(result.warnings),
    }


def describe_outputs(result: Integration, mesh: Welded | Mesh | None, wanted: Wanted) -> dict[str, Any]:
    """Describe the files of a result: the mesh's parts, where it stands upright, the range of heights."""
    span = displacement(result)
    facts: dict[str, Any] = {
        "displacement": {"px": span.pixels, "length": span.length, "unit": result.unit_name, "words": str(span)}
    }
    if mesh is not None:
        facts["mesh"] = {
            "vertices": mesh.vertex_count,
            "faces": mesh.face_count,
            "components": mesh.components,
            "trimmed": mesh.trimmed,
            "upright": wanted.upright,
            "metres": glb_scale(result) if "glb" in wanted.mesh else None,
        }
    return facts


def glb_scale(result: Integration) -> str:
    """What a metre of a GLB file, which by its standard counts metres, stands for."""
    if result.unit in METRES:
        return "true metres, as its standard asks"
    return f"a metre in it is 1 {result.unit_name}" if result.unit_name == "px" else "its metres are arbitrary"


def describe_solid(solid: Mesh, result: Integration) -> dict[str, Any]:
    """Describe a solid: its size across, up and towards the viewer, its unit and its triangles."""
    size = np.ptp(solid.vertices, axis=0)
    return {"size": size.tolist(), "unit": result.unit_name, "metric": result.metric, "triangles": len(solid.faces)}
