"""The methods, their settings and the examples, described for the page's forms."""

from __future__ import annotations

import math
from dataclasses import MISSING, fields
from typing import Any

from crevasse.methods import METHODS
from crevasse.methods.settings import setting_meanings
from crevasse.scenes import SCENES

TITLES = {
    "graduated": ("crevasse", "Our default: the surface tears where the normals ask for it."),
    "auxiliary": ("Auxiliary edges", "The published method, with its soft and hard passes."),
    "bilateral": ("BiNI", "Bilaterally weighted integration."),
    "poisson": ("Poisson", "Plain least squares: no jumps."),
}
EXAMPLES = ("demo", "relief", "stairs", "shingles", "comb", "spiral", "islands", "holes")
"""The scenes that the page offers, in this order."""
KINDS = {"int": "integer", "float": "number", "bool": "switch"}


def describe_methods() -> list[dict[str, Any]]:
    """Name, title, sentence and settings of each method."""
    return [
        {"name": name, "title": TITLES[name][0], "about": TITLES[name][1], "settings": describe_settings(method)}
        for name, method in METHODS.items()
    ]


def describe_settings(method: type[Any]) -> list[dict[str, Any]]:
    """The numbers and switches of a method, with the meanings that its docstring gives."""
    meanings = setting_meanings(method)
    settings = []
    for field in fields(method):
        kind = KINDS.get(str(field.type))
        if kind is None or field.default is MISSING:
            continue
        about = meanings.get(field.name, "")
        settings.append({"name": field.name, "kind": kind, "default": field.default, "about": about})
    return settings


def make_method(name: str, settings: dict[str, Any]) -> Any:
    """The method of a page's choice; refuses settings that it does not have."""
    if name not in METHODS:
        raise ValueError(f"method is {name!r}; give one of {', '.join(METHODS)}")
    known = {entry["name"]: entry for entry in describe_settings(METHODS[name])}
    values = {}
    for key, value in settings.items():
        if key not in known:
            raise ValueError(f"{key!r} is not a setting of {name}; it has {', '.join(known)}")
        kind = known[key]["kind"]
        if not isinstance(value, bool if kind == "switch" else int | float) or (kind != "switch" and value is True):
            raise ValueError(f"{key} is {value!r}; it must be a {kind}")
        if not math.isfinite(value):
            raise ValueError(f"{key} is {value!r}; it must be a finite number")
        if kind == "integer" and value != int(value):
            raise ValueError(f"{key} is {value!r}; it must be a whole number")
        values[key] = {"integer": int, "number": float, "switch": bool}[kind](value)
    return METHODS[name](**values)


def describe_examples() -> list[dict[str, str]]:
    """The examples by name, with a title for people."""
    return [{"name": name, "title": name.replace("-", " ").capitalize()} for name in EXAMPLES if name in SCENES]
