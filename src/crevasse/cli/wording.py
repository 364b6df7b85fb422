"""Word advice for the command line."""

from __future__ import annotations

from collections.abc import Sequence

from crevasse.notices import Setting, notice_of, worded

OPTIONS = {"field_of_view": "--fov", "output": "-o"}
"""Options that are not called after their setting."""


def command_wording(settings: Sequence[Setting]) -> str:
    """Word settings as options.

    >>> command_wording([Setting("frame", "directx")])
    'pass --frame directx (crevasse info shows why)'
    """
    words = "pass " + " or ".join(map(_option, settings))
    return f"{words} (crevasse info shows why)" if settings[0].name == "frame" else words


def _option(setting: Setting) -> str:
    name, value = setting
    option = OPTIONS.get(name, f"--{name.replace('_', '-')}")
    if value is None or value is True:
        return option
    return f"{option} {str(value).lower() if value is False else value}"


def command_text(advice: str | BaseException) -> str:
    """A warning or an error, worded for the command line."""
    return worded(notice_of(advice) if isinstance(advice, BaseException) else advice, command_wording)
