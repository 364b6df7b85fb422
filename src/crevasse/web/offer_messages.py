"""What a server offers a page that connects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, kw_only=True)
class Setting:
    """A setting of a method that the page has a control for."""

    name: str
    kind: Literal["integer", "number", "switch"]
    default: float | bool
    about: str
    advanced: bool


@dataclass(frozen=True, kw_only=True)
class Method:
    """A method, as the page offers it."""

    name: str
    title: str
    about: str
    settings: tuple[Setting, ...]
    accepts: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Example:
    """A built-in scene."""

    name: str
    title: str


@dataclass(frozen=True, kw_only=True)
class Hello:
    """Greeting of a page that connects; `preloaded` is the name of a depth map to open at once.

    `resumed` says that the page is back in its session; what is open and finished there follows.
    """

    kind: Literal["hello"] = "hello"
    session: str
    resumed: bool
    version: str
    methods: tuple[Method, ...]
    examples: tuple[Example, ...]
    preloaded: str | None
    upload_bytes: int
    pixels: int
