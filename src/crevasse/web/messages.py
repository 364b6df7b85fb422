"""Every message between server and page, typed once: `web/messages.py` makes the TypeScript from these classes."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, get_type_hints

from crevasse.web.notice_messages import Failure, Island, Measure, Phase, Queued, Scaled, Snippet
from crevasse.web.offer_messages import Example, Hello, Method, Setting
from crevasse.web.request_messages import (
    Control,
    DetailRequest,
    MoveRequest,
    OpenRequest,
    Options,
    RunRequest,
    Scale,
    ScaleRequest,
    SnippetRequest,
    Stroke,
)
from crevasse.web.surface_messages import (
    DetailHeader,
    FinishedHeader,
    FrameEvidence,
    MapHeader,
    OrthographicCamera,
    PerspectiveCamera,
    ProgressHeader,
    SurfaceHeader,
)

Notice = Hello | Snippet | Scaled | Failure | Queued | Phase
"""Messages that are text."""
Header = MapHeader | SurfaceHeader | ProgressHeader | FinishedHeader | DetailHeader
"""Headers of messages with arrays."""
PageRequest = OpenRequest | RunRequest | ScaleRequest | MoveRequest | SnippetRequest | DetailRequest | Control
"""What a page may send."""

TYPES = (
    *(Setting, Method, Example, Hello, OrthographicCamera, PerspectiveCamera, FrameEvidence, MapHeader),
    *(SurfaceHeader, ProgressHeader, Measure, Island, FinishedHeader, DetailHeader, Snippet),
    *(Scaled, Failure, Queued, Phase),
    *(Options, Stroke, Scale, OpenRequest, RunRequest, ScaleRequest, MoveRequest, SnippetRequest),
    *(DetailRequest, Control),
)
"""All messages and their parts, in the order of the TypeScript."""
UNIONS = {"Notice": Notice, "Header": Header, "PageRequest": PageRequest}


def to_json(message: Notice | Header) -> dict[str, Any]:
    """A message as plain data."""
    return asdict(message)


def fields_of(message: type) -> dict[str, Any]:
    """Names and types of a message's fields."""
    return get_type_hints(message)
