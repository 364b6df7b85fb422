"""The methods, their settings and the examples, described for the page's forms."""

from __future__ import annotations

from typing import Literal

from crevasse.methods.registry import METHODS, Description, describe
from crevasse.scenes import SCENES
from crevasse.web.offer_messages import Example, Method, Setting

EXAMPLES = ("demo", "relief", "stairs", "shingles", "comb", "spiral", "islands", "holes")
"""The scenes that the page offers, in this order."""
KINDS: tuple[Literal["integer", "number", "switch"], ...] = ("integer", "number", "switch")
"""Kinds of settings that the page has a control for."""


def describe_methods() -> tuple[Method, ...]:
    """Name, title, sentence and settings of each method."""
    return tuple(
        Method(name=method.name, title=method.title, about=method.about, settings=_controls(method), accepts=accepts)
        for method, accepts in ((describe(cls), tuple(sorted(cls.accepts))) for cls in METHODS.values())
    )


def _controls(method: Description) -> tuple[Setting, ...]:
    """Settings of a method that the page has a control for."""
    return tuple(
        Setting(name=setting.name, kind=kind, default=setting.default, about=setting.about, advanced=setting.advanced)
        for setting in method.settings
        for kind in KINDS
        if setting.kind == kind
    )


def describe_examples() -> tuple[Example, ...]:
    """The examples by name, with a title for people."""
    return tuple(Example(name=name, title=name.replace("-", " ").capitalize()) for name in EXAMPLES if name in SCENES)
