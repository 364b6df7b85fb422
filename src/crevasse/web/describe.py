"""The methods, their settings and the examples, described for the page's forms."""

from __future__ import annotations

from typing import Any

from crevasse.methods.registry import METHODS, describe
from crevasse.scenes import SCENES

EXAMPLES = ("demo", "relief", "stairs", "shingles", "comb", "spiral", "islands", "holes")
"""The scenes that the page offers, in this order."""
FORMS = ("integer", "number", "switch")
"""Kinds of settings that the page has a form for."""


def describe_methods() -> list[dict[str, Any]]:
    """Name, title, sentence and settings of each method."""
    return [
        {
            "name": method.name,
            "title": method.title,
            "about": method.about,
            "settings": [
                {"name": setting.name, "kind": setting.kind, "default": setting.default, "about": setting.about}
                for setting in method.settings
                if setting.kind in FORMS
            ],
        }
        for method in map(describe, METHODS.values())
    ]


def describe_examples() -> list[dict[str, str]]:
    """The examples by name, with a title for people."""
    return [{"name": name, "title": name.replace("-", " ").capitalize()} for name in EXAMPLES if name in SCENES]
