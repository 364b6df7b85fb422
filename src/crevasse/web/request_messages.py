"""What a page may send."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, kw_only=True)
class Options:
    """How a map is read."""

    frame: str
    camera: dict[str, str | float]
    encoding: str


@dataclass(frozen=True, kw_only=True)
class Scale:
    """How large things are, in millimetres, by one of three ways; by none, depths have no unit of length.

    `ruler` is two pixels and their distance in space: row, column, row, column, millimetres.
    """

    pixel_size: float | None = None
    distance: float | None = None
    ruler: tuple[float, float, float, float, float] | None = None


@dataclass(frozen=True, kw_only=True)
class ScaleRequest:
    """Say how large things are."""

    kind: Literal["scale"] = "scale"
    scale: Scale


@dataclass(frozen=True, kw_only=True)
class Stroke:
    """A line that was painted on the map: points (row, column)."""

    tool: Literal["exclude", "force", "forbid"]
    radius: float
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, kw_only=True)
class OpenRequest:
    """Open an example, the preloaded depth map, or the uploads except those of some roles."""

    kind: Literal["open"] = "open"
    side: float
    example: str | None = None
    preloaded: bool | None = None
    without: tuple[str, ...] | None = None
    options: Options | None = None


@dataclass(frozen=True, kw_only=True)
class RunRequest:
    """Begin a run; its surface is in the unit of `scale`."""

    kind: Literal["run"] = "run"
    method: str
    settings: dict[str, float | bool]
    strokes: tuple[Stroke, ...]
    scale: Scale


@dataclass(frozen=True, kw_only=True)
class MoveRequest:
    """Place an island of a finished surface: so many pixels behind where the method has put it."""

    kind: Literal["move"] = "move"
    result: str
    label: float
    pixels: float


@dataclass(frozen=True, kw_only=True)
class SnippetRequest:
    """Ask for the commands that reproduce a surface."""

    kind: Literal["snippet"] = "snippet"
    result: str


@dataclass(frozen=True, kw_only=True)
class DetailRequest:
    """Ask for every pixel of a finished surface, and for the map's normals if the page has only some of them."""

    kind: Literal["detail"] = "detail"
    result: str
    normals: bool


@dataclass(frozen=True, kw_only=True)
class Control:
    """Steer the run, or say that the last surface was drawn."""

    kind: Literal["pause", "resume", "step", "stop", "cancel", "drawn"]
