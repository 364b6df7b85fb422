"""Read and check the map that the options describe."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from crevasse.cli.options import UNKNOWN, camera_choice
from crevasse.files.detect import Detection
from crevasse.files.errors import BadInput
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
            prior=settings["prior"],
            prior_sigma=settings["prior_sigma"],
            prior_unknown=UNKNOWN[settings["prior_unknown"]],
            points=settings["points"],
            fixed=settings["fixed"],
        ),
    )
    _refuse_two_scales(found, settings)
    unit = "mm" if settings["pixel_size"] is not None else None
    return replace(found, unit=unit, distance=settings.get("distance"), ruler=settings.get("ruler")), detection


def _refuse_two_scales(found: NormalMap, settings: dict[str, Any]) -> None:
    """Refuse a length where depths themselves are given."""
    length = next((name for name in ("distance", "ruler") if settings.get(name) is not None), None)
    absolute = found.prior if found.prior is not None and found.prior.unknown == "nothing" else None
    given = {"prior": absolute, "points": found.points, "fixed": found.fixed}
    known = [name for name, value in given.items() if value is not None]
    if length is not None and known:
        raise BadInput(f"--{length} and the {known[0]} of {found.source} both give the scale; leave one out")
