"""Word advice for the page."""

from __future__ import annotations

from collections.abc import Sequence

from crevasse.notices import Setting, notice_of, worded

CONTROLS = {
    "frame": "choose the frame {}",
    "spanning": "switch Spanning off",
    "camera": "choose the camera",
    "focal": "give the focal length",
    "field_of_view": "give the field of view",
    "behind": "raise Behind",
}
"""How the page sets what Python and the command line call by these names."""


def page_wording(settings: Sequence[Setting]) -> str | None:
    """Word settings for the page's controls; None where it has none for them.

    >>> page_wording([Setting("frame", "directx")])
    'choose the frame directx'
    """
    return " or ".join(CONTROLS[name].format(value) for name, value in settings if name in CONTROLS) or None


def page_text(advice: str | BaseException) -> str:
    """A warning or an error, worded for the page."""
    return worded(notice_of(advice) if isinstance(advice, BaseException) else advice, page_wording)
