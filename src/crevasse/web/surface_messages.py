"""Headers of messages with arrays: maps, and surfaces during and after a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from crevasse.web.notice_messages import Island, Measure

Record = tuple[int, float | None, float | None]
"""Number of an iteration, its energy and its change."""


@dataclass(frozen=True, kw_only=True)
class OrthographicCamera:
    """The orthographic camera."""

    kind: Literal["orthographic"] = "orthographic"
    pixel_size: float


@dataclass(frozen=True, kw_only=True)
class PerspectiveCamera:
    """A pinhole camera, in pixels."""

    kind: Literal["perspective"] = "perspective"
    fx: float
    fy: float
    cx: float
    cy: float


@dataclass(frozen=True, kw_only=True)
class FrameEvidence:
    """What the data say about the frame of a map."""

    detected: str
    sure: bool
    evidence: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class MapHeader:
    """A map that was opened; its frame holds `picture`, `normals` and, where known, `truth`, its points and links.

    `camera_source` says where the camera comes from: "file", "chosen" or "assumed"; `seconds` is about how long the
    default method takes.
    """

    kind: Literal["map"] = "map"
    name: str
    size: tuple[int, int]
    step: int
    camera: OrthographicCamera | PerspectiveCamera
    pixels: int
    regions: int
    bit_depth: int
    encoding: str
    camera_source: str
    seconds: float
    used_frame: str
    frame: FrameEvidence
    warnings: tuple[str, ...]
    truth_level: float
    view_only: bool


@dataclass(frozen=True, kw_only=True)
class SurfaceHeader:
    """A surface to look at before the run has one; `last` says that no finer one follows."""

    kind: Literal["surface"] = "surface"
    result: str
    coarse: bool
    last: bool
    level: float


@dataclass(frozen=True, kw_only=True)
class ProgressHeader:
    """How far a run is; `level` is None in a frame without a surface."""

    kind: Literal["progress"] = "progress"
    result: str
    iteration: int
    total: int
    seconds: float
    records: tuple[Record, ...]
    level: float | None


@dataclass(frozen=True, kw_only=True)
class FinishedHeader:
    """The end of a run, with its surface; `parts` are the largest islands, whose labels are the array `islands`."""

    kind: Literal["finished"] = "finished"
    result: str
    iteration: int
    total: int
    seconds: float
    records: tuple[Record, ...]
    level: float
    status: str
    usable: bool
    islands: int
    parts: tuple[Island, ...]
    noise: str | None
    measure: Measure
    warnings: tuple[str, ...]
    error: float | None


@dataclass(frozen=True, kw_only=True)
class DetailHeader:
    """Every `step`-th pixel of a window (first row and column, rows, columns) of a finished surface."""

    kind: Literal["detail"] = "detail"
    result: str
    level: float
    step: int
    window: tuple[int, int, int, int]
