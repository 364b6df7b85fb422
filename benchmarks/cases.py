"""The normal maps with known depth that benchmarks run on."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from crevasse.files import read_folder
from crevasse.scenes import SCENES, Scene

SIZE = 160
"""Side of the built-in scenes in pixels."""


@dataclass(frozen=True)
class Case:
    """A scene under a name that says where it comes from."""

    name: str
    scene: Scene
    footprint: float
    """Depth units of a pixel: errors are divided by it. 1 keeps the units of the truth (mm on DiLiGenT)."""


def data_folder() -> Path | None:
    """The evaluation data that CREVASSE_DATA names; None if there is none."""
    folder = os.environ.get("CREVASSE_DATA")
    return Path(folder) if folder and Path(folder, "diligent").is_dir() else None


def measured() -> Iterator[Case]:
    """DiLiGenT and the rendered scenes, if the data is there."""
    yield from _read("diligent")
    yield from _read("scenes")


def estimated() -> Iterator[Case]:
    """DiLiGenT with normals that photometric stereo estimated, from several sources, if the data is there."""
    folder = data_folder()
    for source in sorted(Path(folder, "real").glob("*")) if folder else ():
        yield from _read(f"real/{source.name}")


def unseen() -> Iterator[Case]:
    """Scenes that no setting was chosen on, if the data is there."""
    yield from _read("scenes2")


def _read(group: str) -> Iterator[Case]:
    folder = data_folder()
    for path in sorted(Path(folder, group).glob("*")) if folder else ():
        found = read_folder(path)
        assert found.depth is not None
        scene = Scene(path.name, found.normals, found.mask, found.camera, found.depth, "")
        yield Case(f"{group}/{path.name}", scene, found.footprint or 1.0)


def built_in(size: int = SIZE) -> Iterator[Case]:
    """The analytic scenes that are part of the package."""
    for name, make in SCENES.items():
        yield Case(f"built-in/{name}", make(size), 1.0)
