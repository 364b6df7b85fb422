"""The refusals of the file layer, each a sentence that says what to change."""

from __future__ import annotations


class BadInput(ValueError):
    """A file that is given cannot be used."""


class BadOutput(OSError):
    """A result cannot be written."""


class AlreadyThere(BadOutput):
    """A result is in the way and overwriting was not asked for."""


class Busy(BadOutput):
    """Another process is writing to the same place."""
