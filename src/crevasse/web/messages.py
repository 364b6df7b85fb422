"""Every message between server and page, typed once: `web/messages.py` makes the TypeScript from these classes."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal, get_type_hints

Record = tuple[int, float | None, float | None]
"""Number of an iteration, its energy and its change."""


@dataclass(frozen=True, kw_only=True)
class Setting:
    """A setting of a method that the page has a control for."""

    name: str
    kind: Literal["integer", "number", "switch"]
    default: float | bool
    about: str


@dataclass(frozen=True, kw_only=True)
class Method:
    """A method, as the page offers it."""

    name: str
    title: str
    about: str
    settings: tuple[Setting, ...]


@dataclass(frozen=True, kw_only=True)
class Example:
    """A built-in scene."""

    name: str
    title: str


@dataclass(frozen=True, kw_only=True)
class Hello:
    """Greeting of a page that connects; `preloaded` is the name of a depth map to open at once."""

    kind: Literal["hello"] = "hello"
    session: str
    version: str
    methods: tuple[Method, ...]
    examples: tuple[Example, ...]
    preloaded: str | None
    upload_bytes: int
    pixels: int


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
    """A map that was opened; its frame holds `picture`, `slopes` and, where known, `truth`."""

    kind: Literal["map"] = "map"
    name: str
    size: tuple[int, int]
    step: int
    camera: OrthographicCamera | PerspectiveCamera
    pixels: int
    regions: int
    bit_depth: int
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
    """The end of a run, with its surface."""

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
    warnings: tuple[str, ...]
    error: float | None


@dataclass(frozen=True, kw_only=True)
class Snippet:
    """Commands that reproduce a surface; `command` is None where the command line cannot."""

    kind: Literal["snippet"] = "snippet"
    result: str
    python: str
    command: str | None
    files: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Failure:
    """What went wrong: a request that was refused, a worker that ended, or a server that is full."""

    kind: Literal["refused", "lost", "full"]
    message: str


@dataclass(frozen=True, kw_only=True)
class Queued:
    """A run that waits; 1 is next."""

    kind: Literal["queued"] = "queued"
    place: int


@dataclass(frozen=True, kw_only=True)
class Phase:
    """What the session does now."""

    kind: Literal["running", "paused", "cancelled"]


Notice = Hello | Snippet | Failure | Queued | Phase
"""Messages that are text."""
Header = MapHeader | SurfaceHeader | ProgressHeader | FinishedHeader
"""Headers of messages with arrays."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """How a map is read."""

    frame: str
    camera: dict[str, str | float]


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
    """Begin a run."""

    kind: Literal["run"] = "run"
    method: str
    settings: dict[str, float | bool]
    strokes: tuple[Stroke, ...]


@dataclass(frozen=True, kw_only=True)
class SnippetRequest:
    """Ask for the commands that reproduce a surface."""

    kind: Literal["snippet"] = "snippet"
    result: str


@dataclass(frozen=True, kw_only=True)
class Control:
    """Steer the run, or say that the last surface was drawn."""

    kind: Literal["pause", "resume", "step", "stop", "cancel", "drawn"]


PageRequest = OpenRequest | RunRequest | SnippetRequest | Control
"""What a page may send."""

TYPES = (
    *(Setting, Method, Example, Hello, OrthographicCamera, PerspectiveCamera, FrameEvidence, MapHeader),
    *(SurfaceHeader, ProgressHeader, FinishedHeader, Snippet, Failure, Queued, Phase),
    *(Options, Stroke, OpenRequest, RunRequest, SnippetRequest, Control),
)
UNIONS = {"Notice": Notice, "Header": Header, "PageRequest": PageRequest}


def to_json(message: Notice | Header) -> dict[str, Any]:
    """A message as plain data."""
    return asdict(message)


def fields_of(message: type) -> dict[str, Any]:
    """Names and types of a message's fields."""
    return get_type_hints(message)
