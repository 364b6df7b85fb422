"""The refusals of the file layer, each a sentence that says what to change."""

from __future__ import annotations

from crevasse.files.names import plain_text


class BadInput(ValueError):
    """A file that is given cannot be used."""

    def __init__(self, message: str) -> None:
        # Names and texts of files are part of the sentence.
        super().__init__(plain_text(message))


class BadOutput(OSError):
    """A result cannot be written."""

    def __init__(self, message: str) -> None:
        super().__init__(plain_text(message))


class AlreadyThere(BadOutput):
    """A result is in the way and overwriting was not asked for."""


class Busy(BadOutput):
    """Another process is writing to the same place."""
