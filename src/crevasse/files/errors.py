"""The refusals of the file layer, each a sentence that says what to change."""

from __future__ import annotations

from crevasse.files.names import plain_text
from crevasse.notices import Notice


class BadInput(ValueError):
    """A file that is given cannot be used."""

    def __init__(self, message: str) -> None:
        super().__init__(_plain(message))


class BadOutput(OSError):
    """A result cannot be written."""

    def __init__(self, message: str) -> None:
        super().__init__(_plain(message))


class AlreadyThere(BadOutput):
    """A result is in the way and overwriting was not asked for."""


class Busy(BadOutput):
    """Another process is writing to the same place."""


def _plain(message: str) -> str:
    """A message without terminal control characters: it quotes file names and texts from files."""
    return message.with_found(plain_text) if isinstance(message, Notice) else plain_text(message)
