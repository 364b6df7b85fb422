"""Read and check the map that the options describe."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from crevasse.cli.options import camera_choice
from crevasse.files.detect import Detection
from crevasse.files.normal_map import NormalMap, ReadOptions
from crevasse.files.opening import open_map


def read_checked(path: Path, settings: dict[str, Any]) -> tuple[NormalMap, Detection]:
    """The map that the options describe, with warnings and the evidence on its frame."""
    found, detection = open_map(
        path,
        ReadOptions(
            mask=settings["mask"],
            camera=camera_choice(settings),
            frame=settings["frame"] or "auto",
            slopes=settings["slopes"],
            srgb=settings["srgb"],
            centre=settings["centre"],
            layer=settings["layer"],
            max_memory=settings["max_memory"],
            weights=settings["weights"],
            hints=settings["hints"],
        ),
    )
    unit = "mm" if settings["pixel_size"] is not None else None
    return replace(found, unit=unit, distance=settings.get("distance"), ruler=settings.get("ruler")), detection
